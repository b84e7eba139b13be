// The geometry of the chart of times used: White's bars point up, Black's point down, moves run from left to right. Pure.

import type { Press } from "$lib/hall/board.js";

export type TimeUsed = Pick<Press, "side" | "move" | "usedUs">;

export interface Bar<P extends TimeUsed> {
  x: number;
  y: number;
  width: number;
  height: number;
  press: P;
}

export interface Area {
  width: number;
  /** Maximum height of a bar. */
  half: number;
  middle: number;
  left?: number;
  gap?: number;
}

/** Minimum number of moves across the chart's width, so that bars stay slim early in a game. */
export const MIN_MOVES = 24;
/** The distances between grid lines that `lineStep` tries, in seconds. */
const STEPS_S = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600];

export function longest<P extends TimeUsed>(presses: readonly P[]): P | null {
  return presses.reduce<P | null>((most, press) => (most && most.usedUs >= press.usedUs ? most : press), null);
}

export function room(presses: readonly TimeUsed[]): number {
  return presses.reduce((most, press) => Math.max(most, press.move), MIN_MOVES);
}

/** @param longestUs the time used that gives a bar its full height */
export function bars<P extends TimeUsed>(presses: readonly P[], { width, half, middle, left = 0, gap = 1 }: Area, longestUs: number): Bar<P>[] {
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

/** Returns the distance between grid lines in microseconds. Each side has at most four lines for times up to eight hours. */
export function lineStep(longestUs: number): number {
  return 1e6 * (STEPS_S.find((step) => longestUs / 1e6 / step <= 4) ?? 7200);
}
