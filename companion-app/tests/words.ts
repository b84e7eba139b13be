// Prepares each file of tests: every language is loaded, because the page fetches only the one it shows, and nothing of another file's tests
// remains. All files share their modules.
import { vi } from "vitest";
import { loadWords, locales, setLocale } from "$lib/words/catalogue.js";
import { setAhead, setZone } from "$lib/words/day-time.js";

vi.unstubAllGlobals();
vi.useRealTimers();
await Promise.all(locales.map(loadWords));
setLocale("en");
setZone("");
setAhead(0);
