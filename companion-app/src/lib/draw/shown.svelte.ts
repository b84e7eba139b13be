// Registers both halves of a board with the painter for as long as the component shows them.

import { untrack } from "svelte";
import type { Attachment } from "svelte/attachments";
import type { Cell } from "$lib/hall/hall.svelte.js";
import { Face } from "./face.js";
import type { Painter } from "./painter.js";
import type { Drawing } from "./plan.js";
import type { Short } from "./time-left.js";

export interface Shown {
  readonly short: Short;
  /** The attachment for the element that contains both halves. */
  halves: Attachment<HTMLElement>;
}

/**
 * @param half a selector that matches White's half, then Black's; digits go into a half's `.clk` descendant, or else into the empty half
 * @param drawn called after each drawing
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
