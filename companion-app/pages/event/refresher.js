// Limits how often changes cause fetches: the last results of a hall arrive within seconds, and many phones are watching.

/** Minimum interval between the starts of two fetches. */
const GAP_MS = 600;
/** Maximum random delay of every fetch but the first, so that a thousand phones do not fetch at the same instant. */
const SPREAD_MS = 200;

export class Refresher {
  /**
   * @param {() => Promise<void>} act
   * @param {{now: () => number, setTimeout: (f: () => void, ms: number) => any, random: () => number}} world
   */
  constructor(act, world = { now: () => performance.now(), setTimeout: (f, ms) => setTimeout(f, ms), random: Math.random }) {
    this.act = act;
    this.world = world;
    this.waits = false;
    this.runs = false;
    this.lastMs = -Infinity;
  }

  /** Schedules a fetch after a change, unless a fetch is already scheduled. */
  want() {
    if (this.waits) return;
    this.waits = true;
    const rest = this.lastMs + GAP_MS - this.world.now();
    const spread = this.lastMs === -Infinity ? 0 : this.world.random() * SPREAD_MS;
    this.world.setTimeout(() => void this.#go(), Math.max(0, rest) + spread);
  }

  async #go() {
    // The running fetch may have started before the change, so another fetch must follow.
    if (this.runs) {
      this.world.setTimeout(() => void this.#go(), SPREAD_MS);
      return;
    }
    this.waits = false;
    this.runs = true;
    this.lastMs = this.world.now();
    try {
      await this.act();
    } finally {
      this.runs = false;
    }
  }
}
