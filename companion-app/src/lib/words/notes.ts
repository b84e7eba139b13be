// The hub's notes in the arbiter's language, by their kind. The hub's English text, which has the figures, is kept for English and for a
// kind that only a newer hub knows.
//
// Owns the sentence of each kind. Must never judge a note.

import { m } from "$gen/words/messages.js";
import { getLocale } from "$lib/words/catalogue.js";
import type { BoardState } from "$lib/hall/board.js";
import { controlWords } from "./control.js";
import { words } from "./states.js";

/** A note about a board or a clock. */
export interface Noted {
  kind: string;
  text: string;
}
type Sentence = (board: BoardState | undefined) => string | null;

/** One for each kind; `null` if the board is needed and unknown. */
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
  // White's missing first move comes before Black's.
  default_time: (board) => (board ? m.note_default_time({ side: words.side(board.white.moves === 0 ? "white" : "black") }) : null),
  straddle: () => m.note_straddle(),
};
/** The kinds, for tests. */
export const NOTE_KINDS: readonly string[] = Object.keys(SENTENCES);

/** @param board the note's board, if it is a board of the hall */
export function noteWords(note: Noted, board?: BoardState): string {
  if (getLocale() === "en") return note.text;
  return SENTENCES[note.kind]?.(board) ?? note.text;
}

/** Describes a state that shows a note: a board has each note only once. */
export function stateWords(text: string, board: BoardState): string {
  const note = board.notes.find((one) => one.text === text);
  return note ? noteWords(note, board) : text;
}
