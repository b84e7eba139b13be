// Results as score sheets have them, in the arbiters' app and on the public pages: `1–0`, `½–½`, `+:–`.
//
// Owns the marks of a result. Pure; knows no points and no language.

/** Both halves of a result, White's first: `1`, `½`, `0`, or `+` and `–` where no game was played. */
export type Halves = readonly [string, string];

/** The results by their codes: as PGN spells them, with an `f` where no game was played. */
const HALVES: Readonly<Record<string, Halves>> = {
  "1-0": ["1", "0"],
  "0-1": ["0", "1"],
  "1/2-1/2": ["½", "½"],
  "0-0": ["0", "0"],
  "1/2-0": ["½", "0"],
  "0-1/2": ["0", "½"],
  "1-0f": ["+", "–"],
  "0-1f": ["–", "+"],
  "0-0f": ["–", "–"],
};

/** What each side scored; null for what is no result of a game. The hub's texts have a draw's half as `½`. */
export function scores(result: string | null | undefined): Halves | null {
  return HALVES[(result ?? "").replaceAll("½", "1/2")] ?? null;
}

/** A dash between the halves, and a colon where no game was played, since a half may be a dash there. */
export function halvesText([white, black]: Halves): string {
  return "+–".includes(white) && "+–".includes(black) ? `${white}:${black}` : `${white}–${black}`;
}

/** A result by its code; a count or an unknown code is shown as it is. */
export function resultText(result: string): string {
  const halves = scores(result);
  return halves ? halvesText(halves) : result;
}

/** Whether a half of a result is what a win brings. */
export function isWon(half: string): boolean {
  return half === "1" || half === "+";
}
