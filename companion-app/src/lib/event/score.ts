// Scores as people write them: 2½, 12¼, −½. Other decimals use the decimal mark of the reader's language. The hub sends exact decimals, or
// hundredths.
//
// Owns the format of scores in the app and on the public pages.

import { getLocale } from "$lib/words/catalogue.js";

const FRACTIONS: Readonly<Record<string, string>> = { "0": "", "00": "", "5": "½", "50": "½", "25": "¼", "75": "¾" };

/** Splits a multiple of ¼ with one or two decimals into its whole part and its fraction: `2.50` into `["2", "½"]`. Returns null for other text. */
export function quarters(text: string): [string, string] | null {
  const [, minus, whole, decimals] = /^(-?)(\d+)\.(\d+)$/.exec(text) ?? [];
  const fraction = FRACTIONS[decimals ?? ""];
  if (whole === undefined || fraction === undefined) return null;
  return [(minus ? "−" : "") + (whole === "0" && fraction ? "" : whole), fraction];
}

/** Formats a score: `2.5` as `2½`, and `0.667` as `0,667` in German. */
export function scoreText(text: string): string {
  return quarters(text)?.join("") ?? decimalText(text);
}

/** Formats a decimal number with a true minus sign and the decimal mark of the reader's language. */
export function decimalText(text: string): string {
  const signed = text.replace("-", "−");
  return getLocale() === "en" ? signed : signed.replace(/(\d)\.(\d)/, "$1,$2");
}

export function points(hundredths: bigint): string {
  const size = hundredths < 0n ? -hundredths : hundredths;
  return scoreText(`${hundredths < 0n ? "-" : ""}${size / 100n}.${String(size % 100n).padStart(2, "0")}`);
}

/** Returns true if a column can show all its numbers in quarters, so that the column has a single format. */
export function inQuarters(column: readonly string[]): boolean {
  return column.every((text) => quarters(text) !== null || !text.includes("."));
}

/** Returns the indexes of the tie-breaks that need a column. A score named first in the list already has a column. */
export function ownColumns(list: readonly { code: string }[]): number[] {
  const score = /^(PTS|MPTS|GPTS)\b/;
  return list.flatMap(({ code }, at) => (at === 0 && score.test(code) ? [] : [at]));
}
