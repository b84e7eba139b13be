// The catalogue of messages: which languages there are, the table of each one that is loaded, and the language that messages are read in.
// The tables themselves are generated from messages/*.json (dev/words.mjs). Must never choose a language: language.svelte.ts does.

import { TABLES } from "$gen/words/tables.js";

/** What a message shows in place of a slot. */
export type Slot = string | number | bigint;
type Slots = Readonly<Record<string, Slot>>;

/** One message of one language: its text, or what makes it from its slots. */
export type Message = string | ((slots: Slots) => string);

export type Locale = keyof typeof TABLES;
export const locales = Object.keys(TABLES) as Locale[];

const loaded = new Map<Locale, readonly Message[]>();
let current: Locale = "en";
let table: readonly Message[] = [];
let plural = new Intl.PluralRules(current);

export const isLocale = (tag: string): tag is Locale => Object.hasOwn(TABLES, tag);

/** Returns the language that messages are read in. */
export const getLocale = (): Locale => current;

/** Fetches the messages of a language. */
export async function loadWords(tag: Locale): Promise<void> {
  if (!loaded.has(tag)) loaded.set(tag, (await TABLES[tag]()).default);
}

/** Reads messages in another language from now on; its messages must have been loaded. */
export function setLocale(tag: Locale): void {
  const found = loaded.get(tag);
  if (!found) throw new Error(`the messages of ${tag} are not loaded`);
  [current, table, plural] = [tag, found, new Intl.PluralRules(tag)];
}

/** Reports whether the current language says "one" with this number: French does so with 0. */
export const isOne = (n: Slot | undefined): boolean => plural.select(Number(n)) === "one";

/** Returns the function that reads the message at this place of the tables. */
export function say(at: number): (slots?: Slots) => string {
  return (slots) => {
    const message = table[at];
    return typeof message === "function" ? message(slots ?? {}) : (message ?? "");
  };
}
