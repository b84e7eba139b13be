// Follows the hub: a snapshot, then changes, without gaps. Reconnects by itself, resumes where it was, and takes a new
// snapshot when the hub says that it must.

/**
 * @typedef {object} Handlers
 * @property {(snapshot: any) => void} snapshot everything, replaces what was known
 * @property {(board: import("./words.js").BoardView) => void} board one board changed
 * @property {(event: any) => void} event name, round and the like changed
 * @property {(board: string) => void} gone a board left the hall
 * @property {(version: number) => void} [tournament] the event's players, pairings or results are those of another version
 * @property {() => void} absent the hub does not know what is followed, a board that left while nobody listened
 * @property {(hubUs: number, fresh: boolean) => void} time the hub's time, of just now; `fresh` when its timeline is another
 * @property {(live: boolean) => void} link the connection is up or lost
 *
 * @typedef {object} World what a test replaces
 * @property {typeof fetch} fetch
 * @property {typeof EventSource} EventSource
 * @property {(f: () => void, ms: number) => any} setTimeout
 * @property {(id: any) => void} clearTimeout
 * @property {() => number} random
 */

/** The hub speaks at least every 10 s; a connection silent for longer than this is dead, whatever the browser thinks. */
const SILENT_MS = 25_000;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 15_000;
const FETCH_WITHIN_MS = 10_000;

export class Feed {
  /**
   * @param {string} snapshotUrl
   * @param {string} eventsUrl without `after`
   * @param {Handlers} handlers
   * @param {World} world
   */
  constructor(snapshotUrl, eventsUrl, handlers, world = browser()) {
    this.snapshotUrl = snapshotUrl;
    this.eventsUrl = eventsUrl;
    this.on = handlers;
    this.world = world;
    /** @type {EventSource|null} */
    this.source = null;
    /** Where to resume, `epoch-seq`; empty when a snapshot is needed. */
    this.place = "";
    this.epoch = NaN;
    this.failures = 0;
    this.timer = null;
    this.live = false;
    this.attempt = 0;
  }

  /** Starts, or tries again at once after a loss. */
  start() {
    if (this.live) return;
    this.#stop();
    if (this.place) this.#open();
    else void this.#load();
  }

  async #load() {
    const attempt = ++this.attempt;
    const abort = new AbortController();
    const late = this.world.setTimeout(() => abort.abort(), FETCH_WITHIN_MS);
    let snapshot = null;
    let absent = false;
    try {
      const response = await this.world.fetch(this.snapshotUrl, { cache: "no-store", signal: abort.signal });
      absent = response.status === 404;
      if (response.ok) snapshot = await response.json();
    } catch {
      // Not reachable, too slow or cut off half-way: all the same from here.
    }
    this.world.clearTimeout(late);
    if (attempt !== this.attempt) return;
    if (absent) return this.#miss();
    if (!snapshot) return this.#lose();
    this.#tell(snapshot);
    this.on.snapshot(snapshot);
    this.place = `${snapshot.epoch}-${snapshot.seq}`;
    this.#open();
  }

  #open() {
    this.attempt += 1;
    const url = `${this.eventsUrl}${this.eventsUrl.includes("?") ? "&" : "?"}after=${this.place}`;
    const source = new this.world.EventSource(url);
    this.source = source;
    const listen = (/** @type {string} */ kind, /** @type {(data: any) => void} */ act) =>
      source.addEventListener(kind, (event) => {
        if (source !== this.source) return;
        const message = /** @type {MessageEvent} */ (event);
        const data = JSON.parse(message.data);
        this.#watch();
        act(data);
        if (this.source === source) this.place = message.lastEventId;
      });
    listen("hub", (data) => {
      this.#tell(data);
      this.#reached();
    });
    listen("resync", () => {
      this.#stop();
      this.place = "";
      void this.#load();
    });
    listen("board", (data) => {
      this.#tell(data);
      this.on.board(data.board);
    });
    listen("event", (data) => this.on.event(data.event));
    listen("gone", (data) => this.on.gone(data.gone));
    listen("tournament", (data) => this.on.tournament?.(data.tournament));
    source.onerror = () => {
      if (source === this.source) this.#lose();
    };
    this.#watch();
  }

  /** @param {{epoch: number, hub_us: number}} stamp */
  #tell(stamp) {
    const fresh = stamp.epoch !== this.epoch;
    this.epoch = stamp.epoch;
    this.on.time(stamp.hub_us, fresh);
  }

  #reached() {
    this.failures = 0;
    if (this.live) return;
    this.live = true;
    this.on.link(true);
  }

  /** The hub answers, but what is followed is not there; it may come, with the next round for instance. */
  #miss() {
    this.#reached();
    this.on.absent();
    this.timer = this.world.setTimeout(() => void this.#load(), LAST_RETRY_MS);
  }

  #watch() {
    this.world.clearTimeout(this.timer);
    this.timer = this.world.setTimeout(() => this.#lose(), SILENT_MS);
  }

  #lose() {
    this.#stop();
    this.live = false;
    this.on.link(false);
    const wait = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.failures);
    this.failures += 1;
    // Half of the wait is random: after a restart not everyone in the hall knocks in the same instant.
    this.timer = this.world.setTimeout(() => this.start(), wait * (0.5 + this.world.random() / 2));
  }

  #stop() {
    this.attempt += 1;
    this.world.clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }
}

/** @returns {World} */
function browser() {
  return {
    fetch: (...args) => fetch(...args),
    EventSource,
    setTimeout: (f, ms) => setTimeout(f, ms),
    clearTimeout: (id) => clearTimeout(id),
    random: Math.random,
  };
}
