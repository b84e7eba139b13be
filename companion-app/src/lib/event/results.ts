// Results of an event's boards, in the words of the event's schema. Pure but for the one call that enters one.

import { create } from "@bufbuild/protobuf";
import { ChangeSchema, Outcome, Side, type BoardState, type Result, type RoundState } from "$gen/frames/event_pb.js";
import type { ResultCode } from "../../views/board/result.js";
import type { EventStore } from "./event.svelte.js";

export interface Seat {
  round: number;
  board: number;
  state: BoardState;
}

/** The place of a board in a round; null if the round has none of that number. */
export function roundBoard(round: RoundState | null, board: string): Seat | null {
  const state = round?.boards.find((one) => String(one.pairing?.board) === board);
  return round && state ? { round: round.round, board: Number(board), state } : null;
}

/** A result as it is told to the hub. */
export type Told = {
  kind:
    | { case: "played"; value: { white: Outcome; black: Outcome; tally?: { white: number; black: number } } }
    | { case: "forfeit"; value: { winner: Side } }
    | { case: "adjourned"; value: Record<string, never> };
};

export async function enterResult(event: EventStore, seat: Seat, result: Told, reason: string): Promise<void> {
  const value = { round: seat.round, board: seat.board, result, reason };
  await event.apply(reason, [create(ChangeSchema, { what: { case: "enter", value } })]);
}

/** Lifts the result that stands: the game has none again. */
export async function takeBackResult(event: EventStore, seat: Seat, reason: string): Promise<void> {
  const value = { round: seat.round, board: seat.board, reason };
  await event.apply(reason, [create(ChangeSchema, { what: { case: "takeBack", value } })]);
}

const played = (white: Outcome, black: Outcome): Told => ({ kind: { case: "played", value: { white, black } } });
const forfeit = (winner: Side): Told => ({ kind: { case: "forfeit", value: { winner } } });

export function resultOf(code: ResultCode): Told {
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

/** The game is interrupted, to be finished later: its clocks stand, its board stays its own. */
export const ADJOURNED: Told = { kind: { case: "adjourned", value: {} } };

/** Points at Scrabble, discs at Othello: the larger count wins. */
export function counted(white: number, black: number): Told {
  const outcome = (own: number, others: number): Outcome => (own > others ? Outcome.WIN : own < others ? Outcome.LOSS : Outcome.DRAW);
  return { kind: { case: "played", value: { white: outcome(white, black), black: outcome(black, white), tally: { white, black } } } };
}

/** A result of the event as score sheets have it; null where there is none yet. */
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
