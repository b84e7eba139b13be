// Loads every language before a test reads a message: the page fetches only the one it shows.
import { loadWords, locales, setLocale } from "$lib/words/catalogue.js";

await Promise.all(locales.map(loadWords));
setLocale("en");
