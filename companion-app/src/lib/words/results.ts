// Results as on score sheets, for the app and the public pages: `1–0`, `½–½`, `+:–`.
//
// Owns the marks of a result. Pure, without points or language.

/** Both halves of a result, White's first: `1`, `½`, `0`, or `+` and `–` in an unplayed game. */
export type Halves = readonly [string, string];

/** The results by their codes: those of PGN, with an `f` for an unplayed game. */
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

/** Returns each side's score; null for a text that is no result. The hub writes a draw's half as `½`. */
export function scores(result: string | null | undefined): Halves | null {
  return HALVES[(result ?? "").replaceAll("½", "1/2")] ?? null;
}

/** Joins the halves by a dash; by a colon in an unplayed game, where a half may be a dash. */
export function halvesText([white, black]: Halves): string {
  return "+–".includes(white) && "+–".includes(black) ? `${white}:${black}` : `${white}–${black}`;
}

/** Formats a result by its code; a count or an unknown code is returned unchanged. */
export function resultText(result: string): string {
  const halves = scores(result);
  return halves ? halvesText(halves) : result;
}

/** Reports whether one side's half of a result is a win. */
export function isWon(half: string): boolean {
  return half === "1" || half === "+";
}
