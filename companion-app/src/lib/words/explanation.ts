// Explains how a tie-break value is made up, in the arbiter's language.
//
// Owns the sentences for the terms of a value. Must never compute a value: the hub does. The public pages have their own texts for a value without
// terms. For such a value, the app shows the hub's text, and only in English.

import { m } from "$gen/words/messages.js";
import type { Explanation, Term } from "$gen/api/tournament_pb.js";
import { points, scoreText } from "$lib/event/score.js";
import { getLocale } from "./catalogue.js";
import { isolated } from "./isolated.js";

/** Describes each term of a value. `nameOf` returns the name of the player or team with the given number. */
export function explanationWords(explanation: Explanation, nameOf: (no: number) => string): string[] {
  if (explanation.terms.length === 0) return getLocale() === "en" ? [...explanation.words] : [];
  return explanation.terms.map((term) => termWords(term, nameOf));
}

function termWords({ round, opponent, amount, cut }: Term, nameOf: (no: number) => string): string {
  const name = opponent === 0 ? "–" : isolated(nameOf(opponent));
  const slots = { round, name, amount: amountText(amount) };
  if (round === 0) return m.tie_part(slots);
  return cut ? m.tie_term_cut(slots) : m.tie_term(slots);
}

/** Formats ten-thousandths of a point as a score. */
function amountText(amount: bigint): string {
  return amount % 100n === 0n ? points(amount / 100n) : scoreText((Number(amount) / 10_000).toString());
}
