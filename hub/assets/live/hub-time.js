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

/** Made once each: a game has hundreds of presses. @type {Map<string, Intl.DateTimeFormat>} */
const forms = new Map();

/**
 * @param {string|undefined} zone the hall's IANA name; without one, or with one that the browser does not know, the reader's own zone
 * @param {Intl.DateTimeFormatOptions} parts
 */
function form(zone, parts) {
  const key = JSON.stringify([zone, parts]);
  const known = forms.get(key);
  if (known) return known;
  let made;
  try {
    made = new Intl.DateTimeFormat("en-GB", { ...parts, timeZone: zone });
  } catch {
    made = new Intl.DateTimeFormat("en-GB", parts);
  }
  forms.set(key, made);
  return made;
}

/**
 * A hub instant as a time of day in the hall, with its date where that is not today's: `14:31:20.5`, `21 Nov, 23:59:59.0`.
 * @param {number} us
 * @param {number} nowUs
 * @param {string|undefined} zone
 */
export function dayTime(us, nowUs, zone) {
  const day = form(zone, { dateStyle: "short" });
  const dated = day.format(us / 1000) === day.format(nowUs / 1000) ? {} : /** @type {const} */ ({ day: "numeric", month: "short" });
  return form(zone, { ...dated, hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 1 }).format(us / 1000);
}

/** Hour and minute in the hall. @param {number} us @param {string|undefined} zone */
export function hourAndMinute(us, zone) {
  return form(zone, { hour: "2-digit", minute: "2-digit" }).format(us / 1000);
}
