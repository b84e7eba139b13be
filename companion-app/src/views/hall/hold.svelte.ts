// Holds a list still while a finger, pen or mouse touches it and for a short time afterwards.

/** Length of a hold after a touch: a tap arrives after the finger has left the screen, and a flick keeps scrolling. */
export const AFTER_MS = 400;
/** Maximum length of a hold without further input, because the end of a touch may be lost together with the tile that was touched. */
export const LONGEST_MS = 3000;

export class Hold {
  held = $state(false);
  #grace = LONGEST_MS;
  #until = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  down(): void {
    this.#grace = LONGEST_MS;
    this.held = true;
    this.prolong();
    this.#timer ??= setTimeout(this.#look, LONGEST_MS);
  }

  /** Extends the current hold, if there is one. */
  prolong(): void {
    if (this.held) this.#until = performance.now() + this.#grace;
  }

  up(): void {
    this.#grace = AFTER_MS;
    this.prolong();
    clearTimeout(this.#timer);
    this.#timer = this.held ? setTimeout(this.#look, AFTER_MS) : undefined;
  }

  /** Ends the hold, or sets the timer again if the hold was extended. A pan sends a hundred events a second, so they do not reset the timer. */
  readonly #look = (): void => {
    const left = this.#until - performance.now();
    this.held = left > 0;
    this.#timer = this.held ? setTimeout(this.#look, left) : undefined;
  };
}
