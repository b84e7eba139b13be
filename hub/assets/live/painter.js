// The one loop that moves the clocks. It sleeps until the next digit of a visible clock is due, and writes only that.

/**
 * @typedef {object} Drawable
 * @property {(hubUs: number) => number} draw writes what changed; answers the hub instant of its next change
 */

/** Digits due within this time are drawn together; less than a frame of a 60 Hz screen. */
const TOGETHER_MS = 12;
/** Longest sleep: nothing on a page stays unlooked at for longer, whatever a plan says. */
const LONGEST_MS = 1000;

export class Painter {
  /** @param {import("./hub-time.js").HubTime} time */
  constructor(time) {
    this.time = time;
    /** @type {Map<Drawable, number>} the hub instant at which each is due */
    this.due = new Map();
    this.timer = 0;
    this.wakesAtUs = Infinity;
    document.addEventListener("visibilitychange", () => this.redrawAll());
  }

  /** Draws it now and from now on. @param {Drawable} drawable */
  show(drawable) {
    const now = this.time.nowUs();
    if (now === null) {
      this.due.set(drawable, -Infinity);
      return;
    }
    const due = drawable.draw(now);
    this.due.set(drawable, due);
    if (due < this.wakesAtUs) this.#sleepUntil(due, now);
  }

  /** Leaves it alone. @param {Drawable} drawable */
  hide(drawable) {
    this.due.delete(drawable);
  }

  /** @param {Drawable} drawable */
  shows(drawable) {
    return this.due.has(drawable);
  }

  /** Draws everything, because time itself was corrected or the page came back into view. */
  redrawAll() {
    for (const drawable of this.due.keys()) this.due.set(drawable, -Infinity);
    this.#paint();
  }

  #paint() {
    const now = this.time.nowUs();
    this.wakesAtUs = Infinity;
    if (now === null || document.hidden) return;
    let next = Infinity;
    for (const [drawable, due] of this.due) {
      let then = due;
      if (due <= now) {
        then = drawable.draw(now);
        this.due.set(drawable, then);
      }
      if (then < next) next = then;
    }
    this.#sleepUntil(next, now);
  }

  /**
   * @param {number} us
   * @param {number} now
   */
  #sleepUntil(us, now) {
    clearTimeout(this.timer);
    const ms = Math.min(LONGEST_MS, Math.max(TOGETHER_MS, (us - now) / 1000));
    this.wakesAtUs = now + ms * 1000;
    this.timer = setTimeout(() => requestAnimationFrame(() => this.#paint()), ms);
  }
}
