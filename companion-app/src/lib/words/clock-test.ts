// The findings of a clock test, in the arbiter's language.
//
// Owns the sentences. Must never decide whether a clock passed: the hub decides, and these sentences only name the figures that miss the
// limits.

import { m } from "$gen/words/messages.js";
import { getLocale } from "./catalogue.js";

export interface Measured {
  askedUs: bigint;
  /** The instant at which the press arrived; absent if no press arrived. */
  heardUs?: bigint | undefined;
  /** Lower bound of the press's stamp on the hub's timeline. `estUs` is the estimate, `hiUs` the upper bound. Absent without a time exchange. */
  loUs?: bigint | undefined;
  estUs?: bigint | undefined;
  hiUs?: bigint | undefined;
  ratePpb?: bigint | undefined;
  /** The hub's reasons for a failure, in English; empty if the clock passed. */
  findings: readonly string[];
}

/** The measured error and the limits of the test. A test read from the log has none of them. */
export interface Limits {
  errorUs?: bigint | undefined;
  limitErrorUs?: bigint;
  limitIntervalUs?: bigint;
  limitRatePpb?: bigint;
}

/** Describes why a clock failed; empty if it passed. */
export function findingWords(one: Measured, limits: Limits): string[] {
  if (one.findings.length === 0) return [];
  if (one.heardUs === undefined) return [m.test_no_press()];
  if (one.estUs === undefined || one.loUs === undefined || one.hiUs === undefined) return [m.test_no_exchange()];
  const found: string[] = [];
  if (one.hiUs < one.askedUs || one.loUs > one.heardUs) found.push(m.test_outside());
  const { errorUs, limitErrorUs, limitIntervalUs, limitRatePpb } = limits;
  if (errorUs !== undefined && limitErrorUs !== undefined && errorUs > limitErrorUs) found.push(m.test_error({ error: ms(errorUs), limit: ms(limitErrorUs) }));
  const width = (one.hiUs - one.loUs + 1n) / 2n;
  if (limitIntervalUs !== undefined && width > limitIntervalUs) found.push(m.test_offset({ width: ms(width), limit: ms(limitIntervalUs) }));
  if (limitRatePpb !== undefined && one.ratePpb !== undefined && size(one.ratePpb) >= limitRatePpb)
    found.push(m.test_drift({ limit: String(limitRatePpb / 1000n) }));
  return found.length > 0 ? found : [m.test_failed()];
}

function size(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function ms(us: bigint): string {
  return `${new Intl.NumberFormat(getLocale(), { minimumFractionDigits: 3 }).format(Number(us) / 1000)} ms`;
}
