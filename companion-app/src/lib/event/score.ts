// Scores as people write them: 2½, 12¼, −½, and other decimals with the mark of the reader's language. The hub sends exact decimals, or
// hundredths.
//
// Owns the form of a score in the arbiters' app and on the public pages.

import { getLocale } from "$lib/words/catalogue.js";

const FRACTIONS: Readonly<Record<string, string>> = { "0": "", "00": "", "5": "½", "50": "½", "25": "¼", "75": "¾" };

/** Whole and fraction of a score in quarters, `["2", "½"]`; null for any other text. */
export function quarters(text: string): [string, string] | null {
  const [, minus, whole, decimals] = /^(-?)(\d+)\.(\d+)$/.exec(text) ?? [];
  const fraction = FRACTIONS[decimals ?? ""];
  if (whole === undefined || fraction === undefined) return null;
  return [(minus ? "−" : "") + (whole === "0" && fraction ? "" : whole), fraction];
}

/** `2.5` as `2½`, `0.667` as `0,667` in German; a text that is no number as it is. */
export function scoreText(text: string): string {
  return quarters(text)?.join("") ?? decimalText(text);
}

/** A decimal number with the minus sign of print and the decimal mark of the reader's language. */
export function decimalText(text: string): string {
  const signed = text.replace("-", "−");
  return getLocale() === "en" ? signed : signed.replace(/(\d)\.(\d)/, "$1,$2");
}

/** Hundredths of a point as a score. */
export function points(hundredths: bigint): string {
  const size = hundredths < 0n ? -hundredths : hundredths;
  return scoreText(`${hundredths < 0n ? "-" : ""}${size / 100n}.${String(size % 100n).padStart(2, "0")}`);
}

/** Whether every number of a column can be written in quarters: a column is written one way. */
export function inQuarters(column: readonly string[]): boolean {
  return column.every((text) => quarters(text) !== null || !text.includes("."));
}

/** The places of the tie-breaks with a column of their own: a list may name the score itself first, which has one already. */
export function ownColumns(list: readonly { code: string }[]): number[] {
  const score = /^(PTS|MPTS|GPTS)\b/;
  return list.flatMap(({ code }, at) => (at === 0 && score.test(code) ? [] : [at]));
}
