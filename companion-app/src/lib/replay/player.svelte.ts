// The position in a replayed game: a step of the list, or an instant between steps. During playback the instant advances.

import { momentOf, nextStep, stepAt, type Step } from "./rows.js";
import { spanOf, standingAt, standingOf, type Kind, type Replay, type Standing, type Timeline } from "./timeline.js";

/** The playback speeds, as multiples of real time. */
export const SPEEDS = [1, 5, 20, 100] as const;

export class Player {
  /** The instant that is shown, in microseconds of hub time. */
  atUs = $state(0);
  /** The id of the step that is shown; empty between steps. */
  #id = $state("");
  playing = $state(false);
  speed: number = $state(1);
  readonly #replay: () => Replay;
  readonly #steps: () => readonly Step[];
  readonly #frame: (draw: (ms: number) => void) => void;

  /** @param frame calls back at the next frame of the screen */
  constructor(replay: () => Replay, steps: () => readonly Step[], frame: (draw: (ms: number) => void) => void) {
    [this.#replay, this.#steps, this.#frame] = [replay, steps, frame];
  }

  get step(): Step | null {
    return this.#steps().find(({ id }) => id === this.#id) ?? null;
  }

  get span(): [number, number] {
    const { was, would } = this.#replay();
    const [from, to] = spanOf(was);
    return [from, Math.max(to, would ? spanOf(would)[1] : to)];
  }

  /** The step that is shown; between steps, the last step at or before the instant, or else the first step. */
  get current(): Step | undefined {
    return this.step ?? stepAt(this.#steps(), this.atUs);
  }

  at(step: Step): void {
    this.playing = false;
    this.#stand(step);
  }
  #stand(step: Step): void {
    this.#id = step.id;
    this.atUs = momentOf(step).atUs;
  }

  seek(us: number): void {
    const [from, to] = this.span;
    this.#id = "";
    this.atUs = Math.min(to, Math.max(from, us));
  }

  /** Goes to the next step of these kinds, forwards or backwards. Returns false if the list has no further step of these kinds. */
  move(by: 1 | -1, kinds?: readonly Kind[]): boolean {
    const steps = this.#steps();
    // Between steps, going back leads to the last step at or before the instant.
    const behind = !this.step && by < 0 && !kinds;
    const next = behind ? this.current : nextStep(steps, this.current, by, kinds);
    if (!next) return false;
    this.at(next);
    return true;
  }

  end(which: 1 | -1): void {
    const step = which < 0 ? this.#steps()[0] : this.#steps().at(-1);
    if (step) this.at(step);
  }

  toggle(): void {
    if (this.playing) {
      this.playing = false;
      return;
    }
    const [from, to] = this.span;
    if (this.atUs >= to) this.atUs = from;
    this.#id = "";
    this.playing = true;
    let last: number | null = null;
    const draw = (ms: number): void => {
      if (!this.playing) return;
      const passedUs = last === null ? 0 : (ms - last) * 1000 * this.speed;
      last = ms;
      this.atUs = Math.min(to, this.atUs + passedUs);
      if (this.atUs >= to) this.playing = false;
      else this.#frame(draw);
    };
    this.#frame(draw);
  }

  /** Returns the clocks of the actual or the hypothetical game at the current position; null if there is no hypothetical game. */
  standing(of: "was" | "would"): Standing | null {
    const timeline: Timeline | null = this.#replay()[of];
    if (!timeline) return null;
    const moment = this.step?.[of];
    return moment ? standingOf(moment) : standingAt(timeline, this.atUs);
  }
}
