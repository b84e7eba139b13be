// The message catalogue: the languages, the tables loaded so far, and the current language. The tables are generated from messages/*.json
// (dev/words.mjs). Must never choose a language: language.svelte.ts and, on the public pages, language.js do.

import { TABLES } from "$gen/words/tables.js";

export type Slot = string | number | bigint;
type Slots = Readonly<Record<string, Slot>>;

export type Message = string | ((slots: Slots) => string);

export type Locale = keyof typeof TABLES;
export const locales = Object.keys(TABLES) as Locale[];

const loaded = new Map<Locale, readonly Message[]>();
let current: Locale = "en";
let table: readonly Message[] = [];
let plural = new Intl.PluralRules(current);

export const isLocale = (tag: string): tag is Locale => Object.hasOwn(TABLES, tag);

export const getLocale = (): Locale => current;

export async function loadWords(tag: Locale): Promise<void> {
  if (!loaded.has(tag)) loaded.set(tag, (await TABLES[tag]()).default);
}

/** Sets the current language, whose messages must be loaded. */
export function setLocale(tag: Locale): void {
  const found = loaded.get(tag);
  if (!found) throw new Error(`the messages of ${tag} are not loaded`);
  [current, table, plural] = [tag, found, new Intl.PluralRules(tag)];
}

/** Returns true if the current language uses its singular form for a number, as French does for 0. */
export const isOne = (n: Slot | undefined): boolean => plural.select(Number(n)) === "one";

/** Returns the function that reads the message with this index. */
export function say(at: number): (slots?: Slots) => string {
  return (slots) => {
    const message = table[at];
    return typeof message === "function" ? message(slots ?? {}) : (message ?? "");
  };
}
