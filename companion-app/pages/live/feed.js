// Follows the hub: a snapshot, then changes without gaps. Reconnects and resumes by itself, and takes a new snapshot when the hub asks
// for it.

/**
 * @typedef {object} Handlers
 * @property {(snapshot: any) => void} snapshot everything, replacing what was known
 * @property {(board: import("./words.js").BoardView) => void} board one board changed
 * @property {(event: any) => void} event name, round and the like changed
 * @property {(board: string) => void} gone a board left the hall
 * @property {(version: number) => void} [tournament] the event's players, pairings or results changed
 * @property {() => void} absent the hub does not know what is followed, such as a board that was removed
 * @property {(hubUs: number, fresh: boolean) => void} time the hub's present time; `fresh` on a new timeline
 * @property {(live: boolean) => void} link the connection was established or lost
 *
 * @typedef {object} World the browser as the feed needs it; tests replace it
 * @property {typeof fetch} fetch
 * @property {typeof EventSource} EventSource
 * @property {(f: () => void, ms: number) => any} setTimeout
 * @property {(id: any) => void} clearTimeout
 * @property {() => number} random
 */

/** The hub sends something at least every 10 s; a connection silent for longer than this is dead. */
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

  /** Connects, or reconnects immediately after a loss. */
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
      // Unreachable, too slow or cut off: all lead to a retry.
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

  /** Handles an answer that the followed thing does not exist; it may appear later, with the next round for example. */
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
    // Half of the delay is random, so that not everyone reconnects at the same instant after a restart.
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
