// The geometry of the chart of times used: White's bars up, Black's down, moves from left to right. Pure.

import type { Press } from "$lib/hall/board.js";

/** A completed move. */
export type Think = Pick<Press, "side" | "move" | "usedUs">;

export interface Bar<P extends Think> {
  x: number;
  y: number;
  width: number;
  height: number;
  press: P;
}

/** The area of the bars. */
export interface Area {
  width: number;
  /** The height of the longest bar. */
  half: number;
  middle: number;
  left?: number;
  gap?: number;
}

/** The chart is never narrower than this many moves, so that bars stay slim early in a game. */
export const MIN_MOVES = 24;
/** Distances between grid lines, in seconds. */
const STEPS_S = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600];

export function longest<P extends Think>(presses: readonly P[]): P | null {
  return presses.reduce<P | null>((most, press) => (most && most.usedUs >= press.usedUs ? most : press), null);
}

/** Returns the number of moves that fit into the chart. */
export function room(presses: readonly Think[]): number {
  return presses.reduce((most, press) => Math.max(most, press.move), MIN_MOVES);
}

/** @param longestUs the time used that fills half the height */
export function bars<P extends Think>(presses: readonly P[], { width, half, middle, left = 0, gap = 1 }: Area, longestUs: number): Bar<P>[] {
  const slot = width / room(presses);
  return presses.map((press) => {
    const height = Math.max(0.6, (half * Math.min(press.usedUs, longestUs)) / longestUs);
    return {
      x: left + slot * (press.move - 1) + slot * 0.16,
      y: press.side === "white" ? middle - gap - height : middle + gap,
      width: slot * 0.68,
      height,
      press,
    };
  });
}

/** Returns the distance between grid lines in microseconds: at most four lines on each side. */
export function lineStep(longestUs: number): number {
  return 1e6 * (STEPS_S.find((step) => longestUs / 1e6 / step <= 4) ?? 7200);
}
