// The states that a board can be in, and their urgency. A board whose game runs normally has no state.
//
// Owns the order of urgency. Must never describe a state (words/states.ts does) nor decide a result.

import { SIDES, type BoardState, type CallName, type Note, type SideName } from "$lib/hall/board.js";

export type StateKey =
  | "flag"
  | "expected"
  | "wanted"
  | "silent"
  | "refused"
  | "missing"
  | "law"
  | "doubt"
  | "note"
  | "battery"
  | "called"
  | "result"
  | "pending"
  | "paused"
  | "ready"
  | "unserved";

export interface State {
  key: StateKey;
  side?: SideName;
  /** The instant on the hub's timeline at which the state began, in microseconds. */
  sinceUs?: number;
  /** The hub's text of the note, or the notation of the pending command. */
  text?: string;
  claim?: string;
  by?: string;
}

export interface DeviceContext {
  nowUs: number;
  /** True if a command of this arbiter was refused and the refusal is not yet dismissed. */
  refused: boolean;
}

/** The states, most urgent first. States that have only a chip come last. */
const ORDER: readonly StateKey[] = [
  "flag",
  "expected",
  "wanted",
  "silent",
  "refused",
  "missing",
  "law",
  "called",
  "result",
  "paused",
  "doubt",
  "note",
  "battery",
  "pending",
  "ready",
  "unserved",
];
/** The states that get a card in the strip; all others have only a chip. */
const IN_STRIP: ReadonlySet<StateKey> = new Set<StateKey>([
  "flag",
  "expected",
  "wanted",
  "silent",
  "refused",
  "missing",
  "law",
  "called",
  "result",
  "paused",
  "doubt",
  "note",
  "battery",
]);
/** Time without a signal after which the board's tile says so. */
const SILENT_CHIP_US = 5e6;
/** Time without a signal after which the strip says so, because an arbiter should then go to the board. */
const SILENT_STRIP_US = 15e6;

const NONE: readonly State[] = [];

/** Returns all states of a board, most urgent first. */
export function statesOf(board: BoardState, aside: DeviceContext): readonly State[] {
  if (!aside.refused && isQuiet(board)) return NONE;
  const states: State[] = [];
  if (board.phase !== "over") {
    states.push(...flags(board), ...stopped(board), ...silent(board, aside.nowUs));
    if (board.claim) states.push({ key: "law", side: board.claim.side, claim: board.claim.kind, ...since(board.sinceUs) });
    if (board.phase === "paused") states.push({ key: "paused", ...since(board.sinceUs), ...(board.pausedBy === undefined ? {} : { by: board.pausedBy }) });
    if (!hasClock(board)) states.push({ key: "unserved" });
    else if (board.phase === "ready") states.push({ key: "ready" });
  }
  if (aside.refused) states.push({ key: "refused" });
  const first = board.waiting[0];
  if (first) states.push({ key: "pending", text: first.text, sinceUs: first.sinceUs });
  for (const note of board.notes) if (!isDoubt(note)) states.push(noted(note));
  states.push(...doubt(board));
  return states.sort((a, b) => ORDER.indexOf(a.key) - ORDER.indexOf(b.key));
}

/** Returns true if a board has no state, apart from a refused command, and will have none until the hub sends a change. */
export function isQuiet(board: BoardState): boolean {
  const { phase, white, black, online, notes, waiting } = board;
  if (notes.length > 0 || waiting.length > 0 || board.claim) return false;
  return phase === "over" || (hasClock(board) && phase === "running" && online && white.flag === "none" && black.flag === "none");
}

function flags(board: BoardState): State[] {
  const states: State[] = [];
  const down = board.phase === "flagged" ? since(board.sinceUs) : {};
  for (const side of SIDES) {
    if (board[side].flag === "fallen") states.push({ key: "flag", side, ...down });
    if (board[side].flag === "expected") states.push({ key: "expected", side });
    if (board[side].flag === "called") states.push({ key: "called", side, ...down });
  }
  // The arbiter rules on the flag that fell first, so its side comes first.
  return states.sort((a, b) => Number(b.side === board.firstFlag) - Number(a.side === board.firstFlag));
}

/** Returns the side whose fallen flag an arbiter has not called yet; of two, the one that fell first. Null if there is none, or a result. */
export function flagDown(board: BoardState): SideName | null {
  if (board.phase === "over") return null;
  return flags(board).find((state) => state.key === "flag")?.side ?? null;
}

/**
 * Returns the states of stopped clocks. Usually the game has ended and a result is due, which is not urgent. A call for the arbiter is
 * urgent. If the hub has a note about the missing result, the note replaces the state `result`.
 */
function stopped(board: BoardState): State[] {
  if (board.phase !== "stopped") return [];
  if (board.arbiterCalledUs !== undefined) return [{ key: "wanted", sinceUs: board.arbiterCalledUs }];
  return board.notes.some((note) => note.kind === "stopped") ? [] : [{ key: "result", ...since(board.sinceUs) }];
}

/** Returns true if a clock is assigned to the board or a side of it, or if the hub times the board because players press on their pages. */
export function hasClock(board: BoardState): boolean {
  const byHub = board.timeChess !== undefined && board.timeChess.press !== "clock";
  return board.agent !== "" || board.clocks !== undefined || byHub;
}

function silent(board: BoardState, nowUs: number): State[] {
  const sinceUs = board.silentSinceUs;
  if (board.online || !hasClock(board) || (sinceUs !== undefined && nowUs - sinceUs < SILENT_CHIP_US)) return [];
  const quiet = SIDES.filter((side) => board.clocks && !board.clocks[side]);
  return quiet.length > 0 ? quiet.map((side) => ({ key: "silent", side, ...since(sinceUs) })) : [{ key: "silent", ...since(sinceUs) }];
}

function noted(note: Note): State {
  const key: StateKey = note.kind === "low_battery" ? "battery" : note.kind === "stopped" ? "missing" : "note";
  return { key, text: note.text, ...since(note.sinceUs) };
}

/** Returns the notes that stay until an arbiter acknowledges them. */
export function doubts(board: BoardState): readonly Note[] {
  return board.notes.filter((note) => note.count > 0);
}

/** Returns true if a note casts doubt on a clock. A press without a move also stays until acknowledged, but casts no doubt. */
const isDoubt = (note: Note): boolean => note.count > 0 && note.kind !== "press_without_move";

/** Returns true if acknowledging a note confirms a loss of recorded events. Such a note is acknowledged on its own, and with a reason. */
export function confirmsLoss(note: { readonly kind: string }): boolean {
  return note.kind === "log_set_back";
}

/** Returns one state for all doubts, dated from the newest, so that an acknowledgement does not cover later doubts. */
function doubt(board: BoardState): State[] {
  const began = board.notes.filter(isDoubt).map((note) => note.sinceUs ?? 0);
  return began.length > 0 ? [{ key: "doubt", sinceUs: Math.max(...began) }] : [];
}

function since(sinceUs: number | undefined): { sinceUs?: number } {
  return sinceUs === undefined ? {} : { sinceUs };
}

export interface Urgent {
  board: BoardState;
  state: State;
  /** True if this arbiter has acknowledged the call, or an arbiter is on the way. */
  seen: boolean;
}

/** Returns the call that arbiters acknowledge for a state; null if there is nothing to acknowledge. */
export function callOfState(key: StateKey): CallName | null {
  switch (key) {
    case "flag":
    case "expected":
    case "silent":
      return key;
    case "wanted":
    case "result":
      return "stopped";
    case "doubt":
    case "note":
    case "battery":
    case "missing":
      return "note";
    case "law":
    case "called":
    case "refused":
    case "pending":
    case "paused":
    case "ready":
    case "unserved":
      return null;
  }
}

/** Returns the arbiter who last reported being on the way because of a state; null if none is on the way. */
export function arbiterOnTheWay(board: BoardState, key: StateKey): string | null {
  const call = callOfState(key);
  return board.answered.findLast((one) => one.call === call && one.going)?.actor ?? null;
}

export function acknowledgedBy(board: BoardState, key: StateKey): string[] {
  const call = callOfState(key);
  return [...new Set(board.answered.filter((one) => one.call === call).map((one) => one.actor))];
}

/** Returns the key of an acknowledgement. It includes the state's start time, so that the board's next flag counts as a new call. */
export function seenKey(board: BoardState, state: State): string {
  return `${board.board}/${state.key}/${state.side ?? ""}/${state.sinceUs ?? ""}`;
}

/** Returns the boards that need an arbiter, most urgent first: unacknowledged flags, then by urgency of the state, then by age. */
export function queue(boards: BoardState[], nowUs: number, refused: ReadonlySet<string>, seen: ReadonlySet<string>): Urgent[] {
  const urgent: Urgent[] = [];
  for (const board of boards) {
    const mine = refused.has(board.board);
    const state = statesOf(board, { nowUs, refused: mine }).find((one) => inStrip(one, nowUs));
    if (state) urgent.push({ board, state, seen: seen.has(seenKey(board, state)) || arbiterOnTheWay(board, state.key) !== null });
  }
  return urgent.sort((a, b) => rank(a) - rank(b) || (a.state.sinceUs ?? nowUs) - (b.state.sinceUs ?? nowUs));
}

/** Minimum number of boards in the same state that are combined into a single card. */
const GROUP_FROM = 3;
export type GroupKey = "silent" | "result" | "missing" | "paused" | "doubt" | "battery";
const GROUPED: readonly GroupKey[] = ["silent", "result", "missing", "paused", "doubt", "battery"];

export interface Group {
  key: GroupKey;
  boards: BoardState[];
  /** True if, for every board, the call is acknowledged or an arbiter is on the way. */
  seen: boolean;
}
export type Card = Urgent | Group;

export function isGroup(card: Card): card is Group {
  return "boards" in card;
}

/** Returns the key of a card. A group's key does not depend on its boards. */
export function cardKey(card: Card): string {
  return isGroup(card) ? `*${card.key}` : card.board.board;
}

/** Replaces `GROUP_FROM` or more boards that share a state of `GROUPED` with a group, at the position of the first of them. */
export function grouped(urgent: readonly Urgent[]): Card[] {
  const groups = new Map<string, Group>();
  for (const key of GROUPED) {
    const all = urgent.filter((one) => one.state.key === key);
    if (all.length >= GROUP_FROM) groups.set(key, { key, boards: all.map((one) => one.board), seen: all.every((one) => one.seen) });
  }
  const cards: Card[] = [];
  for (const one of urgent) {
    const group = groups.get(one.state.key);
    if (!group) cards.push(one);
    else if (!cards.includes(group)) cards.push(group);
  }
  return cards;
}

function inStrip(state: State, nowUs: number): boolean {
  if (state.key === "silent" && state.sinceUs !== undefined && nowUs - state.sinceUs < SILENT_STRIP_US) return false;
  return IN_STRIP.has(state.key);
}

function rank({ state, seen }: Urgent): number {
  if (state.key === "flag" && !seen) return -1;
  return ORDER.indexOf(state.key);
}

/** Returns a board's rank in a list sorted by urgency; the smallest rank is the most urgent. Boards of equal rank keep the hall's order. */
export function urgency(board: BoardState, nowUs: number, refused: boolean): number {
  const first = statesOf(board, { nowUs, refused })[0];
  if (board.phase === "over") return 100;
  if (!first) return 50;
  return ORDER.indexOf(first.key);
}
