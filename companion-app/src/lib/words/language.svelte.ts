// The language of the app: the device's, or the one the arbiter chose. Another one is a file of messages and a line here.

import { getLocale, isLocale, locales, overwriteGetLocale, setLocale, type Locale } from "$gen/words/runtime.js";

export const LANGUAGES: Record<Locale, string> = { en: "English", de: "Deutsch", fr: "Français", es: "Español" };

/** Languages whose lines begin at the right. */
const RIGHT_TO_LEFT: readonly string[] = ["ar", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"];

export function directionOf(tag: string): "ltr" | "rtl" {
  return RIGHT_TO_LEFT.includes(tag.split("-")[0] ?? "") ? "rtl" : "ltr";
}

class Language {
  #now = getLocale();
  tag: Locale = $state(this.#now);
  readonly all: readonly Locale[] = locales;

  constructor() {
    // Or each word of each tile would be looked for in the device's storage first.
    overwriteGetLocale(() => this.#now);
  }

  choose(tag: string): void {
    if (!isLocale(tag)) return;
    void setLocale(tag, { reload: false });
    this.#now = tag;
    this.tag = tag;
    this.dress();
  }

  dress(): void {
    document.documentElement.lang = this.tag;
    document.documentElement.dir = directionOf(this.tag);
  }
}

export const language = new Language();
