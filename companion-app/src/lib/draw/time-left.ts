// Time trouble in three steps. Depends only on the time left, not on the time control.

import type { BoardState } from "$lib/hall/board.js";
import { drawAt } from "./plan.js";

/** The step: 0 above one minute; 1, 2 and 3 from 1:00, 0:20 and 0:10 downwards. */
export type Short = 0 | 1 | 2 | 3;

export function shortness(us: number): Short {
  if (us > 60e6) return 0;
  if (us > 20e6) return 1;
  return us > 10e6 ? 2 : 3;
}

export function shortNow(board: BoardState, nowUs: number): Short {
  if (!board.running) return 0;
  const side = drawAt(board, nowUs)[board.running];
  return side.allotment === "overtime" ? 0 : shortness(side.us);
}

/** Returns the time of the running clock, or the smaller time if no clock runs. Used to sort lists by time. */
export function timeLeft(board: BoardState, nowUs: number): number {
  const drawing = drawAt(board, nowUs);
  return board.running ? drawing[board.running].us : Math.min(drawing.white.us, drawing.black.us);
}
