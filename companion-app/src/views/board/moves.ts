// Arranges the presses of a game as lines of a score sheet. Pure.

import type { Press } from "$lib/hall/board.js";

export interface MoveLine {
  move: number;
  white?: Press;
  black?: Press;
}

export function pressText({ move, side }: Press): string {
  return `${move}${side === "white" ? "." : "…"}`;
}

/** Returns the lines, oldest first. A move that is played again after a restore gets a new line below the first. */
export function moveLines(presses: readonly Press[]): MoveLine[] {
  const lines: MoveLine[] = [];
  for (const press of presses) {
    const last = lines.at(-1);
    if (last && last.move === press.move && !last[press.side] && !(press.side === "white" && last.black)) {
      last[press.side] = press;
      continue;
    }
    const line: MoveLine = { move: press.move };
    line[press.side] = press;
    lines.push(line);
  }
  return lines;
}
