// Describes the hub's notes in the arbiter's language, by kind. The hub's English text, which includes figures, is used for uncounted notes in
// English, and for kinds that only a newer hub knows.
//
// Owns the sentences without figures, one for each kind; doubts.ts has the sentences with figures. Must never judge a note.

import type { NoteFigures } from "$gen/frames/log_pb.js";
import { m } from "$gen/words/messages.js";
import { getLocale } from "$lib/words/catalogue.js";
import type { BoardState, Note } from "$lib/hall/board.js";
import { agoText } from "./ago.js";
import { controlWords } from "./control.js";
import { dayTime } from "./day-time.js";
import { doubtWords } from "./doubts.js";
import { words } from "./states.js";

export interface Noted {
  kind: string;
  text: string;
  /** Number of occurrences; see `Note.count` in hall/board.ts. */
  count?: number | bigint;
  figures?: NoteFigures | undefined;
}
type Sentence = (board: BoardState | undefined) => string | null;

/** The sentence of each kind; `null` if it needs the board and the board is unknown. */
const SENTENCES: Readonly<Record<string, Sentence>> = {
  missed_press: () => m.note_missed_press(),
  other_control: (board) => (board ? m.note_other_control({ control: controlWords(board.control) }) : null),
  stopped: (board) => (board?.phase === "flagged" ? m.note_flagged() : m.note_stopped()),
  not_started: () => m.note_not_started(),
  move_counters: (board) => (board ? m.note_counters({ white: board.white.moves, black: board.black.moves }) : null),
  score_differs: () => m.note_score_differs(),
  ignored_presses: () => m.note_ignored_presses(),
  crystal: () => m.note_crystal(),
  low_battery: () => m.note_battery(),
  flapping: () => m.note_flapping(),
  board_fault: () => m.note_fault(),
  // If White has not moved, White's first move is the one that is missing.
  default_time: (board) => (board ? m.note_default_time({ side: words.side(board.white.moves === 0 ? "white" : "black") }) : null),
  straddle: () => m.note_straddle(),
  version: () => m.note_version(),
  second_link: () => m.note_second_link(),
  other_log: () => m.note_other_log(),
  foreign_journal: () => m.note_foreign_journal(),
  journal_lost: () => m.note_journal_lost(),
  journal_damaged: () => m.note_journal_damaged(),
  fork: () => m.note_fork(),
  bad_chain: () => m.note_bad_chain(),
  archive_failed: () => m.note_archive_failed(),
  archive_repaired: () => m.note_archive_repaired(),
  archive_working: () => m.note_archive_working(),
  log_contradicted: () => m.note_log_contradicted(),
  log_stopped: () => m.note_log_stopped(),
  space_critical: () => m.note_space_critical(),
  low_space: () => m.note_low_space(),
  space_freed: () => m.note_space_freed(),
  log_set_back: () => m.note_log_set_back(),
  lists_lost: () => m.note_lists_lost(),
  log_repaired: () => m.note_log_repaired(),
  backup_restored: () => m.note_backup_restored(),
  log_rewritten: () => m.note_log_rewritten(),
  clock_fault: () => m.note_clock_fault(),
  from_the_future: () => m.note_future(),
  broken_promise: () => m.note_broken_promise(),
  decreasing_stamp: () => m.note_decreasing(),
  rebase: () => m.note_rebase(),
  restarted_alone: () => m.note_restarted_alone(),
  forged_promise: () => m.note_forged_promise(),
  diverged: () => m.note_diverged(),
  journal_failed: () => m.note_journal_failed(),
  late_press: () => m.note_late_press(),
  wrong_pins: () => m.note_wrong_pins(),
  withdrawn_yet_taken: () => m.note_withdrawn_taken(),
  handover: () => m.note_handover(),
  event_not_told: () => m.note_event_not_told(),
  result_not_shown: () => m.note_result_not_shown(),
  press_without_move: () => m.note_press_without_move(),
  not_set_again: () => m.note_not_set_again(),
  schedule_missed: () => m.note_schedule_missed(),
  late_report: () => m.note_late_report(),
  unverified: () => m.note_unverified(),
  one_sided: () => m.note_one_sided(),
  word_alone: () => m.note_word_alone(),
  unchecked_time: () => m.note_unchecked_time(),
  slow_link: () => m.note_slow_link(),
  no_watermarks: () => m.note_no_watermarks(),
  slow_watermarks: () => m.note_slow_watermarks(),
  unsigned_watermarks: () => m.note_unsigned_watermarks(),
  sum_check: () => m.note_sum_check(),
  corrected_at_clock: () => m.note_corrected(),
  forged_correction: () => m.note_forged_correction(),
  bad_signature: () => m.note_bad_signature(),
  before_probe: () => m.note_before_probe(),
  before_order: () => m.note_before_order(),
  unknown_order: () => m.note_unknown_order(),
  order_ignored: () => m.note_order_ignored(),
  unproven_jump: () => m.note_unproven_jump(),
};
/** The sentences used without a board, for kinds whose usual sentence needs one. */
const WITHOUT_BOARD: Readonly<Record<string, () => string>> = {
  other_control: () => m.todo_control(),
  move_counters: () => m.note_counters_differ(),
  default_time: () => m.note_default_time_over(),
};
/** The kinds of notes that have a sentence in this file, exported for tests. */
export const NOTE_KINDS: readonly string[] = Object.keys(SENTENCES);

/** @param board the board that the note concerns; undefined if it is unknown */
export function noteWords(note: Noted, board?: BoardState): string {
  if (Number(note.count ?? 0) === 0 && getLocale() === "en") return note.text;
  return doubtWords(note.kind, note.figures) ?? kindWords(note.kind, board) ?? note.text;
}

/** States when a counted note first appeared and, if its cause has recurred, how often and when last. */
export function countedWords({ count, sinceUs = 0, latestUs = sinceUs }: Note, nowUs: number): string {
  const time = dayTime(sinceUs, nowUs);
  return count === 1 ? m.doubt_since({ time }) : m.doubt_counted({ n: count, time, ago: agoText(nowUs - latestUs) });
}

/** Describes a kind of note; undefined for a kind that only a newer hub knows. */
export function kindWords(kind: string, board?: BoardState): string | undefined {
  return SENTENCES[kind]?.(board) ?? WITHOUT_BOARD[kind]?.();
}

/** Translates a state's text by finding the board's note with the same text; without such a note, returns the text unchanged. */
export function stateWords(text: string, board: BoardState): string {
  const note = board.notes.find((one) => one.text === text);
  return note ? noteWords(note, board) : text;
}
