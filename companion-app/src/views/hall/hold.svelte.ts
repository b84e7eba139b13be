// The hold on a list while a finger, pen or mouse touches it, and shortly after, so that the list does not move.

/** A tap arrives after the finger has left the screen, and a flick runs on: the list keeps still until both are over. */
export const AFTER_MS = 400;
/** The end of a touch may get lost with the tile that was touched, so without input the hold ends after this. */
export const LONGEST_MS = 3000;

export class Hold {
  held = $state(false);
  #grace = LONGEST_MS;
  #until = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Begins a touch. */
  down(): void {
    this.#grace = LONGEST_MS;
    this.held = true;
    this.stir();
    this.#timer ??= setTimeout(this.#look, LONGEST_MS);
  }

  /** Prolongs the hold: the list scrolls. */
  stir(): void {
    if (this.held) this.#until = performance.now() + this.#grace;
  }

  /** Ends a touch. */
  up(): void {
    this.#grace = AFTER_MS;
    this.stir();
    clearTimeout(this.#timer);
    this.#timer = this.held ? setTimeout(this.#look, AFTER_MS) : undefined;
  }

  /** One timer for the whole hold: a pan moves a hundred times a second. */
  readonly #look = (): void => {
    const left = this.#until - performance.now();
    this.held = left > 0;
    this.#timer = this.held ? setTimeout(this.#look, left) : undefined;
  };
}
