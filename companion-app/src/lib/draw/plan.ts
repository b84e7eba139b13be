// Calculates clock values from the hub's plan. Knows nothing about time controls: delay, byo-yomi and so on are already in the segments.

import type { Segment, SideName } from "$lib/hall/board.js";

export interface Drawn {
  us: number;
  rate: number;
  allotment: string;
}

export interface Drawing {
  white: Drawn;
  black: Drawn;
  /** The hub time until which these rates are valid. */
  untilUs: number;
  /** The remaining delay before the running clock starts to count down; 0 without a delay. */
  waitUs: number;
}

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
  // Before its first instant, a plan shows its first values.
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
