// Dates of the event in the reader's language.

import { getLocale } from "$lib/words/catalogue.js";

/** Formats `2026-11-20`, in English as `20 November 2026`. @param {string} iso */
export function dayText(iso) {
  const day = new Date(`${iso}T12:00:00Z`);
  const lang = getLocale();
  return Number.isNaN(day.getTime()) ? iso : day.toLocaleDateString(lang === "en" ? "en-GB" : lang, { dateStyle: "long", timeZone: "UTC" });
}
