// From the FIDE list to the rating report in the app: the upload, the search, a player entered by hand, missing data and where to enter them, and
// the report's file.

import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Rig } from "./rig.js";

const HEADINGS =
  "ID Number      Name                                                         Fed Sex Tit  WTit OTit           FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag";
const line = (id: number, name: string, sex: string, title: string, standard: number, blitz: number): string =>
  `${String(id).padEnd(15)}${name.padEnd(61)}NOR ${sex.padEnd(4)}${title.padEnd(29)}${String(standard).padEnd(6)}0   20 0     0   20 ${String(blitz).padEnd(6)}0   20 1990      `;
const LIST = [
  HEADINGS,
  line(990000001, "Karlsten, Magne", "M", "GM", 2830, 2886),
  line(990000002, "Karlsten, Mona", "F", "WIM", 2210, 2100),
  line(990000003, "Søby, Karl", "M", "", 0, 0),
  "broken",
  "",
].join("\r\n");

let rig: Rig;
let page: Page;
let sheet: Locator;
beforeAll(async () => {
  rig = await Rig.start({ boards: { "1": "3m+2s" } });
  page = await rig.page();
  sheet = page.locator("dialog");
});
afterAll(() => rig.stop());

async function menu(item: string): Promise<void> {
  await page.getByRole("button", { name: "Event…" }).click();
  await sheet.getByRole("button", { name: item }).click();
}

test("an event is created, and its data are entered", async () => {
  await page.goto(`${rig.url}#/standings`);
  await menu("Event data");
  await sheet.getByLabel("Name", { exact: true }).fill("Harbour Blitz");
  await sheet.getByLabel("Rounds", { exact: true }).fill("2");
  await sheet.getByLabel("Time control (TRF26 code)").fill("180+2");
  await sheet.getByLabel("First day").fill("2026-11-20");
  await sheet.getByLabel("Round 1").fill("2026-11-20");
  expect(await sheet.locator(".dates input").count()).toBe(2);
  await sheet.getByRole("button", { name: "Save" }).click();
  await page.locator(".bar .ev", { hasText: "Harbour Blitz" }).waitFor();
  await sheet.waitFor({ state: "detached" });
});

test("a FIDE list is uploaded, and an invalid file leaves it", async () => {
  await menu("FIDE list…");
  await sheet.getByText("The hub has no FIDE list.").waitFor();
  await page.setInputFiles('dialog input[type="file"]', { name: "players_oct26.txt", mimeType: "text/plain", buffer: Buffer.from(LIST) });
  await sheet.getByRole("button", { name: "Import" }).click();
  await sheet.getByText("2026-10 list").waitFor();
  await sheet.getByText("3 players").waitFor();
  await sheet.getByText("1 line could not be read").click();
  await sheet.getByText("Line 5: “broken” is not a FIDE ID.").waitFor();
  await page.setInputFiles('dialog input[type="file"]', { name: "cut.xml", mimeType: "text/xml", buffer: Buffer.from("<playerslist><player>") });
  await sheet.getByRole("button", { name: "Import" }).click();
  await sheet.locator(".slip.refused", { hasText: "download it again" }).waitFor();
  await sheet.getByText("2026-10 list").waitFor();
  await sheet.getByRole("button", { name: "Close" }).click();
});

test("players are added from the list and by typing", async () => {
  await page.getByRole("tab", { name: "Players" }).click();
  await page.getByRole("button", { name: "Add player…" }).click();
  const search = sheet.getByRole("searchbox");
  await search.fill("kar");
  await sheet.locator(".found .btn").nth(2).waitFor();
  await search.fill("mag karl");
  await sheet.getByRole("button", { name: "Karlsten, Magne" }).click();
  expect(await sheet.getByLabel("Rating", { exact: true }).inputValue()).toBe("2886");
  await sheet.getByLabel("Club").fill("Narvik");
  await sheet.getByRole("button", { name: "Add player" }).click();
  await sheet.getByText("Player 1 added: Karlsten, Magne").waitFor();
  await search.fill("zulu");
  await sheet.getByText("Not in the FIDE list.").waitFor();
  const name = sheet.getByLabel("Name (Last, First)");
  await name.fill("Zulu, Zoe");
  // Clicks the button and focuses the field in one step, so that the hub's answer arrives after the field has the focus.
  const add = await sheet.getByRole("button", { name: "Add player" }).elementHandle();
  await name.evaluate((field, button) => {
    if (button instanceof HTMLElement) button.click();
    field.focus();
  }, add);
  await sheet.getByText("Player 2 added: Zulu, Zoe").waitFor();
  expect(await name.evaluate((field) => document.activeElement === field)).toBe(true);
  await search.fill("magne");
  await sheet.getByText("already player 1").waitFor();
  await sheet.getByRole("button", { name: "Close" }).click();
  await page.locator(".stand tbody tr", { hasText: "GM Karlsten, Magne" }).waitFor();
});

test("missing data of the report lead to where they are entered", async () => {
  await menu("Rating report…");
  const finding = sheet.locator("li", { hasText: "Player 2, Zulu, Zoe: no FIDE ID." });
  await finding.getByRole("button", { name: "Edit…" }).click();
  await sheet.getByLabel("FIDE ID", { exact: true }).fill("990000099");
  await sheet.getByLabel("Sex").selectOption("Female");
  await sheet.getByRole("button", { name: "Save" }).click();
  await sheet.waitFor({ state: "detached" });
  await menu("Rating report…");
  await sheet.locator("li", { hasText: "Round 2 has no date." }).waitFor();
  expect(await sheet.locator("li", { hasText: "no FIDE ID" }).count()).toBe(0);
  await sheet.locator("li", { hasText: "The city is missing." }).waitFor();
  const [file] = await Promise.all([page.waitForEvent("download"), sheet.getByRole("button", { name: "Download TRF16" }).click()]);
  expect(file.suggestedFilename()).toBe("harbour-blitz-rating-report.trf");
  const text = readFileSync(await file.path(), "utf8");
  expect(text).toContain("001    1 m GM Karlsten, Magne                   2886 NOR   990000001 1990/00/00");
  expect(text).toContain("001    2 w    Zulu, Zoe");
  await sheet.getByRole("button", { name: "Close" }).click();
});

test("a floor arbiter sees what is missing and changes nothing", async () => {
  const floor = await rig.page({}, "floor");
  await floor.goto(`${rig.url}#/standings`);
  await floor.getByRole("button", { name: "Event…" }).click();
  expect(await floor.locator("dialog").getByRole("button", { name: "Event data" }).getAttribute("aria-disabled")).toBe("true");
  await floor.locator("dialog").getByRole("button", { name: "Rating report…" }).click();
  await floor.locator("dialog li", { hasText: "The city is missing." }).waitFor();
});
