// The language of the app: the device's, or the one the arbiter chose.

import { getLocale, isLocale, locales, overwriteGetLocale, setLocale, type Locale } from "$gen/words/runtime.js";
import { loadWords } from "$gen/words/tables.js";
import { directionOf } from "./languages.js";

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
