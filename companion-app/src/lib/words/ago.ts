// Formats ages in the arbiter's language: "4 min ago".

import { getLocale } from "$lib/words/catalogue.js";

const SECOND_US = 1e6;
/** The units and their lengths in seconds, longest first. */
const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

/** Formats an age in the largest unit of which at least one has passed, or in seconds below one second. */
export function agoText(us: number): string {
  const seconds = Math.max(0, Math.floor(us / SECOND_US));
  const [unit, size] = UNITS.find(([, length]) => seconds >= length) ?? (["second", 1] as const);
  return new Intl.RelativeTimeFormat(getLocale(), { style: "short" }).format(-Math.floor(seconds / size), unit);
}
