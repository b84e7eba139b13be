// The tasks of an event's round, list by list. They are derived from the hub's report on each clock, the hall's boards and the round's
// results. Pure functions.

import type { BoardState as AtBoard, RoundState } from "$gen/frames/event_pb.js";
import { codeOf, type Seat } from "$lib/event/results.js";
import type { BoardReport, RoundReport } from "$lib/event/round-work.js";
import type { BoardState } from "$lib/hall/board.js";
import { hasClock } from "$lib/state/states.js";
import { noteWords } from "$lib/words/notes.js";
import { proposalWords, workWords } from "$lib/words/round-work.js";

export interface Row {
  board: string;
  /** The board in the hall; absent if the hall has no such board or, in lists of games, if the board plays a different round. */
  hall?: BoardState;
  seat?: Seat;
  words: string;
  /** The time control that the clock needs, if the hub reports one. */
  control?: string;
  /** The later round for which the clock is already set. */
  playsNow?: number;
}
type Game = Row & { seat: Seat };

export interface Todos {
  differing: Row[];
  missing: Row[];
  silent: Row[];
  refused: Row[];
  results: Row[];
  adjourned: Row[];
  late: Row[];
}

/** Returns true if a board has its game of this round. A board that is set for no round counts for the round being played. */
export function plays(board: BoardState, round: number, currentRound: number): boolean {
  return board.round === round || (board.round === 0 && round === currentRound);
}

/** Returns the lists of tasks. `currentRound` is the round being played. */
export function todos(round: RoundState, report: RoundReport | null, boards: readonly BoardState[], currentRound: number): Todos {
  const halls = new Map(boards.map((board) => [board.board, board]));
  const seats = new Map(round.boards.map((game) => [String(game.pairing?.board), seatOf(round, game)]));
  const row = (board: string, words: string): Row => {
    const [hall, seat] = [halls.get(board), seats.get(board)];
    return { board, words, ...(hall ? { hall } : {}), ...(seat ? { seat } : {}) };
  };
  const said = (state: BoardReport["state"]): Row[] =>
    (report?.boards ?? []).filter((one) => one.state === state).map((one) => ({ ...row(one.board, workWords(one)), control: one.control }));
  // A clock reports on its current game, which may belong to a different round.
  const game = (board: string, seat: Seat): Game => {
    const hall = halls.get(board);
    const own = hall && plays(hall, round.round, currentRound);
    return { board, seat, words: "", ...(own ? { hall } : {}), ...(hall && hall.round > round.round ? { playsNow: hall.round } : {}) };
  };
  const games = [...seats].filter(([, seat]) => played(seat.state)).map(([board, seat]) => game(board, seat));
  const quiet = games
    .filter((one) => one.hall !== undefined && hasClock(one.hall) && !one.hall.online && codeOf(one.seat.state.result) === null)
    .map(({ board }) => board);
  const silent = said("silent").map((one) => one.board);
  return {
    differing: said("differs"),
    missing: said("missing"),
    silent: [...new Set([...silent, ...quiet])].map((board) => row(board, "")),
    refused: said("refused"),
    results: games.filter(wantsResult).map((one) => ({ ...one, words: proposalWords(one.seat.state) })),
    adjourned: games.filter((one) => codeOf(one.seat.state.result) === "*"),
    late: games.flatMap((one) => lateness(one)),
  };
}

function seatOf(round: RoundState, state: AtBoard): Seat {
  return { round: round.round, board: state.pairing?.board ?? 0, state };
}

function played({ pairing }: AtBoard): boolean {
  return pairing !== undefined && pairing.white !== 0 && pairing.black !== 0;
}

/** Returns true if a game needs a result: a result is proposed, its board is stopped, flagged or over, or its board has a later game. */
function wantsResult({ hall, seat, playsNow }: Game): boolean {
  if (codeOf(seat.state.result) !== null) return false;
  return playsNow !== undefined || codeOf(seat.state.proposed) !== null || (hall !== undefined && ["stopped", "flagged", "over"].includes(hall.phase));
}

function lateness(row: Game): Row[] {
  const note = row.hall?.notes.find((one) => one.kind === "default_time") ?? row.hall?.notes.find((one) => one.kind === "not_started");
  return note && codeOf(row.seat.state.result) === null ? [{ ...row, words: noteWords(note, row.hall) }] : [];
}
