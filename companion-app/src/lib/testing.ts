// Boards, notes, presses and log lines for tests. By default, a board needs no arbiter, so that a test states only its own case.

import type { BoardState, Note, Press, SideState } from "$lib/hall/board.js";
import type { Line } from "$lib/log/lines.js";

export function side(changes: Partial<SideState> = {}): SideState {
  return { name: "", us: 300e6, allotment: "main", moves: 0, period: 0, flag: "none", ...changes };
}

export function board(changes: Partial<BoardState> = {}): BoardState {
  return {
    board: "1",
    seq: 1n,
    hubUs: 0,
    white: side(),
    black: side(),
    running: "white",
    next: null,
    phase: "running",
    online: true,
    firstFlag: null,
    control: "5m",
    whiteButton: "left",
    plan: [],
    waiting: [],
    agent: "aa",
    round: 0,
    presses: [],
    penalty: { us: 60e6, timeArticle: "FIDE B.2", losesAt: 2, article: "FIDE 7.5.5" },
    illegalMoves: { white: 0, black: 0 },
    wordAloneUs: { white: 0, black: 0 },
    drawOdds: null,
    notes: [],
    answered: [],
    ...changes,
  };
}

export function note(kind: string, changes: Partial<Note> = {}): Note {
  return { kind, text: "", count: 0, agent: "", ...changes };
}

export function press(eventSeq: number, changes: Partial<Press> = {}): Press {
  const white = eventSeq % 2 === 1;
  return {
    eventSeq: BigInt(eventSeq),
    side: white ? "white" : "black",
    move: Math.ceil(eventSeq / 2),
    usedUs: 1e6,
    leftUs: 100e6,
    atUs: eventSeq * 1e6,
    ...changes,
  };
}

export function line(index: number, changes: Partial<Line> = {}): Line {
  return {
    index: BigInt(index),
    atUs: index * 1e6,
    part: 0,
    kind: "hub",
    game: 1,
    round: 0,
    actor: "",
    text: "",
    input: { case: undefined },
    reason: "",
    refused: false,
    answers: [],
    ...changes,
  };
}
