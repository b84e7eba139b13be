// A player's game of Time Chess as the hub sends it, as plain values. Must never add to what the hub sent: the page must not know more than
// its player may see.

import type { GameClock, PlayerUpdate } from "$gen/api/player_pb.js";
import type { TimeChessTurn, TimeChessView } from "$gen/api/time_chess_pb.js";
import { segmentFromWire, sideName, type Segment, type SideName } from "$lib/hall/board.js";
import { phaseOf, pressOf, type DayPhase, type Press } from "$lib/hall/day-game.js";

export const STATES = ["ready", "running", "paused", "stopped", "flagged", "over"] as const;
export type GameState = (typeof STATES)[number];

export interface Clock {
  name: string;
  moves: number;
  flag: string;
  /** The time shown if the drawing plan is empty. Always 0, because the hub sends this page a plan and no separate time. */
  us: number;
  allotment: string;
}

export interface SeenGame {
  phase: DayPhase;
  /** The player who sees only their own pieces; null in phases in which both see everything. */
  blind: SideName | null;
  moveNumber: number;
  moved: boolean;
  /** The pieces, as the first field of a FEN. */
  pieces: string;
  check: SideName | null;
  /** The moves that this player may try, by the square from which they start. */
  attempts: ReadonlyMap<string, readonly string[]>;
  turns: readonly TimeChessTurn[];
  /** The reason why the game ended, as in PGN's Termination tag; empty during the game. */
  end: string;
}

export interface PlayerState {
  board: string;
  side: SideName;
  hubUs: number;
  white: Clock;
  black: Clock;
  running: SideName | null;
  state: GameState;
  result: string;
  plan: Segment[];
  game: SeenGame | null;
  press: Press;
  drawOffer: SideName | null;
  control: string;
}

export const moverIn = (phase: DayPhase): SideName => (phase === "dawn" || phase === "evening" || phase === "midnight" ? "black" : "white");
export const blindIn = (phase: DayPhase): SideName | null =>
  phase === "midday" || phase === "evening" ? "black" : phase === "midnight" || phase === "morning" ? "white" : null;

export function stateOf(update: PlayerUpdate): PlayerState {
  return {
    board: update.board,
    side: sideName(update.side) ?? "white",
    hubUs: Number(update.hubUs),
    white: clockOf(update.white),
    black: clockOf(update.black),
    running: sideName(update.running),
    state: STATES.find((known) => known === update.state) ?? "ready",
    result: update.result,
    plan: update.plan.map(segmentFromWire),
    game: update.game ? gameOf(update.game) : null,
    press: pressOf(update.press),
    drawOffer: sideName(update.drawOffer),
    control: update.control,
  };
}

function clockOf(wire: GameClock | undefined): Clock {
  return { name: wire?.name ?? "", moves: wire?.moves ?? 0, flag: wire?.flag ?? "none", us: 0, allotment: "main" };
}

export function gameOf(view: TimeChessView): SeenGame {
  const attempts = new Map<string, string[]>();
  for (const attempt of view.attempts) {
    const from = attempt.slice(0, 2);
    attempts.set(from, [...(attempts.get(from) ?? []), attempt.slice(2)]);
  }
  return {
    phase: phaseOf(view.phase),
    blind: sideName(view.blind),
    moveNumber: view.moveNumber,
    moved: view.moved,
    pieces: view.pieces,
    check: sideName(view.check),
    attempts,
    turns: view.turns,
    end: view.end,
  };
}

/** Returns the squares that each piece may try to reach. All promotions on a square count as one. */
export function targets(game: SeenGame): Map<string, string[]> {
  return new Map([...game.attempts].map(([from, ends]) => [from, [...new Set(ends.map((end) => end.slice(0, 2)))]]));
}

/** Returns the pieces to which a pawn may be promoted by this move; empty for any other move. */
export function promotions(game: SeenGame, from: string, to: string): string[] {
  const ends = game.attempts.get(from) ?? [];
  return ends.filter((end) => end.startsWith(to) && end.length === 3).map((end) => end.slice(2));
}

/** Returns the squares of the latest move, if the player may see that move; else an empty list. */
export function lastMove(game: SeenGame): string[] {
  const move = game.turns.at(-1)?.move ?? "";
  return move === "" ? [] : [move.slice(0, 2), move.slice(2, 4)];
}
