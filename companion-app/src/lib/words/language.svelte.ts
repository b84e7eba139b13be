// The language of the app: the device's, or the one the arbiter chose.

import { isLocale, loadWords, locales, setLocale, type Locale } from "./catalogue.js";
import { directionOf, languageFor } from "./languages.js";

/** Keeps the name used by the library that previously stored the choice. */
const STORE = "PARAGLIDE_LOCALE";

class Language {
  tag: Locale = $state(languageFor([stored(), ...navigator.languages]));
  readonly all: readonly Locale[] = locales;

  /** Fetches the words of the language that is shown first. */
  async load(): Promise<void> {
    await loadWords(this.tag);
    setLocale(this.tag);
  }

  /** Changes to another language once its words are loaded. Without the hub they cannot be fetched, and the language stays. */
  async choose(tag: string): Promise<void> {
    if (!isLocale(tag)) return;
    try {
      await loadWords(tag);
    } catch {
      return;
    }
    store(tag);
    setLocale(tag);
    this.tag = tag;
    this.dress();
  }

  dress(): void {
    document.documentElement.lang = this.tag;
    document.documentElement.dir = directionOf(this.tag);
  }
}

export const language = new Language();

function stored(): string | null {
  try {
    return localStorage.getItem(STORE);
  } catch {
    return null;
  }
}

function store(tag: Locale): void {
  try {
    localStorage.setItem(STORE, tag);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}
