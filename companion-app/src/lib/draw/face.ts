// The two halves of a board on the screen. Writes digits into existing elements, and only digits that changed.
//
// A face is a drawable of the painter. The code that creates the elements also registers and unregisters the face.

import type { BoardState, SideName } from "$lib/hall/board.js";
import { SIDES } from "$lib/hall/board.js";
import { sideText, untilNextDigit, widthOf, type Width } from "./clock-text.js";
import type { Drawable } from "./painter.js";
import { drawAt, type Drawn, type Drawing } from "./plan.js";
import { shortness, type Short } from "./time-left.js";

/** One side's element. `Face` sets its `data-short`, `data-long` and `--left`. The digits go into its `.clk` descendant or, without one, into it. */
export type Half = HTMLElement;

interface Written {
  clk: HTMLElement;
  digits: Text;
  big: string;
  /** The text node of the tenths; null until tenths are first shown. */
  tenths: Text | null;
  small: string;
  short: Short;
  long: Width;
  left: number;
}

export class Face implements Drawable {
  readonly #board: () => BoardState;
  readonly #halves: Record<SideName, Half>;
  readonly #drawn: (drawing: Drawing, short: Short) => void;
  readonly #written: Record<SideName, Written>;

  /** @param drawn called after each drawing, with the running side's step of time trouble */
  constructor(board: () => BoardState, halves: Record<SideName, Half>, drawn: (drawing: Drawing, short: Short) => void = () => undefined) {
    this.#board = board;
    this.#halves = halves;
    this.#written = { white: begun(halves.white), black: begun(halves.black) };
    this.#drawn = drawn;
  }

  draw(hubUs: number): number {
    const board = this.#board();
    const drawing = drawAt(board, hubUs);
    let due = drawing.untilUs;
    let short: Short = 0;
    for (const side of SIDES) {
      const time = drawing[side];
      const running = board.running === side;
      const now: Short = running && time.allotment !== "overtime" ? shortness(time.us) : 0;
      if (running) short = now;
      this.#write(side, time, now);
      due = Math.min(due, hubUs + untilNextDigit(time.us, time.rate, time.allotment));
    }
    // While a delay runs, its remaining whole seconds are shown beside the time, so draw again when they change.
    if (drawing.waitUs > 0) due = Math.min(due, hubUs + (drawing.waitUs % 1e6 || 1e6));
    this.#drawn(drawing, short);
    return due;
  }

  #write(side: SideName, time: Drawn, short: Short): void {
    const half = this.#halves[side];
    const shown = this.#written[side];
    const [big, small] = sideText(time.us, time.allotment);
    if (big !== shown.big) shown.digits.data = shown.big = big;
    if (small !== shown.small) (shown.tenths ??= tenthsIn(shown.clk)).data = shown.small = small;
    const long = widthOf(time.us, time.allotment);
    // Sets attributes rather than classes, because the classes belong to the element's owner.
    if (long !== shown.long) {
      shown.long = long;
      if (long) half.dataset["long"] = long;
      else delete half.dataset["long"];
    }
    if (short !== shown.short) {
      shown.short = short;
      half.dataset["short"] = String(short);
    }
    // The bar moves in steps of one per cent, to avoid a style change at every drawing.
    const left = short > 0 ? Math.round(Math.min(1, time.us / 60e6) * 100) : -1;
    if (left !== shown.left) {
      shown.left = left;
      half.style.setProperty("--left", String(left / 100));
    }
  }
}

function begun(half: Half): Written {
  const clk = half.querySelector<HTMLElement>(".clk") ?? half;
  return { clk, digits: clk.appendChild(new Text()), big: "", tenths: null, small: "", short: 0, long: "", left: -1 };
}

function tenthsIn(clk: HTMLElement): Text {
  return clk.appendChild(document.createElement("small")).appendChild(new Text());
}
