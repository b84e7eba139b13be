// Runs before each file of unit tests. Loads every language, because the page fetches only the one it shows, and resets what an earlier
// file may have changed: the files share their modules.
import { vi } from "vitest";
import { loadWords, locales, setLocale } from "$lib/words/catalogue.js";
import { setAhead, setZone } from "$lib/words/day-time.js";

vi.unstubAllGlobals();
vi.useRealTimers();
await Promise.all(locales.map(loadWords));
setLocale("en");
setZone("");
setAhead(0);
