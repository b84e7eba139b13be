// Describes the findings of the rating report check in the arbiter's language. A finding that only a newer hub knows keeps the hub's own
// text.
//
// Owns the sentence of each finding, and where the arbiter can correct it. Must never judge a report.

import { m } from "$gen/words/messages.js";
import { RateOfPlay, RatingFindingCode as Code, type RatingFinding } from "$gen/api/fide_pb.js";

/** The place where a finding can be corrected: the event's data, a player or a round; `none` if there is no such place. */
export type Place = "event" | "player" | "round" | "none";
type Sentence = readonly [Place, (about: RatingFinding) => string];

export const FINDINGS: Record<Code, Sentence | null> = {
  [Code.UNSPECIFIED]: null,
  [Code.NOT_CHESS]: ["none", () => m.rr_not_chess()],
  [Code.NO_CITY]: ["event", () => m.rr_no_city()],
  [Code.NO_FEDERATION]: ["event", () => m.rr_no_federation()],
  [Code.NO_START]: ["event", () => m.rr_no_start()],
  [Code.NO_END]: ["event", () => m.rr_no_end()],
  [Code.END_BEFORE_START]: ["event", () => m.rr_end_before_start()],
  [Code.NO_CHIEF_ARBITER]: ["event", () => m.rr_no_chief()],
  [Code.NO_ARBITER_ID]: ["event", ({ name }) => m.rr_no_arbiter_id({ name })],
  [Code.NO_DEPUTY_ID]: ["event", ({ name }) => m.rr_no_arbiter_id({ name })],
  [Code.NO_TIME_CONTROL]: ["event", () => m.rr_no_control()],
  [Code.UNREADABLE_TIME_CONTROL]: ["event", ({ name }) => m.rr_bad_control({ name })],
  [Code.TOO_FAST]: ["none", ({ count, limit, minutes }) => (limit > 0 ? m.rr_too_fast({ count, limit, minutes }) : m.rr_too_fast_all({ minutes }))],
  [Code.FEW_MOVES]: ["none", ({ count, limit }) => m.rr_few_moves({ count, limit })],
  [Code.SEVERAL_RATES]: ["none", () => m.rr_rates()],
  [Code.MANY_ROUNDS_A_DAY]: ["event", ({ count, name, limit }) => m.rr_many_rounds({ count, name, limit })],
  [Code.NO_ROUND_DATE]: ["event", ({ round }) => m.rr_no_date({ round })],
  [Code.ROUND_DATE_OUTSIDE]: ["event", ({ round, name }) => m.rr_date_outside({ round, name })],
  [Code.ROUND_DATE_ORDER]: ["event", ({ round, name }) => m.rr_date_order({ round, name })],
  [Code.ROUND_NOT_PAIRED]: ["round", ({ round }) => m.rr_not_paired({ round })],
  [Code.NO_RESULT]: ["round", ({ round, board }) => m.rr_no_result({ round, board })],
  [Code.ROUND_NOT_CONFIRMED]: ["round", ({ round }) => m.rr_not_confirmed({ round })],
  [Code.NO_PLAYERS]: ["none", () => m.rr_no_players()],
  [Code.NO_FIDE_ID]: ["player", ({ player, name }) => m.rr_no_id({ player, name })],
  [Code.SAME_FIDE_ID]: ["player", ({ player, count, name }) => m.rr_same_id({ player, count, name })],
  [Code.NO_SEX]: ["player", ({ player, name }) => m.rr_no_sex({ player, name })],
  [Code.NO_BIRTH]: ["player", ({ player, name }) => m.rr_no_birth({ player, name })],
  [Code.BAD_BIRTH]: ["player", ({ player, name }) => m.rr_bad_birth({ player, name })],
  [Code.NO_PLAYER_FEDERATION]: ["player", ({ player, name }) => m.rr_no_player_federation({ player, name })],
  [Code.UNKNOWN_TITLE]: ["player", ({ player, name }) => m.rr_title({ player, name })],
  [Code.LONG_NAME]: ["player", ({ player, name, limit }) => m.rr_long_name({ player, name, limit })],
  [Code.NAME_ORDER]: ["player", ({ player, name }) => m.rr_name_order({ player, name })],
};

export function findingWords(finding: RatingFinding): string {
  // A finding from a newer hub is missing here, although the type says otherwise.
  const known = (FINDINGS as Partial<typeof FINDINGS>)[finding.code];
  return known?.[1](finding) ?? finding.text;
}

export function placeOf(finding: RatingFinding): Place {
  return (FINDINGS as Partial<typeof FINDINGS>)[finding.code]?.[0] ?? "none";
}

export function rateWord(rate: RateOfPlay): string {
  switch (rate) {
    case RateOfPlay.STANDARD:
      return m.rate_standard();
    case RateOfPlay.RAPID:
      return m.rate_rapid();
    case RateOfPlay.BLITZ:
      return m.rate_blitz();
    case RateOfPlay.UNSPECIFIED:
      return "";
  }
}
