// The hub's time, as well as a page can know it.
//
// The browser's clock of day may be wrong by hours, so only performance.now() counts: the offset to the hub is the largest
// of (hub's stamp − arrival), which is that of the message that travelled fastest. It is taken over the last one to two minutes,
// so that a crystal that runs a little fast or slow is followed.

const WINDOW_MS = 60_000;

export class HubTime {
  /** @param {() => number} nowMs a clock that only goes forward, milliseconds */
  constructor(nowMs = () => performance.now()) {
    this.nowMs = nowMs;
    /** The largest offset of the last full minute, and of the one that is passing. */
    this.older = -Infinity;
    this.newer = -Infinity;
    this.sinceMs = nowMs();
  }

  /** Forgets everything: another hub, another timeline. */
  reset() {
    this.older = -Infinity;
    this.newer = -Infinity;
    this.sinceMs = this.nowMs();
  }

  /**
   * A message stamped `hubUs` by the hub has just arrived.
   * @param {number} hubUs
   * @returns {boolean} whether the estimate moved by more than an eye sees
   */
  sample(hubUs) {
    const before = this.offsetUs;
    const nowMs = this.nowMs();
    if (nowMs - this.sinceMs > WINDOW_MS) {
      this.older = this.newer;
      this.newer = -Infinity;
      this.sinceMs = nowMs;
    }
    this.newer = Math.max(this.newer, hubUs - nowMs * 1000);
    return !(Math.abs(this.offsetUs - before) < 5000);
  }

  /** Hub time minus this page's time, microseconds; −Infinity when nothing is known. */
  get offsetUs() {
    return Math.max(this.older, this.newer);
  }

  /** The hub's time in microseconds, or null before the first message. */
  nowUs() {
    const offset = this.offsetUs;
    return offset === -Infinity ? null : this.nowMs() * 1000 + offset;
  }
}
