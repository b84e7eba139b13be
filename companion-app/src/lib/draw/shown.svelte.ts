// Both halves of a board in a component: the painter writes its digits into them for as long as they are on the screen.
//
// Owns the link between an element's life and the painter's. Must be called while the component is made.

import { untrack } from "svelte";
import type { Attachment } from "svelte/attachments";
import type { Cell } from "$lib/hall/hall.svelte.js";
import { Face } from "./face.js";
import type { Painter } from "./painter.js";
import type { Drawing } from "./plan.js";
import type { Short } from "./time-left.js";

export interface Shown {
  /** How short the running side's time is. */
  readonly short: Short;
  /** For the element that has both halves in it. */
  halves: Attachment<HTMLElement>;
}

/**
 * @param half selects White's half and, after it, Black's; digits are written into its `.clk`, else into itself, which must be empty
 * @param drawn told of each drawing
 */
export function shown(painter: Painter, cell: () => Cell, half: string, drawn: (drawing: Drawing) => void = () => undefined): Shown {
  let short: Short = $state(0);
  return {
    get short() {
      return short;
    },
    halves: (element) => {
      const [white, black] = element.querySelectorAll<HTMLElement>(half);
      if (!white || !black) return;
      const face = new Face(
        () => untrack(() => cell().state),
        { white, black },
        (drawing, now) => {
          if (now !== short) short = now;
          drawn(drawing);
        },
      );
      $effect(() => {
        void cell().state;
        untrack(() => painter.show(face));
      });
      return () => painter.hide(face);
    },
  };
}
