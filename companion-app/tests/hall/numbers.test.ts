// Pairing numbers and teams in the app: the warning above the players, the proposed numbers, the change after a second tap.

import { mkdirSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Rig } from "./rig.js";

let rig: Rig;
let page: Page;
const CLUB = [
  "012 Club Open",
  "062 3",
  "142 3",
  "152 W",
  "192 CUSTOM_SWISS",
  "001    1 m    Alpha, Anna                       1800                             0.0    1",
  "001    2 w    Bravo, Bea                        2000                             0.0    2",
  "001    3 m    Charlie, Cid                      1900                             0.0    3",
].join("\n");
const TEAMS = [
  "310   1 Bergen                           BER     1900    0.0    0.0   1     2    1",
  "310   2 Oslo                             OSL     1900    0.0    0.0   2     3",
];

beforeAll(async () => {
  rig = await Rig.start({ boards: { "1": "90m+30s" } });
  page = await rig.page();
});
afterAll(() => rig.stop());

async function taken(name: string, text: string): Promise<void> {
  await page.getByRole("button", { name: "Import…" }).click();
  await page.setInputFiles('dialog input[type="file"]', { name, mimeType: "text/plain", buffer: Buffer.from(text + "\n") });
  await page.locator("dialog footer .pri").click();
  await page.locator("dialog").waitFor({ state: "detached" });
}

const names = (): Promise<string[]> => page.locator(".stand tbody .pl").allTextContents();

async function picture(name: string): Promise<void> {
  const folder = process.env["SHOTS"];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  for (const [width, height] of [
    [1280, 800],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.screenshot({ path: `${folder}/${name}-${width}.png` });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

test("players whose numbers do not follow their ratings are renumbered on a second tap", async () => {
  await page.goto(`${rig.url}#/standings`);
  await taken("club.trf", CLUB);
  await page.getByRole("tab", { name: "Players" }).click();
  const warning = page.locator(".card[role=status]", { hasText: "The pairing numbers do not follow" });
  await warning.waitFor();
  expect(await names()).toEqual(["Alpha, Anna", "Bravo, Bea", "Charlie, Cid"]);
  await picture("players");
  await page.getByRole("button", { name: "Renumber…" }).click();
  const rows = page.locator("dialog tbody tr");
  await rows.first().waitFor();
  expect(await rows.allTextContents()).toEqual(["1Bravo, Bea2", "2Charlie, Cid3", "3Alpha, Anna1"]);
  await picture("renumber");
  await page.locator("dialog footer .pri").click();
  await page.locator("dialog").waitFor({ state: "detached" });
  await warning.waitFor({ state: "detached" });
  expect(await names()).toEqual(["Bravo, Bea", "Charlie, Cid", "Alpha, Anna"]);
});

test("the teams of a team event are listed in board order", async () => {
  await taken(
    "teams.trf",
    [
      CLUB.replace(/^001.*\n?/gm, "").trim(),
      "001    1 w    Bravo, Bea                        2000                             0.0    1",
      "001    2 m    Charlie, Cid                      1900                             0.0    2",
      "001    3 m    Alpha, Anna                       1800                             0.0    3",
      ...TEAMS,
    ].join("\n"),
  );
  await page.getByRole("tab", { name: "Teams" }).click();
  const bergen = page.getByRole("table", { name: "Bergen" });
  await bergen.waitFor();
  expect(await bergen.locator(".pl").allTextContents()).toEqual(["Charlie, Cid", "Bravo, Bea"]);
  await picture("teams");
});
