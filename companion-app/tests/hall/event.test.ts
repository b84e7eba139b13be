// The event in the app: a file from a pairing program and its differences, explained standings, the confirmation of a round.

import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Rig } from "./rig.js";

const sample = fileURLToPath(new URL("../../../tests/samples/harbour-cup.trf", import.meta.url));
let rig: Rig;
let page: Page;
beforeAll(async () => {
  rig = await Rig.start({ boards: { "1": "90m+30s", "2": "90m+30s" } });
  page = await rig.page();
});
afterAll(() => rig.stop());

test("a file is imported after its differences were shown", async () => {
  await page.goto(`${rig.url}#/standings`);
  await page.getByRole("button", { name: "Import…" }).click();
  await page.setInputFiles('dialog input[type="file"]', sample);
  await page.locator(".diff li", { hasText: "New event: Harbour Cup 2026" }).waitFor();
  expect(await page.locator(".stand tbody tr").count()).toBe(0);
  await page.locator("dialog footer .pri").click();
  await page.locator(".stand tbody tr", { hasText: "Alpha, Anna" }).waitFor();
  await page.locator(".bar .ev", { hasText: "Harbour Cup 2026" }).waitFor();
});

test("a place in the standings is explained", async () => {
  await page.locator(".stand .pl button", { hasText: "Bravo, Bea" }).click();
  const why = page.locator(".stand td.why");
  await why.waitFor();
  expect((await why.textContent())?.length).toBeGreaterThan(40);
  // All games of the three rounds have results, so their standings are final although round 4 has not been played.
  expect(await page.locator(".chip.provisional").count()).toBe(0);
});

test("the cross table and a player's card", async () => {
  await page.getByRole("tab", { name: "Cross table" }).click();
  await page.locator(".cross tbody tr").first().waitFor();
  const numbers = await page.locator(".cross tbody tr td:first-child").allTextContents();
  expect(numbers).toEqual(["1", "2", "3", "4", "5"]);
  expect(await page.locator(".cross thead th").last().textContent()).toBe("Place");
  expect(await page.locator(".cross tbody tr", { hasText: "Alpha, Anna" }).locator("td").nth(1).textContent()).toBe("4w1");
  await page.getByRole("tab", { name: "Players" }).click();
  await page.locator(".stand .pl button", { hasText: "Alpha, Anna" }).click();
  await page.locator("dialog tr", { hasText: "Charlie, Cid" }).waitFor();
  await page.locator("dialog").getByRole("button", { name: "Close" }).click();
});

test("a file without news changes nothing; an unreadable one reports where", async () => {
  await page.getByRole("button", { name: "Import…" }).click();
  await page.setInputFiles('dialog input[type="file"]', sample);
  await page.locator("dialog", { hasText: "The file contains no changes." }).waitFor();
  await page.setInputFiles('dialog input[type="file"]', { name: "broken.trf", mimeType: "text/plain", buffer: Buffer.from("012 Cup\n001 not a player\n") });
  await page.locator("dialog .slip.refused").waitFor();
  await page.locator("dialog").getByRole("button", { name: "Close" }).click();
});

test("the chief arbiter confirms the finished round", async () => {
  await page.goto(`${rig.url}#/round`);
  await page.getByRole("button", { name: "Confirm the round…" }).click();
  await page.locator("dialog footer .pri").click();
  await page.locator('.steps li[aria-current="step"]', { hasText: "Confirmed" }).waitFor();
});
