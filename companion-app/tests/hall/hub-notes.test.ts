// Problems with the hub itself stay on top of every view, in the arbiter's language.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Rig } from "./rig.js";

let rig: Rig;
let page: Page;
beforeAll(async () => {
  // The threshold is about ten tebibytes. No disk here has even a quarter of that free, so the note is critical.
  rig = await Rig.start({ boards: { "1": "60m", "2": "60m" }, serve: ["--note-low-space", "10000000"] });
  page = await rig.page();
});
afterAll(() => rig.stop());

test("a nearly full disk is shown above every view and never covers it", { timeout: 120_000 }, async () => {
  for (const view of ["hall", "round", "clocks", "standings", "board/1"]) {
    await page.goto(`${rig.url}#/${view}`);
    const note = page.locator(".hub-note", { hasText: "free some space now" });
    await note.waitFor();
    const [above, bar] = await Promise.all([note.boundingBox(), page.locator(".bar").first().boundingBox()]);
    expect((above?.y ?? 0) + (above?.height ?? 0), view).toBeLessThanOrEqual((bar?.y ?? 0) + 1);
  }
});

test("it is worded in the arbiter's language", { timeout: 120_000 }, async () => {
  for (const [locale, words] of [
    ["de", "Der Datenträger des Hubs ist fast voll"],
    ["fr", "Le disque du hub est presque plein"],
    ["es", "El disco del hub está casi lleno"],
  ] as const) {
    const other = await rig.page({ locale });
    await other.locator(".hub-note", { hasText: words }).waitFor();
    await other.context().close();
  }
});
