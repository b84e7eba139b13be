// Follows the hub: first a snapshot, then changes without gaps. Reconnects and resumes by itself, and takes a new snapshot when the hub
// asks for one. Behind a cache that does not forward streams, polls for changes every two seconds.

/**
 * @typedef {object} Handlers
 * @property {(snapshot: any) => void} snapshot called with a snapshot, which replaces all earlier data
 * @property {(board: import("./words.js").BoardView) => void} board called when a board was added or changed
 * @property {(event: any) => void} event called when the event's general data changed, such as its name, round or start
 * @property {(board: string) => void} gone called when a board left the hall
 * @property {(version: number) => void} [tournament] called when the event's players, pairings or results changed
 * @property {() => void} absent called when the followed board or data does not exist, for example because the board was removed
 * @property {(hubUs: number, fresh: boolean) => void} time called with the hub's time; `fresh` is true on a new timeline
 * @property {(live: boolean) => void} link called when the connection was established or lost, and after each failed attempt
 *
 * @typedef {object} World the browser's functions that the feed uses; tests replace them
 * @property {typeof fetch} fetch
 * @property {typeof EventSource} EventSource
 * @property {(f: () => void, ms: number) => any} setTimeout
 * @property {(id: any) => void} clearTimeout
 * @property {() => number} random
 */

/** Silence after which a connection counts as dead: the hub sends something at least every 10 s. */
const SILENT_MS = 25_000;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 15_000;
const FETCH_WITHIN_MS = 10_000;
const CHANGES_URL = "/live/changes";
const POLL_MS = 2_000;
/** Number of consecutive streams without a message after which the page polls instead. */
const MUTE_STREAMS = 2;
/** Number of polls before a stream is tried again: one minute's worth at first, then doubled each time, up to a quarter of an hour. */
const FIRST_POLLS = 30;
const LAST_POLLS = 450;
/** Maximum number of blocks of missed changes to fetch. If more are missing, a snapshot is fetched instead. */
const MAX_BLOCKS = 16;

/** Follows until the user leaves the page. Reconnects immediately when the page is shown again or the network is back. @param {Feed} feed */
export function followWhileShown(feed) {
  addEventListener("online", () => feed.start());
  addEventListener("pagehide", () => feed.stop());
  addEventListener("pageshow", (shown) => {
    if (shown.persisted) feed.start();
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) feed.start();
  });
  feed.start();
}

const ABSENT = Symbol("absent");

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
    /** The cursor to resume from, `epoch-seq`; empty if a snapshot is needed. */
    this.place = "";
    this.epoch = NaN;
    this.failures = 0;
    this.timer = null;
    this.live = false;
    this.attempt = 0;
    this.mute = 0;
    this.polls = 0;
    this.pollsToGo = FIRST_POLLS;
    const wanted = new URLSearchParams(eventsUrl.split("?")[1]);
    this.board = wanted.get("board");
    this.onlyEvent = wanted.get("only") === "event";
  }

  /** Connects immediately, unless the connection is live. */
  start() {
    if (this.live) return;
    this.#stop();
    if (this.place) this.#follow();
    else void this.#load();
  }

  /** Closes the connection, for example when the user leaves the page: a browser may keep the page alive, and limits the connections per site. */
  stop() {
    this.#stop();
    this.live = false;
  }

  #follow() {
    if (this.mute < MUTE_STREAMS) this.#open();
    else void this.#poll();
  }

  async #load() {
    const attempt = ++this.attempt;
    const snapshot = await this.#fetch(this.snapshotUrl, "no-store");
    if (attempt !== this.attempt) return;
    if (snapshot === ABSENT) return this.#miss();
    if (!snapshot) return this.#lose();
    this.#tell(snapshot);
    this.on.snapshot(snapshot);
    this.place = `${snapshot.epoch}-${snapshot.seq}`;
    this.#follow();
  }

  /**
   * Returns the data at an address: `ABSENT` if the hub answers 404, null after any other failure.
   * @param {string} url
   * @param {RequestCache} cache
   * @returns {Promise<any>}
   */
  async #fetch(url, cache) {
    const abort = new AbortController();
    const late = this.world.setTimeout(() => abort.abort(), FETCH_WITHIN_MS);
    try {
      const response = await this.world.fetch(url, { cache, signal: abort.signal });
      if (response.status === 404) return ABSENT;
      return response.ok ? await response.json() : null;
    } catch {
      return null;
    } finally {
      this.world.clearTimeout(late);
    }
  }

  /** Polls for the newest changes, and for earlier blocks of changes that are missing. */
  async #poll() {
    const attempt = ++this.attempt;
    const newest = await this.#fetch(`${CHANGES_URL}.json`, "no-store");
    if (attempt !== this.attempt) return;
    if (!newest || newest === ABSENT) return this.#lose();
    const [epoch, seq] = this.place.split("-").map(Number);
    const first = Math.floor(seq / newest.size);
    if (newest.epoch !== epoch || seq > newest.seq || newest.block - first > MAX_BLOCKS) return this.#begin();
    const changes = [];
    for (let block = first; block < newest.block; block += 1) {
      const full = await this.#fetch(`${CHANGES_URL}/${epoch}/${block}.json`, "default");
      if (attempt !== this.attempt) return;
      if (!full) return this.#lose();
      if (full === ABSENT) return this.#begin();
      changes.push(...full.changes);
    }
    changes.push(...newest.changes);
    this.#tell(newest);
    for (const change of changes) if (change.seq > seq && this.#concerns(change)) this.#take(change);
    this.place = `${epoch}-${newest.seq}`;
    this.#reached();
    this.polls += 1;
    if (this.polls >= this.pollsToGo) {
      this.polls = 0;
      this.pollsToGo = Math.min(this.pollsToGo * 2, LAST_POLLS);
      this.mute = MUTE_STREAMS - 1;
    }
    this.timer = this.world.setTimeout(() => this.#follow(), POLL_MS);
  }

  /** Returns true if a stream would bring this change. @param {any} change */
  #concerns(change) {
    const board = change.board?.board ?? change.gone;
    if (this.board) return board === this.board || change.event !== undefined;
    return !this.onlyEvent || board === undefined;
  }

  /** @param {any} change */
  #take(change) {
    if (change.board) this.on.board(change.board);
    else if (change.event) this.on.event(change.event);
    else if (change.gone !== undefined) this.on.gone(change.gone);
    else if (change.tournament !== undefined) this.on.tournament?.(change.tournament);
  }

  #begin() {
    this.#stop();
    this.place = "";
    void this.#load();
  }

  #open() {
    this.attempt += 1;
    const url = `${this.eventsUrl}${this.eventsUrl.includes("?") ? "&" : "?"}after=${this.place}`;
    const source = new this.world.EventSource(url);
    this.source = source;
    this.mute += 1;
    const listen = (/** @type {string} */ kind, /** @type {(data: any) => void} */ act) =>
      source.addEventListener(kind, (event) => {
        if (source !== this.source) return;
        const message = /** @type {MessageEvent} */ (event);
        const data = JSON.parse(message.data);
        this.mute = 0;
        this.#watch();
        act(data);
        if (this.source === source) this.place = message.lastEventId;
      });
    listen("hub", (data) => {
      this.#tell(data);
      this.#reached();
    });
    listen("resync", () => this.#begin());
    listen("board", (data) => {
      this.#tell(data);
      this.#take(data);
    });
    for (const kind of ["event", "gone", "tournament"]) listen(kind, (data) => this.#take(data));
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

  /** Handles the answer that the followed board or data does not exist. It may appear later, for example with the next round. */
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
    // Half of the delay is random, so that not all pages reconnect at the same instant after a restart.
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
