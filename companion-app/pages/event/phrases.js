// The codes in the hub's data sets, in the reader's language: byes, measures, notes, and the parts of a term. If a newer hub sends an unknown code,
// the hub's own English text is shown.
//
// Owns the message of each code; a test compares the list with the hub's.

import { m } from "$gen/words/messages.js";
import { scoreText } from "$lib/event/score.js";

/** @type {Record<string, () => string>} */
const KINDS = {
  full: () => m.pub_bye_full(),
  half: () => m.pub_bye_half(),
  zero: () => m.pub_bye_zero(),
  pairing: () => m.pub_bye(),
  pending: () => m.pub_not_finished(),
  forfeit_win: () => m.pub_won_forfeit(),
  forfeit_loss: () => m.pub_lost_forfeit(),
};

/** The sources of a term that is neither the participant's own score nor an opponent's. @type {Record<string, () => string>} */
const SOURCES = {
  bonus: () => m.pub_basis_bonus(),
  dummy_own: () => m.pub_basis_own(),
  dummy_opponent: () => m.pub_basis_opponent(),
  dummy_draws: () => m.pub_basis_draws(),
};

/** The reasons why a term does not count. @type {Record<string, () => string>} */
const CUTS = {
  least: () => m.pub_cut_least(),
  voluntary: () => m.pub_cut_voluntary(),
  most: () => m.pub_cut_most(),
  below_limit: () => m.pub_cut_limit(),
};

/**
 * @typedef {{code: string, board?: number}} Measure the measure by which separate standings compare
 * @typedef {object} Note
 * @property {string} code
 * @property {string[]|string} [points]
 * @property {number} [rounds]
 * @property {number} [average]
 * @property {number} [percent]
 * @property {number} [difference]
 * @property {string} [measure]
 * @property {number} [divisor]
 */

/** @type {Record<string, (board: number) => string>} */
const MEASURES = {
  match_points: () => m.pub_by_match(),
  game_points: () => m.pub_by_game(),
  board_count: () => m.pub_by_board_count(),
  board: (board) => m.pub_by_one_board({ board }),
  boards_to: (board) => m.pub_by_boards_to({ board }),
};

/** @type {Record<string, (note: Note) => string>} */
const NOTES = {
  board_count: () => m.pub_note_board_count(),
  boards: ({ points }) =>
    [points ?? []]
      .flat()
      .map((n, at) => m.pub_board_says({ board: at + 1, what: scoreText(n) }))
      .join(", "),
  limit: ({ points }) => m.pub_note_limit({ n: number(points) }),
  unrated: () => m.pub_note_unrated(),
  average_rating: () => m.pub_note_average_rating(),
  performance: ({ average = 0, percent = 0, difference = 0 }) => m.pub_note_performance({ average, percent, by: signed(difference) }),
  perfect: ({ points }) => m.pub_note_perfect({ n: number(points) }),
  strength: ({ measure = "", points, divisor = 1 }) => m.pub_note_strength({ which: measure, n: number(points), divisor }),
  average: ({ rounds = 0 }) => m.pub_note_average({ n: rounds }),
  alone_team: () => m.pub_note_alone_team(),
  alone_player: () => m.pub_note_alone(),
  all_met: () => m.pub_note_met(),
  all_will_meet: () => m.pub_note_to_meet(),
  not_all_met: () => m.pub_note_not_met(),
  then_other_score: () => m.pub_note_other(),
  then_boards: () => m.pub_note_other_boards(),
};

/** The codes of each list, exported for tests. */
export const CODES = { kinds: KINDS, sources: SOURCES, cuts: CUTS, measures: MEASURES, notes: NOTES };

/** @param {{bye: string, bye_code?: string}} line */
export function byeWord({ bye, bye_code = "" }) {
  return KINDS[bye_code]?.() ?? bye;
}

/** Describes a team's match, or its bye. @param {{kind: string, bye_code?: string}} match */
export function matchKind({ kind, bye_code = "" }) {
  if (kind === "forfeit") return m.pub_forfeit();
  if (kind === "pending") return m.pub_playing_now();
  return kind === "played" ? m.pub_played() : byeWord({ bye: kind, bye_code });
}

/**
 * Describes the kind, the source and the cut of a term; a part that does not apply is empty.
 * @param {{kind?: string, kind_code?: string, from?: string, from_code?: string, cut?: string, cut_code?: string}} term
 */
export function termWords({ kind = "", kind_code = "", from = "", from_code = "", cut = "", cut_code = "" }) {
  return { kind: KINDS[kind_code]?.() ?? kind, from: SOURCES[from_code]?.() ?? from, cut: CUTS[cut_code]?.() ?? cut };
}

/** Describes the measure by which separate standings compare. @param {{by?: string, measure?: Measure}} line */
export function measureWord({ by = "", measure }) {
  return (measure && MEASURES[measure.code]?.(measure.board ?? 0)) ?? by;
}

/** Describes the notes on a number; the hub's own text if any code is unknown. @param {{note?: string, notes?: Note[]}} figure */
export function noteText({ note = "", notes = [] }) {
  const words = notes.map((one) => NOTES[one.code]?.(one));
  return words.length === 0 || words.some((one) => one === undefined) ? note : words.join("; ");
}

/** Describes the state of a game without a result; empty if it is neither in progress nor adjourned. @param {string|undefined} state */
export function stateWord(state) {
  if (state === "playing") return m.pub_playing_now();
  return state === "adjourned" ? m.pub_adjourned() : "";
}

/** @param {string[]|string|undefined} points */
function number(points) {
  return scoreText(String(points ?? ""));
}

/** @param {number} difference */
function signed(difference) {
  return difference < 0 ? `−${-difference}` : `+${difference}`;
}
