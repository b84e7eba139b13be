// The tasks of a round, derived from the boards alone. Pure functions.

import { hasClock } from "$lib/state/states.js";
import type { BoardState } from "$lib/hall/board.js";

/** Returns the most frequent time control of the boards, which counts as the usual one while no round is paired. */
export function usualControl(boards: BoardState[]): string {
  const counts = new Map<string, number>();
  for (const board of boards) counts.set(board.control, (counts.get(board.control) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "";
}

/**
 * Returns the boards with a note about a wrong time control. Before the start, also returns boards whose time control is not `usual`, if
 * at least 80 % of the boards have the usual one.
 */
export function differing(boards: BoardState[], usual: string): BoardState[] {
  const same = boards.filter((board) => board.control === usual).length;
  const oneEvent = same >= boards.length * 0.8;
  return boards.filter(
    (board) => board.notes.some((note) => note.kind === "other_control") || (oneEvent && board.phase === "ready" && board.control !== usual),
  );
}

/** Returns the boards without a result whose clocks are stopped or whose flag has fallen. */
export function missingResult(boards: BoardState[]): BoardState[] {
  return boards.filter((board) => board.phase === "stopped" || board.phase === "flagged");
}

/** Returns the boards whose default time has passed (FIDE 6.7) or whose clock has not been started, according to the hub. */
export function lateOf(boards: BoardState[]): BoardState[] {
  return boards.filter((board) => board.notes.some((note) => note.kind === "default_time" || note.kind === "not_started"));
}

export function startable(boards: BoardState[]): BoardState[] {
  return boards.filter((board) => board.phase === "ready" && board.online && hasClock(board));
}

export type Step = "paired" | "set" | "started" | "running" | "finished" | "confirmed";
export const STEPS: readonly Step[] = ["paired", "set", "started", "running", "finished", "confirmed"];

export function stepOf(boards: BoardState[]): Step {
  if (boards.length === 0) return "paired";
  if (boards.every((board) => board.phase === "over")) return "finished";
  if (boards.some((board) => board.phase === "running" || board.phase === "paused" || board.phase === "stopped" || board.phase === "flagged")) {
    return boards.some((board) => board.phase === "ready") ? "started" : "running";
  }
  return boards.some((board) => board.phase === "ready") && boards.every((board) => board.phase === "ready" || board.phase === "over") ? "set" : "paired";
}

/** A sheet for a whole round. `pair` is for the next round. */
export type RoundSheet = { kind: "pair" | "import" } | { kind: "hand" | "pairings" | "absent" | "print"; round: number };
