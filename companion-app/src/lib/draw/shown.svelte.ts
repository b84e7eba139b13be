// Both halves of a board in a component: its elements get the texts that the painter writes, for as long as they are on the screen.
//
// Owns the link between a component's life and the painter's. Must be called while the component is made.

import { onMount, untrack } from "svelte";
import type { SideName } from "$lib/hall/board.js";
import type { Cell } from "$lib/hall/hall.svelte.js";
import { Face, type Half } from "./face.js";
import type { Painter } from "./painter.js";
import type { Drawing } from "./plan.js";
import type { Short } from "./time-left.js";

export interface Shown {
  /** How short the running side's time is. */
  readonly short: Short;
  /** Attaches one half: an element with a `.clk` that has a `small` in it, both empty. Nobody but the painter writes there. */
  half(side: SideName): (element: HTMLElement) => void;
}

/** @param drawn told of each drawing */
export function shown(painter: Painter, cell: () => Cell, drawn: (drawing: Drawing) => void = () => undefined): Shown {
  const halves: Partial<Record<SideName, Half>> = {};
  let short: Short = $state(0);
  let face: Face | undefined;

  onMount(() => {
    const { white, black } = halves;
    if (!white || !black) return;
    const mine = (face = new Face(
      () => untrack(() => cell().state),
      { white, black },
      (drawing, now) => {
        if (now !== short) short = now;
        drawn(drawing);
      },
    ));
    painter.show(mine);
    return () => painter.hide(mine);
  });
  $effect(() => {
    void cell().state;
    if (face) untrack(() => face && painter.show(face));
  });

  return {
    get short() {
      return short;
    },
    half: (side) => (element) => {
      const digits = document.createTextNode("");
      const tenths = document.createTextNode("");
      element.querySelector(".clk")?.prepend(digits);
      element.querySelector(".clk small")?.append(tenths);
      halves[side] = { half: element, digits, tenths };
    },
  };
}
