// An estimate of the hub's time.
//
// The device's wall clock may be wrong by hours, so a monotonic clock is used. The offset to the hub is the largest (hub stamp − arrival)
// of the last one to two minutes: this value belongs to the fastest message. Older messages are dropped, so the offset follows the drift of the
// device's crystal.

const WINDOW_MS = 60_000;
/** The smallest change of the estimate that counts as visible, in microseconds. */
const SEEN_US = 5000;

export class HubTime {
  #older = -Infinity;
  #newer = -Infinity;
  #sinceMs: number;
  readonly #nowMs: () => number;

  /** @param nowMs a monotonic clock in milliseconds */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
    this.#sinceMs = nowMs();
  }

  /** Forgets all messages, because the next ones belong to a different timeline. */
  reset(): void {
    this.#older = -Infinity;
    this.#newer = -Infinity;
    this.#sinceMs = this.#nowMs();
  }

  /** Adds a message that was stamped `hubUs` and has just arrived. Returns true if the estimate changed visibly. */
  sample(hubUs: number): boolean {
    const before = this.offsetUs;
    const nowMs = this.#nowMs();
    if (nowMs - this.#sinceMs > WINDOW_MS) {
      this.#older = this.#newer;
      this.#newer = -Infinity;
      this.#sinceMs = nowMs;
    }
    this.#newer = Math.max(this.#newer, hubUs - nowMs * 1000);
    return !(Math.abs(this.offsetUs - before) < SEEN_US);
  }

  /** The hub's time minus this device's time, in microseconds; −Infinity before the first message. */
  get offsetUs(): number {
    return Math.max(this.#older, this.#newer);
  }

  nowUs(): number | null {
    const offset = this.offsetUs;
    return offset === -Infinity ? null : this.#nowMs() * 1000 + offset;
  }
}
