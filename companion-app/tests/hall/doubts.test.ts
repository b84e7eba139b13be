// A dishonest clock: its note appears on the tile, in the strip, on the board and among the clocks, until an arbiter acknowledges it.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Rig, until } from "./rig.js";

let rig: Rig;
let chief: Page;
let viewer: Page;

beforeAll(async () => {
  rig = await Rig.start({ boards: { "1": "60m", "2": "60m" }, alone: { "2": {} } });
  [chief, viewer] = [await rig.page(), await rig.page({}, "viewer", "Ray, Vic")];
});
afterAll(async () => rig.stop());

test("a copied clock raises one doubt, which a viewer never sees and an arbiter ends", async () => {
  rig.copyAlone("2");
  const tile = chief.locator('.tile[data-board="2"]');
  await tile.locator(".chip.doubt").waitFor();
  expect(await tile.locator(".say").textContent()).toContain("Suspect clock.");
  expect(await chief.locator('.tile[data-board="1"] .chip.doubt').count()).toBe(0);
  expect(await chief.locator(".urg.doubt strong").textContent()).toBe("Suspect clock");
  expect(await viewer.locator(".chip.doubt, .urg.doubt").count()).toBe(0);

  await chief.goto(`${rig.url}#/clocks`);
  const alert = chief.locator(".inventory tr", { hasText: "A second clock with the same identity" });
  await alert.getByRole("button", { name: "Mark as seen" }).waitFor();

  await chief.goto(`${rig.url}#/board/2`);
  const note = chief.locator(".slip.doubt:not(.call-line)");
  await note.waitFor();
  expect(await note.locator("p").textContent()).toMatch(/same identity.*refused.*since /i);
  // The copied clock keeps trying, so the count may grow between the check and the tap.
  await rig.stopAlone("2");
  await until("no note waits", async () => {
    const button = note.getByRole("button", { name: "Mark as seen" });
    if (await button.isVisible()) await button.click({ timeout: 2000 }).catch(() => undefined);
    return (await note.count()) === 0;
  });
  expect(await chief.locator(".says.refused").count()).toBe(0);
  expect(await rig.ctl("log", "2")).toMatch(/note \(second_link[^)]*\) seen by Doe, Jane/);
});
