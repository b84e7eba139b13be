// What a round asks of an arbiter, from the boards alone. Pure; enters nothing.

import { hasClock } from "$lib/state/states.js";
import type { BoardState } from "$lib/hall/board.js";

/** The control most boards have: what the event says, until the event itself is asked. */
export function usualControl(boards: BoardState[]): string {
  const counts = new Map<string, number>();
  for (const board of boards) counts.set(board.control, (counts.get(board.control) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "";
}

/** Boards the hub itself calls different (its note says so), or, before a start, boards with another control than nearly all. */
export function differing(boards: BoardState[], usual: string): BoardState[] {
  const same = boards.filter((board) => board.control === usual).length;
  const oneEvent = same >= boards.length * 0.8;
  return boards.filter((board) => board.notes.some((note) => note.kind === "other_control") || (oneEvent && board.phase === "ready" && board.control !== usual));
}

/** Games that have stopped and have no result. */
export function missingResult(boards: BoardState[]): BoardState[] {
  return boards.filter((board) => board.phase === "stopped" || board.phase === "flagged");
}

/** Boards of which the hub says that the default time has passed (FIDE 6.7). */
export function lateOf(boards: BoardState[]): BoardState[] {
  return boards.filter((board) => board.notes.some((note) => note.kind === "default_time" || note.kind === "not_started"));
}

/** Boards that can be started now: set, and their clock is heard. */
export function startable(boards: BoardState[]): BoardState[] {
  return boards.filter((board) => board.phase === "ready" && board.online && hasClock(board));
}

export type Step = "paired" | "set" | "started" | "running" | "finished" | "confirmed";
export const STEPS: readonly Step[] = ["paired", "set", "started", "running", "finished", "confirmed"];

/** How far the round is. */
export function stepOf(boards: BoardState[]): Step {
  if (boards.length === 0) return "paired";
  if (boards.every((board) => board.phase === "over")) return "finished";
  if (boards.some((board) => board.phase === "running" || board.phase === "paused" || board.phase === "stopped" || board.phase === "flagged")) {
    return boards.some((board) => board.phase === "ready") ? "started" : "running";
  }
  return boards.some((board) => board.phase === "ready") && boards.every((board) => board.phase === "ready" || board.phase === "over") ? "set" : "paired";
}

/** A sheet about a round as a whole; `pair` is about the next one. */
export type RoundSheet = { kind: "pair" | "import" } | { kind: "hand" | "pairings" | "absent" | "print"; round: number };
