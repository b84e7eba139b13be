// Filters and sorts boards. Pure functions.

import { shortNow, timeLeft } from "$lib/draw/time-left.js";
import type { BoardState } from "$lib/hall/board.js";
import { statesOf, urgency, type StateKey } from "$lib/state/states.js";
import { hasWords, plain } from "$lib/words/plain.js";

export type Sort = "board" | "urgency" | "time";
export const SORTS = ["board", "urgency", "time"] as const satisfies readonly Sort[];

/**
 * The states by which boards can be filtered. `short`: the running side has at most one minute left, but is not in overtime; `over`: the game
 * is over.
 */
export type StateFilter = "any" | "short" | "running" | "over" | StateKey;
export const STATE_FILTERS: readonly StateFilter[] = [
  "any",
  "running",
  "short",
  "flag",
  "expected",
  "called",
  "wanted",
  "result",
  "paused",
  "law",
  "silent",
  "unserved",
  "doubt",
  "battery",
  "note",
  "missing",
  "refused",
  "pending",
  "ready",
  "over",
];

/** A sector of the hall: the boards `from` to `to`, both included. The sector is empty if `from` is greater than `to`. */
export interface Sector {
  name: string;
  from: number;
  to: number;
}
export function boardsOf({ from, to }: Sector): string {
  return from === to ? String(from) : `${from}–${to}`;
}
/** The value for no sector filter: the whole hall. */
export const NO_SECTOR: Sector = { name: "", from: 1, to: 0 };

export interface Filter {
  sector: Sector;
  /** The round of the event; 0 for any round. */
  round: number;
  state: StateFilter;
  /** The boards named in a notification that the arbiter opened; empty for all boards. */
  only: readonly string[];
  /** A name, a board or a range of boards, as typed: `okon`, `17`, `13-26`. */
  text: string;
}

export function sectorsOf(wire: readonly { name: string; fromBoard: number; toBoard: number }[]): Sector[] {
  return wire.map((one) => ({ name: one.name, from: one.fromBoard, to: one.toBoard })).sort((a, b) => a.from - b.from);
}

/** Returns the rounds of the boards, in order. There are two while games of one round continue and clocks are already set for the next. */
export function roundsOf(boards: readonly BoardState[]): number[] {
  return [...new Set(boards.map((board) => board.round))].filter((round) => round > 0).sort((a, b) => a - b);
}

export function inSector(board: { board: string }, sector: Sector): boolean {
  const number = Number(board.board);
  return sector.name === "" || (number >= sector.from && number <= sector.to);
}

export function matches(board: BoardState, filter: Filter, nowUs: number, refused: ReadonlySet<string>): boolean {
  if (filter.only.length > 0 && !filter.only.includes(board.board)) return false;
  return (
    inSector(board, filter.sector) &&
    (filter.round === 0 || board.round === filter.round) &&
    isNamed(board, filter.text) &&
    isIn(board, filter.state, nowUs, refused)
  );
}

function isIn(board: BoardState, state: StateFilter, nowUs: number, refused: ReadonlySet<string>): boolean {
  switch (state) {
    case "any":
      return true;
    case "short":
      return shortNow(board, nowUs) > 0;
    case "running":
    case "over":
      return board.phase === state;
    case "flag":
    case "expected":
    case "wanted":
    case "result":
    case "unserved":
    case "silent":
    case "refused":
    case "missing":
    case "doubt":
    case "note":
    case "battery":
    case "law":
    case "called":
    case "pending":
    case "paused":
    case "ready":
      return statesOf(board, { nowUs, refused: refused.has(board.board) }).some((one) => one.key === state);
  }
}

export function isNamed(board: BoardState, text: string): boolean {
  const wanted = plain(text.trim());
  if (!wanted) return true;
  const range = /^(\d+)\s*[-–]\s*(\d+)$/.exec(wanted);
  if (range) {
    const number = Number(board.board);
    return number >= Number(range[1]) && number <= Number(range[2]);
  }
  if (/^\d+$/.test(wanted)) return board.board.startsWith(wanted);
  return hasWords(`${board.board} ${board.white.name} ${board.black.name}`, wanted);
}

/** Sorts boards and returns their names. Boards that compare equal keep the hall's order. */
export function sorted(boards: BoardState[], sort: Sort, nowUs: number, refused: ReadonlySet<string>): string[] {
  const keyed = boards.map((board) => ({ board: board.board, key: keyOf(board, sort, nowUs, refused) }));
  if (sort !== "board") keyed.sort((a, b) => a.key - b.key);
  return keyed.map((one) => one.board);
}

/** Returns the boards in their previous order, with new boards last. Returns the same list if no board was added or removed. */
export function inPlace(before: string[], boards: BoardState[]): string[] {
  const left = new Set(boards.map((board) => board.board));
  const after = [...before.filter((name) => left.delete(name)), ...left];
  return after.length === before.length && after.every((name, at) => name === before[at]) ? before : after;
}

function keyOf(board: BoardState, sort: Sort, nowUs: number, refused: ReadonlySet<string>): number {
  switch (sort) {
    case "board":
      return 0;
    case "urgency":
      return urgency(board, nowUs, refused.has(board.board));
    case "time":
      return board.phase === "over" ? Infinity : timeLeft(board, nowUs);
  }
}
