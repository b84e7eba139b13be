// A board's game of Time Chess as arbiters see it: all moves and pieces, and the rule for the press.

import type { TimeChessBoard, TimeChessTurn } from "$gen/api/time_chess_pb.js";
import { PressRule } from "$gen/frames/time_chess_pb.js";
import { Side } from "$gen/frames/side_pb.js";

export const PHASES = ["dawn", "midday", "evening", "dusk", "midnight", "morning"] as const;
export type DayPhase = (typeof PHASES)[number];
/** The action that completes a turn: a press on the clock, a press on the player's page, or the move itself. */
export type Press = "clock" | "page" | "move";

export interface DayGame {
  phase: DayPhase;
  /** The player who sees only their own pieces; null in phases in which both see everything. */
  blind: "white" | "black" | null;
  /** True if this turn's move has been made and only the press is missing. */
  moved: boolean;
  /** The pieces, as the first field of a FEN. */
  pieces: string;
  turns: readonly TimeChessTurn[];
  press: Press;
}

export const phaseOf = (word: string): DayPhase => PHASES.find((known) => known === word) ?? "dawn";

export function pressOf(rule: PressRule): Press {
  return rule === PressRule.MOVE ? "move" : rule === PressRule.PAGE ? "page" : "clock";
}

export const wirePress = (press: Press): PressRule => (press === "move" ? PressRule.MOVE : press === "page" ? PressRule.PAGE : PressRule.CLOCK);

export function dayGame(wire: TimeChessBoard | undefined): DayGame | undefined {
  const { view } = wire ?? {};
  if (!wire || !view) return undefined;
  return {
    phase: phaseOf(view.phase),
    blind: view.blind === Side.WHITE ? "white" : view.blind === Side.BLACK ? "black" : null,
    moved: view.moved,
    pieces: view.pieces,
    turns: view.turns,
    press: pressOf(wire.press),
  };
}
