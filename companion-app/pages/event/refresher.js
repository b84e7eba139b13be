// Fetches what changed, soon but not all at once: a hall's last results come within seconds, and everybody watches.

/** After one fetch has begun the next one waits this long. */
const GAP_MS = 600;
/** Everybody waits a random part of this, so that a thousand phones do not ask in the same instant. */
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

  /** Something changed. */
  want() {
    if (this.waits) return;
    this.waits = true;
    const rest = this.lastMs + GAP_MS - this.world.now();
    const spread = this.lastMs === -Infinity ? 0 : this.world.random() * SPREAD_MS;
    this.world.setTimeout(() => void this.#go(), Math.max(0, rest) + spread);
  }

  async #go() {
    // The one that runs may have asked before the change: another follows it.
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
