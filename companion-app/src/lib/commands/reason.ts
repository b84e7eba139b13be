// The reasons that an arbiter types, in the form in which the log stores them. Pure.
//
// Repeats the hub's limits, so that a reason that the hub would refuse is rejected as it is typed.

import { m } from "$gen/words/messages.js";

const MAX_BYTES = 300;
/** The separator between a chosen reason and typed text. */
const BETWEEN = ": ";

/** Invisible characters that change how the surrounding text reads. `timing::text` forbids the same characters. */
const HIDDEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e00ff}]/u;
/** A joiner that is not between two non-ASCII characters. */
const JOINER = /(?:^|\p{ASCII})([\u200c\u200d])|([\u200c\u200d])(?![^\p{ASCII}])/u;

/** Returns why the hub would refuse this reason; empty if the reason is valid. */
export function reasonFault(reason: string): string {
  const n = new TextEncoder().encode(reason).length;
  if (n > MAX_BYTES) return m.reason_long({ n, most: MAX_BYTES });
  const joiner = JOINER.exec(reason);
  const found = HIDDEN.exec(reason)?.[0] ?? joiner?.[1] ?? joiner?.[2];
  return found === undefined ? "" : m.rule_hidden({ name: `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}` });
}

export function joined(chosen: string, own: string): string {
  return [chosen, own.trim()].filter((part) => part !== "").join(BETWEEN);
}

/** Splits a reason made by `joined` into the reason chosen from `known` and the typed text. */
export function splitReason(reason: string, known: readonly string[]): { chosen: string; own: string } {
  const chosen = known.find((one) => reason === one || reason.startsWith(one + BETWEEN)) ?? "";
  return { chosen, own: chosen === "" ? reason : reason.slice(chosen.length + BETWEEN.length) };
}
