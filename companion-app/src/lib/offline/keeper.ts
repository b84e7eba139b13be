// Stores the last known hall on the device, and shows it when the hub does not answer.
//
// Owns when a snapshot is stored, shown and removed. Must never store a snapshot after the hub has revoked the device, nor replace newer data from
// the hub with a snapshot.

import type { EventStore } from "$lib/event/event.svelte.js";
import type { HallStore } from "$lib/hall/hall.svelte.js";
import type { Identity } from "$lib/transport/transport.js";
import { decode, SnapshotEncoder, type Snapshot } from "./snapshot.js";
import type { SnapshotStore } from "./store.js";

/** Interval of the periodic writes. Every write wears the flash memory. */
export const EVERY_MS = 30_000;
/** Time without a response from the hub after which the stored hall is shown. */
export const SHOW_AFTER_MS = 1500;

export interface KeeperParts {
  hall: HallStore;
  event: EventStore;
  me: () => Identity | null;
  restoreArbiter: (me: Identity) => void;
}

export class HallKeeper {
  readonly #parts: KeeperParts;
  readonly #store: SnapshotStore;
  readonly #encoder = new SnapshotEncoder();
  #stored = 0;
  #storing: Promise<void> | null = null;
  #forgotten = false;

  constructor(parts: KeeperParts, store: SnapshotStore) {
    this.#parts = parts;
    this.#store = store;
  }

  /** Stores new data until `signal` aborts. At the start, shows the stored hall if the hub is silent. */
  async run(signal: AbortSignal): Promise<void> {
    const { hall } = this.#parts;
    const stop = hall.onLost(() => void this.store());
    const every = setInterval(() => void this.store(), EVERY_MS);
    const leaves = (): void => {
      if (document.hidden) void this.store();
    };
    document.addEventListener("visibilitychange", leaves);
    signal.addEventListener("abort", () => {
      stop();
      clearInterval(every);
      document.removeEventListener("visibilitychange", leaves);
    });
    const snapshot = decode(await this.#store.read().catch(() => null), Date.now());
    if (snapshot && (await silent(hall, signal))) this.#show(snapshot);
  }

  /** Stores the current hall, unless it is already stored. Only one write runs at a time. */
  async store(): Promise<void> {
    while (this.#storing) await this.#storing;
    this.#storing = this.#storeNow().finally(() => {
      this.#storing = null;
    });
    await this.#storing;
  }

  async #storeNow(): Promise<void> {
    const { hall, event, me } = this.#parts;
    const known = hall.known();
    if (!known || known.heardAtMs === this.#stored || this.#forgotten) return;
    const stored = await this.#encoder.encode({ ...known, me: me(), event: event.known() }, pause);
    if (this.#isForgotten()) return;
    // A failure is ignored: if the browser stores nothing, as in a private window, there will just be nothing to show.
    await (stored === null ? this.#store.forget() : this.#store.keep(stored)).catch(() => undefined);
    this.#stored = known.heardAtMs;
  }

  /** Removes the snapshot and stores none from now on, because the device was revoked or enrols again. */
  async forget(): Promise<void> {
    this.#forgotten = true;
    while (this.#storing) await this.#storing;
    await this.#store.forget().catch(() => undefined);
  }

  #isForgotten(): boolean {
    return this.#forgotten;
  }

  #show(snapshot: Snapshot): void {
    const { hall, event, me, restoreArbiter } = this.#parts;
    if (this.#forgotten || !hall.restore(snapshot)) return;
    if (snapshot.event) event.restore(snapshot.event);
    if (snapshot.me && !me()) restoreArbiter(snapshot.me);
  }
}

/** Returns true if the hub is silent: a connection has failed, or no response has arrived within `SHOW_AFTER_MS`. */
async function silent(hall: HallStore, signal: AbortSignal): Promise<boolean> {
  if (hall.link === "connecting") {
    await new Promise<void>((done) => {
      const late = setTimeout(done, SHOW_AFTER_MS);
      const stop = hall.onLost(() => {
        clearTimeout(late);
        stop();
        done();
      });
      signal.addEventListener("abort", () => done());
    });
  }
  return !signal.aborted && hall.link !== "live";
}

/** Lets other tasks run. Returns immediately in a hidden page, whose timers may be stopped. */
const pause = (): Promise<void> => (document.hidden ? Promise.resolve() : new Promise((done) => setTimeout(done)));
