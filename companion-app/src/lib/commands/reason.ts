// Reasons in an arbiter's own words, as the log keeps them beside a command. Pure.
//
// Owns the bounds that the hub sets, so that a reason it would refuse is refused while it is typed.

import { m } from "$gen/words/messages.js";

/** The longest reason that the hub takes, in bytes. */
const MAX_BYTES = 300;
/** Stands between a chosen reason and the arbiter's own words. */
const BETWEEN = ": ";

/** Characters that show nothing of themselves and change how the text around them reads, as in `timing::text` of the hub. */
const HIDDEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e00ff}]/u;
/** A joiner that does not join two letters of a script that needs it. */
const JOINER = /(?:^|\p{ASCII})([\u200c\u200d])|([\u200c\u200d])(?![^\p{ASCII}])/u;

/** Why the hub would not take this reason; empty if it would. */
export function reasonFault(reason: string): string {
  const n = new TextEncoder().encode(reason).length;
  if (n > MAX_BYTES) return m.reason_long({ n, most: MAX_BYTES });
  const joiner = JOINER.exec(reason);
  const found = HIDDEN.exec(reason)?.[0] ?? joiner?.[1] ?? joiner?.[2];
  return found === undefined ? "" : m.rule_hidden({ name: `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}` });
}

/** A chosen reason and the arbiter's own words as one; either may be empty. */
export function joined(chosen: string, own: string): string {
  return [chosen, own.trim()].filter((part) => part !== "").join(BETWEEN);
}

/** The parts of a reason that `joined` made: the one of `known` that was chosen, and what was typed. */
export function parted(reason: string, known: readonly string[]): { chosen: string; own: string } {
  const chosen = known.find((one) => reason === one || reason.startsWith(one + BETWEEN)) ?? "";
  return { chosen, own: chosen === "" ? reason : reason.slice(chosen.length + BETWEEN.length) };
}
