// Keeps the last known hall on the device, and shows it again where the hub does not answer.
//
// Owns when a snapshot is stored, shown and forgotten. Must never store one after the hub has revoked the device, and never show one over what
// the hub has told.

import type { EventStore } from "$lib/event/event.svelte.js";
import type { HallStore } from "$lib/hall/hall.svelte.js";
import type { Identity } from "$lib/transport/transport.js";
import { decode, SnapshotEncoder, type Snapshot } from "./snapshot.js";
import type { SnapshotStore } from "./store.js";

/** A busy hall is stored so often: a tablet's memory wears with each time. */
export const EVERY_MS = 30_000;
/** A hub that has not answered by then may be away: what is known is shown meanwhile. */
export const SHOW_AFTER_MS = 1500;

export interface Holds {
  hall: HallStore;
  event: EventStore;
  /** Who acts with this device. */
  me: () => Identity | null;
  /** Takes over who acted with it when the snapshot was stored. */
  was: (me: Identity) => void;
}

export class HallKeeper {
  readonly #holds: Holds;
  readonly #store: SnapshotStore;
  readonly #encoder = new SnapshotEncoder();
  #stored = 0;
  #storing: Promise<void> | null = null;
  #forgotten = false;

  constructor(holds: Holds, store: SnapshotStore) {
    this.#holds = holds;
    this.#store = store;
  }

  /** Shows what is kept once the hub proves silent, and stores what it tells, until `signal` ends it. */
  async run(signal: AbortSignal): Promise<void> {
    const { hall } = this.#holds;
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

  /** Stores the hall as it is known now, unless it is stored already. One at a time. */
  async store(): Promise<void> {
    while (this.#storing) await this.#storing;
    this.#storing = this.#storeNow().finally(() => {
      this.#storing = null;
    });
    await this.#storing;
  }

  async #storeNow(): Promise<void> {
    const { hall, event, me } = this.#holds;
    const known = hall.known();
    if (!known || known.heardAtMs === this.#stored || this.#forgotten) return;
    const stored = await this.#encoder.encode({ ...known, me: me(), event: event.known() }, pause);
    if (this.#isForgotten()) return;
    // A browser that stores nothing, as a private window may, has nothing to show later. That is all.
    await (stored === null ? this.#store.forget() : this.#store.keep(stored)).catch(() => undefined);
    this.#stored = known.heardAtMs;
  }

  /** Throws the snapshot away, and stores none from now on: the device was revoked, or enrols again. */
  async forget(): Promise<void> {
    this.#forgotten = true;
    while (this.#storing) await this.#storing;
    await this.#store.forget().catch(() => undefined);
  }

  #isForgotten(): boolean {
    return this.#forgotten;
  }

  #show(snapshot: Snapshot): void {
    const { hall, event, me, was } = this.#holds;
    if (this.#forgotten || !hall.restore(snapshot)) return;
    if (snapshot.event) event.restore(snapshot.event);
    if (snapshot.me && !me()) was(snapshot.me);
  }
}

/** Whether the hub proves silent: at its first failure, or when it does not answer for a while. */
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

/** A page that is hidden is about to be put away, and its timers with it. */
const pause = (): Promise<void> => (document.hidden ? Promise.resolve() : new Promise((done) => setTimeout(done)));
