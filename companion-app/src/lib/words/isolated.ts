// Isolates names inside sentences, because a right-to-left name must not reorder a score or a time beside it. A name that is alone in its
// element needs only a `bdi` element.
//
// Owns the isolating characters, U+2068 and U+2069. Must never change a name in any other way.

/** Letters of right-to-left scripts, and characters that set this direction. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

export function isolated(name: string): string {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}

export function pairOf(white: string, black: string): string {
  return `${isolated(white)} – ${isolated(black)}`;
}
