// What state a board is in, and how urgent that is. A healthy board is in none.
//
// Owns the ranks. Must never say a word (words/states.ts does) and never decide a result.

import { SIDES, type BoardState, type CallName, type Note, type SideName } from "$lib/hall/board.js";

export type StateKey =
  | "flag"
  | "expected"
  | "wanted"
  | "silent"
  | "refused"
  | "missing"
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
  /** Hub instant since which it holds. */
  sinceUs?: number;
  /** What it is about, in the hub's words. */
  text?: string;
  /** The arbiter who brought it about. */
  by?: string;
}

/** What this device knows beside the board. */
export interface Aside {
  nowUs: number;
  /** A command of this arbiter was refused here and not yet put away. */
  refused: boolean;
}

/** The most urgent first; what only has a chip comes last. */
const ORDER: readonly StateKey[] = [
  "flag",
  "expected",
  "wanted",
  "silent",
  "refused",
  "missing",
  "called",
  "result",
  "paused",
  "note",
  "battery",
  "pending",
  "ready",
  "unserved",
];
/** States that belong into the strip; the others have a chip alone. */
const IN_STRIP: ReadonlySet<StateKey> = new Set<StateKey>(["flag", "expected", "wanted", "silent", "refused", "missing", "called", "result", "paused", "note", "battery"]);
/** A clock that was silent for less is not worth a word. */
const SILENT_CHIP_US = 5e6;
/** And for less than this nobody need walk. */
const SILENT_STRIP_US = 15e6;

const NONE: readonly State[] = [];

/** Every state a board is in, the most urgent first. */
export function statesOf(board: BoardState, aside: Aside): readonly State[] {
  if (!aside.refused && isQuiet(board)) return NONE;
  const states: State[] = [];
  if (board.phase !== "over") {
    states.push(...flags(board), ...stopped(board), ...silent(board, aside.nowUs));
    if (board.phase === "paused") states.push({ key: "paused", ...since(board.sinceUs), ...(board.pausedBy === undefined ? {} : { by: board.pausedBy }) });
    if (!hasClock(board)) states.push({ key: "unserved" });
    else if (board.phase === "ready") states.push({ key: "ready" });
  }
  if (aside.refused) states.push({ key: "refused" });
  const first = board.waiting[0];
  if (first) states.push({ key: "pending", text: first.text, sinceUs: first.sinceUs });
  for (const note of board.notes) states.push(noted(note));
  return states.sort((a, b) => ORDER.indexOf(a.key) - ORDER.indexOf(b.key));
}

/** In no state whatever the time is, as most boards of a hall are. */
export function isQuiet(board: BoardState): boolean {
  const { phase, white, black, online, notes, waiting } = board;
  if (notes.length > 0 || waiting.length > 0) return false;
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
  // The flag that fell first is the one to rule on.
  return states.sort((a, b) => Number(b.side === board.firstFlag) - Number(a.side === board.firstFlag));
}

/** Whose fallen flag is to be ruled on, of two the first; null where none is down, or the game has its result. */
export function flagDown(board: BoardState): SideName | null {
  if (board.phase === "over") return null;
  return flags(board).find((state) => state.key === "flag")?.side ?? null;
}

/**
 * Players who stop both clocks have ended their game, as a rule: that asks for a result, calmly. Only a call is a call. Once the hub has
 * noted that the result has been missing for long, that is what is said.
 */
function stopped(board: BoardState): State[] {
  if (board.phase !== "stopped") return [];
  if (board.arbiterCalledUs !== undefined) return [{ key: "wanted", sinceUs: board.arbiterCalledUs }];
  return board.notes.some((note) => note.kind === "stopped") ? [] : [{ key: "result", ...since(board.sinceUs) }];
}

/** Whether a clock serves the board, or one of its sides. */
export function hasClock(board: BoardState): boolean {
  return board.agent !== "" || board.clocks !== undefined;
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

function since(sinceUs: number | undefined): { sinceUs?: number } {
  return sinceUs === undefined ? {} : { sinceUs };
}

/** A board that needs somebody, and why. */
export interface Urgent {
  board: BoardState;
  state: State;
  /** This arbiter has seen it, or somebody goes there. */
  seen: boolean;
}

/** As which call arbiters tell one another of a state; null where it is this device's own affair. */
export function callOfState(key: StateKey): CallName | null {
  switch (key) {
    case "flag":
    case "expected":
    case "silent":
      return key;
    case "wanted":
    case "result":
      return "stopped";
    case "note":
    case "battery":
    case "missing":
      return "note";
    case "called":
    case "refused":
    case "pending":
    case "paused":
    case "ready":
    case "unserved":
      return null;
  }
}

/** Who goes to a board for this, the newest; null if nobody does. */
export function goer(board: BoardState, key: StateKey): string | null {
  const call = callOfState(key);
  return board.answered.findLast((one) => one.call === call && one.going)?.actor ?? null;
}

/** Who has seen it, each once. */
export function seers(board: BoardState, key: StateKey): string[] {
  const call = callOfState(key);
  return [...new Set(board.answered.filter((one) => one.call === call).map((one) => one.actor))];
}

/** By which an arbiter's acknowledgement is remembered: the same flag, not another one on the same board. */
export function seenKey(board: BoardState, state: State): string {
  return `${board.board}/${state.key}/${state.side ?? ""}/${state.sinceUs ?? ""}`;
}

/** What needs somebody, the most urgent first: an unseen flag before a seen one, then by rank, then the oldest. */
export function queue(boards: BoardState[], nowUs: number, refused: ReadonlySet<string>, seen: ReadonlySet<string>): Urgent[] {
  const urgent: Urgent[] = [];
  for (const board of boards) {
    const mine = refused.has(board.board);
    const state = statesOf(board, { nowUs, refused: mine }).find((one) => inStrip(one, nowUs));
    if (state) urgent.push({ board, state, seen: seen.has(seenKey(board, state)) || goer(board, state.key) !== null });
  }
  return urgent.sort((a, b) => rank(a) - rank(b) || (a.state.sinceUs ?? nowUs) - (b.state.sinceUs ?? nowUs));
}

/** States that many boards come into together: from this many boards on they are one card. */
const GROUP_FROM = 3;
export type GroupKey = "silent" | "result" | "missing" | "paused" | "battery";
const GROUPED: readonly GroupKey[] = ["silent", "result", "missing", "paused", "battery"];

/** Boards in one state together. */
export interface Group {
  key: GroupKey;
  boards: BoardState[];
  /** Each of them has been seen, or somebody goes there. */
  seen: boolean;
}
export type Card = Urgent | Group;

export function isGroup(card: Card): card is Group {
  return "boards" in card;
}

/** By which a card is the same one while its boards come and go. */
export function cardKey(card: Card): string {
  return isGroup(card) ? `*${card.key}` : card.board.board;
}

/** The queue with boards of one state together, at the place of the first of them. */
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

/** How urgent a board is for a list sorted by urgency: the smaller, the sooner. Boards in no state keep the hall's order. */
export function urgency(board: BoardState, nowUs: number, refused: boolean): number {
  const first = statesOf(board, { nowUs, refused })[0];
  if (board.phase === "over") return 100;
  if (!first) return 50;
  return ORDER.indexOf(first.key);
}
