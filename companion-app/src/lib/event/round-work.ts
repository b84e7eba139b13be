// The hub's report on a round's clocks, board by board, for example set, started or without a signal. Only this module converts the report from
// the wire.
//
// Pure. The hub alone decides a board's state.

import type { BoardReason } from "$gen/api/board_reason_pb.js";
import { BoardWork, type RoundReply, type RoundScope } from "$gen/api/tournament_pb.js";

export type WorkState = "open" | "set" | "started" | "on_its_way" | "silent" | "refused" | "differs" | "missing" | "no_game";

export interface BoardReport {
  board: string;
  state: WorkState;
  reason?: BoardReason | undefined;
  /** The reason in the hub's own English, for kinds that only a newer hub knows; may be empty. */
  words: string;
  /** The time control that the board's clock needs, in notation; empty in a report about a start. */
  control: string;
}

export interface RoundReport {
  /** The time control that all clocks need; empty if they need different ones, and in a report about a start. */
  control: string;
  boards: BoardReport[];
}

export interface Scope {
  round: number;
  only: { sector: string } | { board: number } | null;
}

export function reportFrom(reply: RoundReply): RoundReport {
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

/** Returns the different time controls that the round's clocks need, in board order. */
export function controlsOf(report: RoundReport | null): string[] {
  if (!report) return [];
  const each = report.boards.map((one) => one.control).filter((control) => control !== "");
  return each.length > 0 ? [...new Set(each)] : report.control ? [report.control] : [];
}

export function inState(report: RoundReport | null, ...states: WorkState[]): BoardReport[] {
  return report?.boards.filter((one) => states.includes(one.state)) ?? [];
}

/** The states that require an arbiter to go to the board. */
export const STUCK: readonly WorkState[] = ["silent", "refused", "differs", "missing"];
