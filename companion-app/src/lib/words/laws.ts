// Describes claims, decisions and reports under the Laws, and refusals of them, in the arbiter's language. Requests that only a newer hub
// knows keep their notation.
//
// Owns the text for each request and each refusal. Must never judge a request.

import { m } from "$gen/words/messages.js";
import type { LawRefusal } from "$gen/frames/refusal_pb.js";
import { Side } from "$gen/frames/side_pb.js";
import { RULE_SETS } from "$gen/rule-sets.js";
import { duration } from "$lib/commands/command.js";
import { clockText } from "$lib/draw/clock-text.js";
import { resultText } from "./results.js";

const CLAIMS: Readonly<Record<string, () => string>> = {
  threefold: m.law_threefold,
  "fifty-moves": m.law_fifty,
  "losing-chances-old": m.law_losing_old,
  "losing-chances-new": m.law_losing_new,
  increment: m.law_increment,
  "normal-means": m.law_normal_means,
  "normal-means-no-arbiter": m.law_no_arbiter,
  "double-flag-draw": m.law_double_flag,
  /** The double-flag claim as the clock's own command writes it. */
  draw: m.law_double_flag,
  director: m.law_director,
};

const OFFENCES: Readonly<Record<string, () => string>> = {
  illegal: m.law_illegal,
  unreplaced: m.law_unreplaced,
  "no-move": m.law_no_move,
  "two-hands": m.law_two_hands,
};

const ENDS: Readonly<Record<string, () => string>> = {
  checkmate: m.law_checkmate,
  stalemate: m.law_stalemate,
  "dead-position": m.law_dead_position,
  fivefold: m.law_fivefold,
  "seventy-five-moves": m.law_seventy_five,
};

const PLAIN: Readonly<Record<string, () => string>> = {
  offer: m.law_offer,
  accept: m.law_accept,
  decline: m.law_decline,
  touch: m.law_touch,
  extension: m.law_extension,
  setting: m.law_setting,
  reversed: m.law_reversed,
  scorekeeping: m.law_scorekeeping,
  absent: m.law_absent,
  adjourn: m.law_adjourn,
  unseal: m.law_unseal,
  appeal: m.law_appeal,
  rescue: m.law_rescue,
};

/** Returns the title of a rule set. If only a newer hub knows the rule set, returns `unknown`. */
export const rulesTitle = (key: string, unknown: string): string => RULE_SETS.get(key)?.() ?? unknown;

export const claimWords = (kind: string): string => CLAIMS[kind]?.() ?? kind;

/** Describes a request without naming its side. */
export function requestWords(request: string): string {
  const [verb = "", first = "", second = "", third = ""] = request.split(" ");
  switch (verb) {
    case "claim":
      return claimWords(first);
    case "rule":
      return decisionWords(first, second) ?? request;
    case "illegal":
      return OFFENCES[second || "illegal"]?.() ?? second;
    case "ended":
      return ENDS[first]?.() ?? first;
    case "flag":
      return third === "opponent" ? m.law_flag_claimed() : m.law_flag();
    case "othello":
      return m.law_othello({ white: first, black: second });
    default:
      return PLAIN[verb]?.() ?? request;
  }
}

/** Describes a request and names its side, for lines that have no column for the side. */
export function rulingWords(request: string): string {
  const side = sideOf(request);
  const what = requestWords(request);
  return side === null ? what : m.law_of_side({ what, side: side === "white" ? m.white() : m.black() });
}

/** Returns the side that a request names, such as the claimant or the offender; null if it names none. */
export function sideOf(request: string): "white" | "black" | null {
  const side = request.split(" ").find((word) => word === "white" || word === "black");
  return side ?? null;
}

function decisionWords(decision: string, figure: string): string | null {
  switch (decision) {
    case "as-found":
      return m.law_as_found();
    case "correct":
      return m.law_correct();
    case "incorrect":
      return duration(figure) ? m.law_incorrect_loses({ time: time(figure) }) : m.law_incorrect();
    case "deny":
      return m.law_deny();
    case "watch":
      return m.law_watch();
    case "fit":
      return figure ? m.law_fit_delay({ time: time(figure) }) : m.law_fit_increment();
    case "postpone":
      return figure === "award" ? m.law_postpone_award() : m.law_postpone();
    case "reject":
      return m.law_reject();
    case "uphold":
      return m.law_uphold();
    case "continue":
      return m.law_continue();
    case "result":
      return m.law_result({ result: resultText(figure) });
    default:
      return null;
  }
}

function time(text: string): string {
  const us = duration(text);
  return us === null ? text : clockText(us)[0];
}

type Sentence = (law: LawRefusal) => string;

const sideName = (side: Side): string => (side === Side.BLACK ? m.black() : m.white());

const REFUSALS: Readonly<Record<string, Sentence>> = {
  "not-in-rules": ({ words }) => m.unlawful_no_procedure({ rules: words.join(" ") }),
  off: () => m.unlawful_off(),
  "not-started": () => m.why_not_started(),
  "already-started": () => m.unlawful_started(),
  "game-over": () => m.unlawful_game_over(),
  "no-result": () => m.unlawful_no_result(),
  "not-on-move": () => m.unlawful_not_on_move(),
  touched: () => m.unlawful_touched(),
  "too-much-time": ({ spanUs }) => m.unlawful_time({ time: clockText(Number(spanUs))[0] }),
  "flag-down": () => m.unlawful_flag(),
  "delay-in-use": () => m.unlawful_delay(),
  "not-sudden-death": () => m.unlawful_period(),
  "already-fitted": () => m.unlawful_fitted(),
  "written-move": (law) => moveRefusalWords({ ...law, kind: "illegal" }),
  "moves-unknown": () => m.unlawful_moves_unknown(),
  "not-on-board": () => m.unlawful_not_on_board(),
  "claim-open": ({ side }) => m.unlawful_open({ side: sideName(side) }),
  "nothing-open": () => m.unlawful_nothing_open(),
  "cannot-withdraw": () => m.unlawful_withdrawal(),
  "wrong-decision": () => m.unlawful_decision(),
  "penalty-too-high": ({ spanUs }) => m.unlawful_penalty({ time: clockText(Number(spanUs))[0] }),
  "no-offer": () => m.unlawful_no_offer(),
  "offer-stands": () => m.unlawful_offer(),
  "offer-not-answered": () => m.unlawful_offer_first(),
  "no-draws": () => m.unlawful_no_draws(),
  "illegal-move-stands": () => m.unlawful_stands(),
  "nothing-completed": ({ side }) => m.unlawful_nothing_completed({ side: sideName(side) }),
  adjourned: () => m.unlawful_adjourned(),
  "appeal-open": () => m.unlawful_appeal_open(),
  arrived: ({ side }) => m.unlawful_arrived({ side: sideName(side) }),
  "flag-up": () => m.rule_flag_up(),
  "may-not-call": () => m.unlawful_caller(),
  "ended-on-board": () => m.unlawful_ended(),
  "must-play": ({ move }) => m.unlawful_must_play({ move }),
  "ten-moves": () => m.unlawful_ten_moves(),
  "not-yet-late": () => m.unlawful_early(),
  "not-substituted": () => m.unlawful_substitute(),
  "after-end-date": () => m.unlawful_end_date(),
  "too-many-discs": () => m.unlawful_discs(),
  "not-adjourned": () => m.unlawful_sealed(),
  "no-flag-yet": () => m.unlawful_flags_up(),
  "must-record": () => m.unlawful_recording(),
};

const MOVES: Readonly<Record<string, Sentence>> = {
  unreadable: ({ move }) => m.unplayable_unreadable({ move }),
  ambiguous: ({ move, words }) => m.unplayable_ambiguous({ move, moves: words.join(", ") }),
  "no-promotion-piece": ({ move, words }) => m.unplayable_promotion({ move, moves: words.join(", ") }),
  illegal: ({ move }) => m.unplayable_illegal({ move }),
};

export function lawRefusalWords(law: LawRefusal | undefined): string {
  const why = law && REFUSALS[law.kind]?.(law);
  if (!law || !why) return m.rule_by_no_law();
  return law.article ? m.rule_by_law({ article: law.article, why }) : why;
}

export function moveRefusalWords(law: LawRefusal): string {
  return MOVES[law.kind]?.(law) ?? m.rule_no_move();
}
