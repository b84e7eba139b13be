// The hub's time, as well as a page can know it.
//
// The device's clock of day may be wrong by hours, so only a clock that goes forward counts: the offset to the hub is the largest
// of (hub's stamp − arrival), which is that of the message that travelled fastest, over the last one to two minutes, so that a
// crystal that runs a little fast or slow is followed.

const WINDOW_MS = 60_000;
/** What an eye sees. */
const SEEN_US = 5000;

export class HubTime {
  #older = -Infinity;
  #newer = -Infinity;
  #sinceMs: number;
  readonly #nowMs: () => number;

  /** @param nowMs a clock that only goes forward, milliseconds */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
    this.#sinceMs = nowMs();
  }

  /** Forgets everything: another hub, another timeline. */
  reset(): void {
    this.#older = -Infinity;
    this.#newer = -Infinity;
    this.#sinceMs = this.#nowMs();
  }

  /** A message stamped `hubUs` by the hub has just arrived; answers whether the estimate moved by more than an eye sees. */
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

  /** Hub time minus this device's, microseconds; −Infinity when nothing is known. */
  get offsetUs(): number {
    return Math.max(this.#older, this.#newer);
  }

  /** The hub's time in microseconds, or null before the first message. */
  nowUs(): number | null {
    const offset = this.offsetUs;
    return offset === -Infinity ? null : this.#nowMs() * 1000 + offset;
  }
}
