// The language of the app: the device's, or the one the arbiter chose. Another one is a file of messages and a line here.

import { getLocale, isLocale, locales, overwriteGetLocale, setLocale, type Locale } from "$gen/words/runtime.js";
import { loadWords } from "$gen/words/tables.js";

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

  /** Fetches the words of the language that is shown first. */
  load(): Promise<void> {
    return loadWords(this.#now);
  }

  /** Changes to another language once its words are here; without the hub they cannot be fetched, and the language stays. */
  async choose(tag: string): Promise<void> {
    if (!isLocale(tag)) return;
    try {
      await loadWords(tag);
    } catch {
      return;
    }
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
