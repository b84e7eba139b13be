// The languages there are, by their own names. Another one is a file of messages and a line here.

import type { Locale } from "$gen/words/runtime.js";

export const LANGUAGES: Readonly<Record<Locale, string>> = { en: "English", de: "Deutsch", fr: "Français", es: "Español" };

/** Languages whose lines begin at the right. */
const RIGHT_TO_LEFT: readonly string[] = ["ar", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"];

export function directionOf(tag: string): "ltr" | "rtl" {
  return RIGHT_TO_LEFT.includes(tag.split("-")[0] ?? "") ? "rtl" : "ltr";
}
