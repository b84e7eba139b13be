// Runs before each file of unit tests. Loads every language, because the page itself loads only the one in use. Resets what an earlier file may
// have changed, because the files share their modules.
import { vi } from "vitest";
import { loadWords, locales, setLocale } from "$lib/words/catalogue.js";
import { setAhead, setZone } from "$lib/words/day-time.js";

vi.unstubAllGlobals();
vi.useRealTimers();
await Promise.all(locales.map(loadWords));
setLocale("en");
setZone("");
setAhead(0);
