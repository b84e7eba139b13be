// The results of an event's boards, in the form that the event's schema uses. Pure; the ledger sends them.

import { create } from "@bufbuild/protobuf";
import { ChangeSchema, Outcome, type BoardState, type Result, type RoundState } from "$gen/frames/event_pb.js";
import { Side } from "$gen/frames/side_pb.js";
import type { ResultCode } from "../../views/board/result.js";
import type { Ask } from "$lib/commands/ledger.svelte.js";
import type { EventStore } from "./event.svelte.js";

export interface Seat {
  round: number;
  board: number;
  state: BoardState;
}

export function roundBoard(round: RoundState | null, board: string): Seat | null {
  const state = round?.boards.find((one) => String(one.pairing?.board) === board);
  return round && state ? { round: round.round, board: Number(board), state } : null;
}

/** Returns the event's game on a board. `round` is the round for which the clock is set; 0 stands for the round being played. */
export function seatOf(event: EventStore, { board, round }: { board: string; round: number }): Seat | null {
  return roundBoard(round === 0 ? event.round : event.roundNo(round), board);
}

export type SentResult = {
  kind:
    | { case: "played"; value: { white: Outcome; black: Outcome; unrated?: boolean; tally?: { white: number; black: number } } }
    | { case: "forfeit"; value: { winner: Side } }
    | { case: "adjourned"; value: Record<string, never> };
};

export function enterResult(event: EventStore, seat: Seat, result: SentResult, reason: string): Ask {
  const value = { round: seat.round, board: seat.board, result, reason };
  return event.asks(reason, [create(ChangeSchema, { what: { case: "enter", value } })]);
}

export function takeBackResult(event: EventStore, seat: Seat, reason: string): Ask {
  const value = { round: seat.round, board: seat.board, reason };
  return event.asks(reason, [create(ChangeSchema, { what: { case: "takeBack", value } })]);
}

/** Returns a function that creates the request to restore the current result, or the absence of a result. */
export function asBefore(event: EventStore, seat: Seat, reason: string): () => Ask {
  const stood = seat.state.result;
  return () => (stood ? enterResult(event, seat, sentAgain(stood), reason) : takeBackResult(event, seat, reason));
}

function sentAgain({ kind }: Result): SentResult {
  switch (kind.case) {
    case "played": {
      const { white, black, unrated, tally } = kind.value;
      return { kind: { case: "played", value: { white, black, unrated, ...(tally ? { tally: { white: tally.white, black: tally.black } } : {}) } } };
    }
    case "forfeit":
      return { kind: { case: "forfeit", value: { winner: kind.value.winner } } };
    case "adjourned":
    case undefined:
      return ADJOURNED;
  }
}

const played = (white: Outcome, black: Outcome): SentResult => ({ kind: { case: "played", value: { white, black } } });
const forfeit = (winner: Side): SentResult => ({ kind: { case: "forfeit", value: { winner } } });

export function resultOf(code: ResultCode): SentResult {
  switch (code) {
    case "1-0":
      return played(Outcome.WIN, Outcome.LOSS);
    case "1/2-1/2":
      return played(Outcome.DRAW, Outcome.DRAW);
    case "0-1":
      return played(Outcome.LOSS, Outcome.WIN);
    case "1/2-0":
      return played(Outcome.DRAW, Outcome.LOSS);
    case "0-1/2":
      return played(Outcome.LOSS, Outcome.DRAW);
    case "0-0":
      return played(Outcome.LOSS, Outcome.LOSS);
    case "1-0f":
      return forfeit(Side.WHITE);
    case "0-1f":
      return forfeit(Side.BLACK);
    case "0-0f":
      return forfeit(Side.UNSPECIFIED);
  }
}

export const ADJOURNED: SentResult = { kind: { case: "adjourned", value: {} } };

/** Returns the result of a count (Scrabble points, Othello discs): the larger count wins, and equal counts are a draw. */
export function counted(white: number, black: number): SentResult {
  const outcome = (own: number, others: number): Outcome => (own > others ? Outcome.WIN : own < others ? Outcome.LOSS : Outcome.DRAW);
  return { kind: { case: "played", value: { white: outcome(white, black), black: outcome(black, white), tally: { white, black } } } };
}

/** Returns the code of a result, such as `1/2-1/2`, `0-1f` or `412:388`; null if there is none yet. */
export function codeOf(result: Result | undefined): string | null {
  const kind = result?.kind;
  switch (kind?.case) {
    case "played":
      return kind.value.tally ? `${kind.value.tally.white}:${kind.value.tally.black}` : `${score(kind.value.white)}-${score(kind.value.black)}`;
    case "forfeit":
      return kind.value.winner === Side.WHITE ? "1-0f" : kind.value.winner === Side.BLACK ? "0-1f" : "0-0f";
    case "adjourned":
      return "*";
    case undefined:
      return null;
  }
}

function score(outcome: Outcome): string {
  return outcome === Outcome.WIN ? "1" : outcome === Outcome.DRAW ? "1/2" : "0";
}
