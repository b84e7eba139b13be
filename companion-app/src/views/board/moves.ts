// The presses of a game as the lines of a score sheet. Pure; knows times, no moves.

import type { Press } from "$lib/hall/board.js";

/** One move number, with what each side used for it and had after it. */
export interface MoveLine {
  move: number;
  white?: Press;
  black?: Press;
}

/** `31.` and `31…`, as score sheets name a move of either side. */
export function pressText({ move, side }: Press): string {
  return `${move}${side === "white" ? "." : "…"}`;
}

/**
 * Oldest first. A move that was made again after the board was put back has a line of its own: both were played, and the later one
 * stands below.
 */
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
