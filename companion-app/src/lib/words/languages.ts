// The languages of the screens, by their own names. To add a language, add a message file and a line here.

import type { Locale } from "./catalogue.js";

export const LANGUAGES: Readonly<Record<Locale, string>> = { en: "English", de: "Deutsch", fr: "Français", es: "Español" };

const RIGHT_TO_LEFT: readonly string[] = ["ar", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"];

/** Returns the first preferred language that exists (`de` for `de-AT`), or else English. */
export function languageFor(preferred: readonly (string | null)[]): Locale {
  const known = Object.keys(LANGUAGES) as Locale[];
  for (const tag of preferred) {
    const found = known.find((locale) => locale === tag?.toLowerCase().split("-")[0]);
    if (found) return found;
  }
  return "en";
}

export function directionOf(tag: string): "ltr" | "rtl" {
  return RIGHT_TO_LEFT.includes(tag.split("-")[0] ?? "") ? "rtl" : "ltr";
}
