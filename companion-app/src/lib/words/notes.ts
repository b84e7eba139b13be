// What an arbiter should look at, in the arbiter's language, by the word by which the hub tells its notes apart. The hub's own words are
// English and name figures beside: they stand where English is read, and for a note that only a newer hub knows.
//
// Owns which sentence belongs to which word. Must never judge a note.

import { m } from "$gen/words/messages.js";
import { getLocale } from "$lib/words/catalogue.js";
import type { BoardState } from "$lib/hall/board.js";
import { controlWords } from "./control.js";
import { words } from "./states.js";

/** A note as it came: about a board, or about a clock. */
export interface Noted {
  kind: string;
  text: string;
}
type Sentence = (board: BoardState | undefined) => string | null;

/** One for each word of the hub's. `null` where the board is needed, and is not there. */
const SENTENCES: Readonly<Record<string, Sentence>> = {
  missed_press: () => m.note_missed_press(),
  other_control: (board) => (board ? m.note_other_control({ control: controlWords(board.control) }) : null),
  stopped: (board) => (board?.phase === "flagged" ? m.note_flagged() : m.note_stopped()),
  not_started: () => m.note_not_started(),
  move_counters: (board) => (board ? m.note_counters({ white: board.white.moves, black: board.black.moves }) : null),
  ignored_presses: () => m.note_ignored_presses(),
  crystal: () => m.note_crystal(),
  low_battery: () => m.note_battery(),
  flapping: () => m.note_flapping(),
  board_fault: () => m.note_fault(),
  // Whose first move is missing: White's comes before Black's.
  default_time: (board) => (board ? m.note_default_time({ side: words.side(board.white.moves === 0 ? "white" : "black") }) : null),
  straddle: () => m.note_straddle(),
};
/** For tests: what the hub may say of a board or a clock. */
export const NOTE_KINDS: readonly string[] = Object.keys(SENTENCES);

/** @param board what it is about, where that is a board of the hall */
export function noteWords(note: Noted, board?: BoardState): string {
  if (getLocale() === "en") return note.text;
  return SENTENCES[note.kind]?.(board) ?? note.text;
}

/** The same for a state that shows a note: a board has each but once. */
export function stateWords(text: string, board: BoardState): string {
  const note = board.notes.find((one) => one.text === text);
  return note ? noteWords(note, board) : text;
}
