// The data for a game's charts: the time used for each move, and the time left after each press. Pure.

import { room } from "$lib/draw/time-used.js";
import type { Press, SideName } from "$lib/hall/board.js";
import type { Line } from "$lib/log/lines.js";

/** The columns that the plotting library expects: x, White, Black; null for a gap. */
export type Columns = [number[], (number | null)[], (number | null)[]];

/** Returns the minutes used for each move. White's values are positive, Black's negative. */
export function minutesUsed(presses: Press[]): Columns {
  const last = room(presses);
  const moves = Array.from({ length: last }, (_, at) => at + 1);
  const of = (side: SideName): Map<number, number> => new Map(presses.filter((press) => press.side === side).map((press) => [press.move, press.usedUs / 60e6]));
  const [white, black] = [of("white"), of("black")];
  return [moves, moves.map((move) => white.get(move) ?? null), moves.map((move) => (black.has(move) ? -(black.get(move) ?? 0) : null))];
}

/** Returns each side's minutes left, by minutes since the first of the lines that has times. The log's values include corrections. */
export function left(lines: Line[]): Columns {
  const first = lines.find((line) => line.after);
  const columns: Columns = [[], [], []];
  if (!first) return columns;
  for (const line of lines) {
    if (!line.after || line.kind === "quiet") continue;
    // A press is logged when the hub receives it, which may be after a later event.
    const at = Math.max(columns[0].at(-1) ?? 0, (line.atUs - first.atUs) / 60e6);
    // Of two records for the same instant, the later one counts.
    if (columns[0].at(-1) === at) for (const column of columns) column.pop();
    columns[0].push(at);
    columns[1].push(line.after.white / 60e6);
    columns[2].push(line.after.black / 60e6);
  }
  return columns;
}

/** Returns the positions on the x axis at which arbiters acted, for dotted lines. */
export function acts(lines: Line[]): number[] {
  let presses = 0;
  const at = new Set<number>();
  for (const line of lines) {
    if (line.press || line.made) presses += 1;
    else if (line.kind === "arbiter" && !line.refused && presses > 0 && line.command !== undefined) at.add(Math.ceil(presses / 2) + 0.5);
  }
  return [...at];
}

/** Formats minutes for the axis: `0.25` as `15 s`. */
export function minutes(value: number): string {
  const s = Math.round(Math.abs(value) * 60);
  return s < 60 && s > 0 ? `${s} s` : String(Math.round((s / 60) * 10) / 10);
}
