// The hub's report on the clocks of a round, board by board: set, started, silent, differing. Converted from the wire here only.
//
// Pure. The hub alone decides the state of a board.

import type { BoardReason } from "$gen/api/board_reason_pb.js";
import { BoardWork, type RoundReply, type RoundScope } from "$gen/api/tournament_pb.js";

export type WorkState = "open" | "set" | "started" | "on_its_way" | "silent" | "refused" | "differs" | "missing" | "no_game";

/** One board of a round. */
export interface Work {
  board: string;
  state: WorkState;
  /** The reason for the state, if there is one. */
  reason?: BoardReason | undefined;
  /** The reason in the hub's English, for a kind that only a newer hub knows; may be empty. */
  words: string;
  /** The control that its clock needs, in notation; empty for a start. */
  control: string;
}

/** The state of the boards of a round. */
export interface Stand {
  /** The control that all their clocks need; empty if they differ, and for a start. */
  control: string;
  boards: Work[];
}

/** A whole round, one of its sectors, or one of its boards. */
export interface Scope {
  round: number;
  only: { sector: string } | { board: number } | null;
}

export function standFrom(reply: RoundReply): Stand {
  return {
    control: reply.control,
    boards: reply.boards.map(({ board, state, reason, words, control }) => ({ board: String(board), state: stateOf(state), reason, words, control })),
  };
}

export function wireScope({ round, only }: Scope): { round: number; which: RoundScope["which"] } {
  if (only === null) return { round, which: { case: undefined } };
  return { round, which: "sector" in only ? { case: "sector", value: only.sector } : { case: "board", value: only.board } };
}

function stateOf(state: BoardWork): WorkState {
  switch (state) {
    case BoardWork.SET:
      return "set";
    case BoardWork.STARTED:
      return "started";
    case BoardWork.ON_ITS_WAY:
      return "on_its_way";
    case BoardWork.SILENT:
      return "silent";
    case BoardWork.REFUSED:
      return "refused";
    case BoardWork.DIFFERS:
      return "differs";
    case BoardWork.MISSING:
      return "missing";
    case BoardWork.NO_GAME:
      return "no_game";
    case BoardWork.OPEN:
    case BoardWork.UNSPECIFIED:
      return "open";
  }
}

/** Returns the controls that clocks of the round need, in board order. */
export function controlsOf(stand: Stand | null): string[] {
  if (!stand) return [];
  const each = stand.boards.map((one) => one.control).filter((control) => control !== "");
  return each.length > 0 ? [...new Set(each)] : stand.control ? [stand.control] : [];
}

/** Returns the boards in any of these states. */
export function inState(stand: Stand | null, ...states: WorkState[]): Work[] {
  return stand?.boards.filter((one) => states.includes(one.state)) ?? [];
}

/** The states that need an arbiter at the board. */
export const STUCK: readonly WorkState[] = ["silent", "refused", "differs", "missing"];
