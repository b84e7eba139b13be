// What the hub's data sets say in short English phrases, in the reader's language: byes, kinds of rounds, reasons, notes. A phrase that only
// a newer hub has stays as it is.
//
// Owns which message belongs to which phrase; a test holds the list to the hub's own.

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
  "nobody is tied with this team": () => m.pub_note_alone_team(),
  "nobody is tied with this player": () => m.pub_note_alone(),
  "all have met: the separate standings rank them, and the article is applied anew to those still tied (C.07 6.2)": () => m.pub_note_met(),
  "all are to meet: the separate standings rank them, so far on the games played, and the article is applied anew to those still tied (C.07 6.2)": () => m.pub_note_to_meet(),
  "not all have met: only who stays alone at the top whatever the missing games bring is ranked (C.07 6.3)": () => m.pub_note_not_met(),
  "the other score decides where this one leaves a tie (C.07 13.3)": () => m.pub_note_other(),
  "the other score decides where this one leaves a tie, and the boards where two teams are then left (C.07 13.3)": () => m.pub_note_other_boards(),
  "the points of each board times its number": () => m.pub_note_board_count(),
  "an unrated player takes part, and nothing says what he counts as (C.07 10)": () => m.pub_note_unrated(),
  "average of the opponents' ratings, rounded, halves up": () => m.pub_note_average_rating(),
};

/** Phrases with numbers in them. @type {[RegExp, (...found: string[]) => string][]} */
const SHAPES = [
  [/^average of (\d+)$/, (n) => m.pub_note_average({ n })],
  [/^opponents with (.+) or more count$/, (n) => m.pub_note_limit({ n })],
  [/^average rating (-?\d+), (-?\d+) % of the points are ([+-]\d+) \(B\.02 8\.1\.1\)$/, (average, percent, by) => m.pub_note_performance({ average, percent, by: by.replace("-", "−") })],
  [/^the lowest rating whose expected score is (.+) \(B\.02 8\.1\.2\)$/, (n) => m.pub_note_perfect({ n })],
  [/^(MP|GP) (.+) plus Buchholz divided by (\d+)$/, (which, n, divisor) => m.pub_note_strength({ which, n, divisor })],
  [/^on board (\d+)$/, (board) => m.pub_by_one_board({ board })],
  [/^on boards 1 to (\d+)$/, (board) => m.pub_by_boards_to({ board })],
  [/^board (\d+): ([^,]+)$/, (board, n) => m.pub_board_says({ board, what: n })],
];

/** A phrase in the reader's language. @param {string} phrase */
export function said(phrase) {
  return known(phrase) ?? phrase;
}

/** A note, whose parts may each be a phrase. @param {string} note */
export function noteText(note) {
  const part = (/** @type {string} */ text) => known(text) ?? text.split(", ").map(said).join(", ");
  return note.split("; ").map(part).join("; ");
}

/** What a game is doing that has no result. @param {string|undefined} state */
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
