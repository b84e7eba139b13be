// Formats results as on score sheets, for the app and the public pages: `1–0`, `½–½`, `+:–`.
//
// Owns the symbols in results. Pure; does not depend on points or language.

/** Both halves of a result, White's first: `1`, `½`, `0`, or `+` and `–` in an unplayed game. */
export type Halves = readonly [string, string];

/** The results by code: both scores in the style of PGN, with an `f` for an unplayed game. */
const HALVES: Readonly<Record<string, Halves>> = {
  "1-0": ["1", "0"],
  "0-1": ["0", "1"],
  "1/2-1/2": ["½", "½"],
  "0-0": ["0", "0"],
  "1/2-0": ["½", "0"],
  "0-1/2": ["0", "½"],
  "1-1": ["1", "1"],
  "1-1/2": ["1", "½"],
  "1/2-1": ["½", "1"],
  "1-0f": ["+", "–"],
  "0-1f": ["–", "+"],
  "0-0f": ["–", "–"],
};

/** Returns each side's score; null if the text is not a result. In a draw the hub may write `½` for `1/2`. */
export function scores(result: string | null | undefined): Halves | null {
  return HALVES[(result ?? "").replaceAll("½", "1/2")] ?? null;
}

/** Joins both halves with a dash. An unplayed game gets a colon, because a half may itself be a dash. */
export function halvesText([white, black]: Halves): string {
  return "+–".includes(white) && "+–".includes(black) ? `${white}:${black}` : `${white}–${black}`;
}

/** Formats a result given by its code. A count of points or discs, or an unknown code, is returned unchanged. */
export function resultText(result: string): string {
  const halves = scores(result);
  return halves ? halvesText(halves) : result;
}

export function isWon(half: string): boolean {
  return half === "1" || half === "+";
}
