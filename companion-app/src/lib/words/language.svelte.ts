// The language of the app: the device's, or the one the arbiter chose. Another one is a file of messages and a line here.

import { getLocale, isLocale, locales, setLocale, type Locale } from "$gen/words/runtime.js";

export const LANGUAGES: Record<Locale, string> = { en: "English", de: "Deutsch", fr: "Français", es: "Español" };

class Language {
  tag: Locale = $state(getLocale());
  readonly all: readonly Locale[] = locales;

  choose(tag: string): void {
    if (!isLocale(tag)) return;
    void setLocale(tag, { reload: false });
    this.tag = tag;
    this.dress();
  }

  dress(): void {
    document.documentElement.lang = this.tag;
  }
}

export const language = new Language();
