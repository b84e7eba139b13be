// Scores and results as people write them: 2½, 12¼, 1–0. The hub sends exact decimals.

/** @type {Record<string, string>} */
const FRACTIONS = { "0": "", "00": "", "5": "½", "50": "½", "25": "¼", "75": "¾" };

/**
 * Whole and fraction of a score in quarters, `["2", "½"]`; null for any other text.
 * @param {string} text
 * @returns {[string, string] | null}
 */
export function quarters(text) {
  const match = /^(-?)(\d+)\.(\d+)$/.exec(text);
  if (!match) return null;
  const [, minus, whole, decimals] = match;
  const fraction = FRACTIONS[decimals];
  if (fraction === undefined) return null;
  return [(minus ? "−" : "") + (whole === "0" && fraction ? "" : whole), fraction];
}

/** `2.5` as `2½`; what has no such form as it is. @param {string} text */
export function scoreText(text) {
  return quarters(text)?.join("") ?? text.replace("-", "−");
}

/**
 * Whether every number of a column can be written in quarters: a column is written one way.
 * @param {string[]} column
 */
export function inQuarters(column) {
  return column.every((text) => quarters(text) !== null || !text.includes("."));
}

/**
 * What stands between the halves of a result: a dash, or a colon where the game was not played and a half may be a dash.
 * @param {{white: string, black: string}} result
 */
export function resultText({ white, black }) {
  return "+–".includes(white) && "+–".includes(black) ? `${white}:${black}` : `${white}–${black}`;
}

/**
 * Which tie-breaks have a column of their own: a list may name the score itself first, which has one already.
 * @param {{code: string}[]} list
 * @returns {number[]} their places in the list
 */
export function ownColumns(list) {
  const score = /^(PTS|MPTS|GPTS)\b/;
  return list.map((_, index) => index).filter((index) => index > 0 || !score.test(list[0].code));
}

/** `3rd`, `21st`. @param {number} place */
export function ordinal(place) {
  const teen = place % 100 > 10 && place % 100 < 14;
  return `${place}${teen ? "th" : ({ 1: "st", 2: "nd", 3: "rd" }[place % 10] ?? "th")}`;
}

/** `20 November 2026` of `2026-11-20`. @param {string} iso */
export function dayText(iso) {
  const day = new Date(`${iso}T12:00:00Z`);
  return Number.isNaN(day.getTime()) ? iso : day.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
}
