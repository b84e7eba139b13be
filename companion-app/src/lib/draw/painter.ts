// The single loop that updates the clocks. It sleeps until the next digit of a visible clock changes, but at most for a second.
//
// Owns the time of each drawing, never its content. No other part of the app draws a clock on its own timer.

import type { HubTime } from "$lib/hall/hub-time.js";

export interface Drawable {
  /** Writes the digits that changed, and returns the hub time of the next change. */
  draw(hubUs: number): number;
}

/** The functions of the page that the painter uses; tests replace them. */
export interface Stage {
  hidden(): boolean;
  onShown(redraw: () => void): void;
  later(ms: number, paint: () => void): () => void;
}

/** Minimum sleep, so that digits due within about two frames are drawn together. The delay is too short to notice. */
const TOGETHER_MS = 33;
/** The painter never sleeps longer than this, whatever the plans say. */
const LONGEST_MS = 1000;

export class Painter {
  readonly #time: HubTime;
  readonly #stage: Stage;
  readonly #due = new Map<Drawable, number>();
  #wakesAtUs = Infinity;
  #cancel: () => void = () => undefined;

  constructor(time: HubTime, stage: Stage = page) {
    this.#time = time;
    this.#stage = stage;
    stage.onShown(() => this.redrawAll());
  }

  /** Draws a drawable now, or once the hub's time is known, and then whenever it is due. */
  show(drawable: Drawable): void {
    const now = this.#time.nowUs();
    if (now === null) {
      this.#due.set(drawable, -Infinity);
      return;
    }
    const due = drawable.draw(now);
    this.#due.set(drawable, due);
    if (due < this.#wakesAtUs) this.#sleepUntil(due, now);
  }

  hide(drawable: Drawable): void {
    this.#due.delete(drawable);
  }

  shows(drawable: Drawable): boolean {
    return this.#due.has(drawable);
  }

  /** Redraws everything, after the time was corrected or the page became visible again. */
  redrawAll(): void {
    for (const drawable of this.#due.keys()) this.#due.set(drawable, -Infinity);
    this.#paint();
  }

  #paint(): void {
    const now = this.#time.nowUs();
    this.#wakesAtUs = Infinity;
    if (now === null || this.#stage.hidden()) return;
    let next = Infinity;
    for (const [drawable, due] of this.#due) {
      let then = due;
      if (due <= now) {
        then = drawable.draw(now);
        this.#due.set(drawable, then);
      }
      if (then < next) next = then;
    }
    this.#sleepUntil(next, now);
  }

  #sleepUntil(us: number, now: number): void {
    this.#cancel();
    const ms = Math.min(LONGEST_MS, Math.max(TOGETHER_MS, (us - now) / 1000));
    this.#wakesAtUs = now + ms * 1000;
    this.#cancel = this.#stage.later(ms, () => this.#paint());
  }
}

const page: Stage = {
  hidden: () => document.hidden,
  onShown: (redraw) => document.addEventListener("visibilitychange", redraw),
  later: (ms, paint) => {
    const sleep = setTimeout(() => requestAnimationFrame(paint), ms);
    return () => clearTimeout(sleep);
  },
};
