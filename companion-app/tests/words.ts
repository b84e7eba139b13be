// Every language is there before a test reads a word: the page fetches only the one it shows.
import { locales } from "$gen/words/runtime.js";
import { loadWords } from "$gen/words/tables.js";

await Promise.all(locales.map(loadWords));
