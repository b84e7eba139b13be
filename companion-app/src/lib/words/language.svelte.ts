// The language of the app: the arbiter's choice, or else the device's language.

import { isLocale, loadWords, locales, setLocale, type Locale } from "./catalogue.js";
import { directionOf, languageFor } from "./languages.js";

/** The key in local storage. A previously used library chose it, and it is kept so that stored choices stay valid. */
const STORE = "PARAGLIDE_LOCALE";

class Language {
  tag: Locale = $state(languageFor([stored(), ...navigator.languages]));
  readonly all: readonly Locale[] = locales;

  async load(): Promise<void> {
    await loadWords(this.tag);
    setLocale(this.tag);
  }

  /** Changes the language once its messages are loaded. If they cannot be loaded, the language stays unchanged. */
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
    // Without storage, the choice lasts until the page is closed.
  }
}
