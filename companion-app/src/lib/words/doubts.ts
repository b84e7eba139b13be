// Describes, with their figures, notes about a clock's honesty and about a network that prevents its verification.
//
// Owns the sentences that need figures; without figures, a note gets the sentence of its kind (notes.ts). Must never judge a clock.

import type { NoteFigures } from "$gen/frames/log_pb.js";
import { Side } from "$gen/frames/side_pb.js";
import { m } from "$gen/words/messages.js";
import { getLocale } from "$lib/words/catalogue.js";
import { ageText } from "$lib/draw/clock-text.js";
import { commandWords } from "./command.js";
import { isolated } from "./isolated.js";

type Sentence = (figures: NoteFigures) => string | null;

const SENTENCES: Readonly<Record<string, Sentence>> = {
  broken_promise: ({ offByUs }) => (offByUs === undefined ? null : m.doubt_broken_promise({ by: span(offByUs) })),
  before_probe: ({ offByUs }) => (offByUs === undefined ? null : m.doubt_before_probe({ by: span(offByUs) })),
  before_order: ({ offByUs }) => (offByUs === undefined ? null : m.doubt_before_order({ by: span(offByUs) })),
  order_ignored: ({ offByUs, command }) => {
    if (offByUs === undefined) return null;
    const by = span(offByUs);
    return command === "" ? m.doubt_order_ignored_board({ by }) : m.doubt_order_ignored({ command: isolated(commandWords(command)), by });
  },
  unproven_jump: ({ offByUs, countedUs }) => (offByUs === undefined ? null : m.doubt_unproven_jump({ by: span(offByUs), counted: span(countedUs) })),
  from_the_future: ({ offByUs }) => (offByUs === undefined ? null : m.doubt_future({ by: span(offByUs) })),
  decreasing_stamp: ({ offByUs }) => (offByUs === undefined ? null : m.doubt_decreasing({ by: span(offByUs) })),
  rebase: ({ offByUs, boundUs }) => (offByUs === undefined ? null : m.doubt_rebase({ by: span(offByUs), bound: span(boundUs) })),
  late_report: ({ offByUs, boundUs, unverifiedUs }) =>
    offByUs === undefined ? null : m.doubt_late_report({ by: span(offByUs), bound: span(boundUs), unverified: span(unverifiedUs) }),
  unverified: ({ number, unverifiedUs }) => (unverifiedUs === undefined ? null : m.doubt_unverified({ n: number, unverified: span(unverifiedUs) })),
  one_sided: ({ side, offByUs, boundUs }) => {
    if (offByUs === undefined) return null;
    const figures = { by: span(offByUs), bound: span(boundUs) };
    return side === Side.BLACK ? m.doubt_one_sided_black(figures) : m.doubt_one_sided_white(figures);
  },
  unchecked_time: ({ unverifiedUs }) => (unverifiedUs === undefined ? null : m.doubt_unchecked_time({ time: span(unverifiedUs) })),
  sum_check: ({ whiteUs, blackUs, elapsedUs, boundUs }) =>
    elapsedUs === undefined ? null : m.doubt_sum_check({ white: span(whiteUs), black: span(blackUs), elapsed: span(elapsedUs), bound: span(boundUs) }),
  log_rewritten: ({ keptRecords, logRecords }) =>
    logRecords === 0n ? null : m.doubt_log_rewritten({ kept: keptRecords.toString(), records: logRecords.toString() }),
  wrong_pins: ({ number }) => (number === 0 ? null : m.doubt_wrong_pins({ n: number })),
  forged_correction: ({ arbiter }) => (arbiter === "" ? null : m.doubt_forged_correction({ name: isolated(arbiter) })),
};
/** The kinds of notes whose sentence has figures, exported for tests. */
export const FIGURED_KINDS: readonly string[] = Object.keys(SENTENCES);

const SECOND = 1e6;
const MINUTE = 60 * SECOND;

/** Returns the sentence of a kind with its figures; null if the sentence of this kind has no figures, or if a figure is missing. */
export function doubtWords(kind: string, figures: NoteFigures | undefined): string | null {
  return figures ? (SENTENCES[kind]?.(figures) ?? null) : null;
}

/** Formats a length of time: to the millisecond below ten seconds, to the tenth below one minute, then to the second. */
export function span(us: bigint | undefined): string {
  const size = Math.abs(Number(us ?? 0n));
  if (size >= MINUTE) return ageText(size);
  const seconds = new Intl.NumberFormat(getLocale(), { maximumFractionDigits: size < 10 * SECOND ? 3 : 1 });
  return `${seconds.format(size / SECOND)}\u00a0s`;
}
