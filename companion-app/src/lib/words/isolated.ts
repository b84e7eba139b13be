// Names inside sentences: a name that is written from right to left must not reorder what stands beside it, a score or a clock. Alone in an
// element a name is in a `bdi`.
//
// Owns the marks for it, U+2068 and U+2069. Must never change a name otherwise.

/** Letters of the scripts that are written from right to left, and what would set such a direction. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

export function isolated(name: string): string {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}

/** White's and Black's name. */
export function pairOf(white: string, black: string): string {
  return `${isolated(white)} – ${isolated(black)}`;
}
