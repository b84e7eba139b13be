// Whether somebody's finger, pen or button is on the list, or has only just been. Owns that, and for how long; what stands still
// meanwhile is the list's.

/** A tap reaches the page after the finger has left the glass, and a flick runs on: the list stands until both are over. */
export const AFTER_MS = 400;
/** What lifts the finger may never be heard: the tile that was touched is gone by then. Without any input nothing stands longer. */
export const LONGEST_MS = 3000;

export class Hold {
  held = $state(false);
  #grace = LONGEST_MS;
  #until = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** It is touched. */
  down(): void {
    this.#grace = LONGEST_MS;
    this.held = true;
    this.stir();
    this.#timer ??= setTimeout(this.#look, LONGEST_MS);
  }

  /** The list is moved under it, or runs on. */
  stir(): void {
    if (this.held) this.#until = performance.now() + this.#grace;
  }

  /** The last finger, the pen or the button is lifted. */
  up(): void {
    this.#grace = AFTER_MS;
    this.stir();
    clearTimeout(this.#timer);
    this.#timer = this.held ? setTimeout(this.#look, AFTER_MS) : undefined;
  }

  /** One timer for as long as it lasts: a pan stirs a hundred times a second. */
  readonly #look = (): void => {
    const left = this.#until - performance.now();
    this.held = left > 0;
    this.#timer = this.held ? setTimeout(this.#look, left) : undefined;
  };
}
