// Clock values from the hub's plan. Knows no time control: delay, byo-yomi and the like are all in the segments.

import type { Segment, SideName } from "$lib/hall/board.js";

/** One side's clock at an instant. */
export interface Drawn {
  us: number;
  rate: number;
  allotment: string;
}

export interface Drawing {
  white: Drawn;
  black: Drawn;
  /** The hub time until which the rates hold. */
  untilUs: number;
  /** The rest of a delay before the running clock moves, else 0. */
  waitUs: number;
}

/** The part of a board that a plan needs. */
export interface Planned {
  plan: Segment[];
  running: SideName | null;
  white: { us: number; allotment: string };
  black: { us: number; allotment: string };
}

export function drawAt(board: Planned, nowUs: number): Drawing {
  const { plan, running } = board;
  let at = plan.length - 1;
  while (at > 0 && (plan[at]?.fromUs ?? 0) > nowUs) at -= 1;
  const segment = plan[at];
  if (!segment) {
    return { white: still(board.white), black: still(board.black), untilUs: Infinity, waitUs: 0 };
  }
  const next = plan[at + 1];
  // A plan that begins in the future shows its first values.
  const elapsed = Math.max(0, nowUs - segment.fromUs);
  const waits = running !== null && next !== undefined && rateOf(segment, running) === 0 && rateOf(next, running) < 0;
  return {
    white: moved(segment.whiteUs, segment.whiteRate, segment.whiteAllotment, elapsed),
    black: moved(segment.blackUs, segment.blackRate, segment.blackAllotment, elapsed),
    untilUs: next ? next.fromUs : Infinity,
    waitUs: waits ? Math.max(0, next.fromUs - nowUs) : 0,
  };
}

function still(side: { us: number; allotment: string }): Drawn {
  return { us: side.us, rate: 0, allotment: side.allotment };
}

function moved(fromUs: number, rate: number, allotment: string, elapsed: number): Drawn {
  const us = fromUs + rate * elapsed;
  return { us: allotment === "overtime" ? us : Math.max(0, us), rate, allotment };
}

function rateOf(segment: Segment, side: SideName): number {
  return side === "white" ? segment.whiteRate : segment.blackRate;
}
