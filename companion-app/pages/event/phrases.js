// The English phrases of the hub's data sets in the reader's language: byes, kinds of rounds, reasons, notes. An unknown phrase of a newer
// hub is shown unchanged.
//
// Owns the message of each phrase; a test compares the list with the hub's.

import { m } from "$gen/words/messages.js";

/** @type {Record<string, () => string>} */
const PHRASES = {
  "full point bye": () => m.pub_bye_full(),
  "half point bye": () => m.pub_bye_half(),
  "not paired": () => m.pub_bye_zero(),
  bye: () => m.pub_bye(),
  forfeit: () => m.pub_forfeit(),
  played: () => m.pub_played(),
  pending: () => m.pub_playing_now(),
  "not finished": () => m.pub_not_finished(),
  "won by forfeit": () => m.pub_won_forfeit(),
  "lost by forfeit": () => m.pub_lost_forfeit(),
  "apart from the results": () => m.pub_basis_bonus(),
  "dummy with the own score (16.4)": () => m.pub_basis_own(),
  "dummy, held to the opponent’s score (16.4.1)": () => m.pub_basis_opponent(),
  "dummy, held to draws in every round (16.4.2)": () => m.pub_basis_draws(),
  "lowest, left out (14.1)": () => m.pub_cut_least(),
  "voluntary unplayed round, left out (16.5)": () => m.pub_cut_voluntary(),
  "highest, left out (14.3)": () => m.pub_cut_most(),
  "below the limit (9.2)": () => m.pub_cut_limit(),
  "match points": () => m.pub_by_match(),
  "game points": () => m.pub_by_game(),
  "in the board count": () => m.pub_by_board_count(),
  "no other team is tied with this one": () => m.pub_note_alone_team(),
  "no other player is tied with this one": () => m.pub_note_alone(),
  "all have met: the separate standings rank them, and the article is applied again to those still tied (C.07 6.2)": () => m.pub_note_met(),
  "all will meet: the separate standings rank them on the games played so far, and the article is applied again to those still tied (C.07 6.2)": () =>
    m.pub_note_to_meet(),
  "not all have met: only a participant who is first alone, whatever the missing games bring, is ranked (C.07 6.3)": () => m.pub_note_not_met(),
  "if a tie remains, the other score decides (C.07 13.3)": () => m.pub_note_other(),
  "if a tie remains, the other score decides, then the boards if two teams are still tied (C.07 13.3)": () => m.pub_note_other_boards(),
  "each board's points times its number": () => m.pub_note_board_count(),
  "an unrated player takes part, and no rating is set for unrated players (C.07 10)": () => m.pub_note_unrated(),
  "average of the opponents' ratings, rounded with halves up": () => m.pub_note_average_rating(),
};

/** Phrases with numbers. @type {[RegExp, (...found: string[]) => string][]} */
const SHAPES = [
  [/^average over (\d+) rounds$/, (n) => m.pub_note_average({ n })],
  [/^only opponents with at least (.+) points count$/, (n) => m.pub_note_limit({ n })],
  [
    /^average rating (-?\d+), (-?\d+) % of the points give ([+-]\d+) \(B\.02 8\.1\.1\)$/,
    (average, percent, by) => m.pub_note_performance({ average, percent, by: by.replace("-", "−") }),
  ],
  [/^the lowest rating whose expected score is (.+) \(B\.02 8\.1\.2\)$/, (n) => m.pub_note_perfect({ n })],
  [/^(MP|GP) (.+) plus Buchholz divided by (\d+)$/, (which, n, divisor) => m.pub_note_strength({ which, n, divisor })],
  [/^on board (\d+)$/, (board) => m.pub_by_one_board({ board })],
  [/^on boards 1 to (\d+)$/, (board) => m.pub_by_boards_to({ board })],
  [/^board (\d+): ([^,]+)$/, (board, n) => m.pub_board_says({ board, what: n })],
];

/** Translates a phrase. @param {string} phrase */
export function said(phrase) {
  return known(phrase) ?? phrase;
}

/** Translates a note, each part of which may be a phrase. @param {string} note */
export function noteText(note) {
  const part = (/** @type {string} */ text) => known(text) ?? text.split(", ").map(said).join(", ");
  return note.split("; ").map(part).join("; ");
}

/** Describes the state of a game without a result. @param {string|undefined} state */
export function stateWord(state) {
  if (state === "playing") return m.pub_playing_now();
  return state === "adjourned" ? m.pub_adjourned() : "";
}

/** @param {string} phrase @returns {string|undefined} */
function known(phrase) {
  const word = PHRASES[phrase];
  if (word) return word();
  for (const [shape, say] of SHAPES) {
    const found = shape.exec(phrase);
    if (found) return say(...found.slice(1));
  }
  return undefined;
}
