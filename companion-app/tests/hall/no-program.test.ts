// Rounds on a hub without a pairing program: for a Swiss event, the app says what is missing and offers alternatives; a round robin needs no
// program.

import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Side } from "$gen/frames/side_pb.js";
import { Rig } from "./rig.js";

let rig: Rig;
let page: Page;
let sheet: Locator;
beforeAll(async () => {
  rig = await Rig.start({ boards: { "1": "15m" } });
  await rig.apply([
    { what: { case: "setEvent", value: { name: "Four of us", rounds: 3, timeControlCode: "900", initialColour: Side.WHITE } } },
    ...["Ames, Ann", "Bell, Bob", "Cole, Cid", "Dunn, Dee"].map((name, at) => ({ what: { case: "enterPlayer" as const, value: { no: at + 1, name } } })),
  ]);
  page = await rig.page({ viewport: { width: 390, height: 844 }, hasTouch: true });
  sheet = page.locator("dialog[open]");
}, 120_000);
afterAll(() => rig.stop());

test("a Swiss without a program leads to its file and to manual pairing", async () => {
  await page.goto(`${rig.url}#/round`);
  await page.getByRole("button", { name: "Pair round 1…" }).click();
  await sheet.getByText("The hub has no pairing program.").waitFor();
  await sheet.getByText("pairing_program").waitFor();
  await sheet.getByRole("button", { name: "Pair by hand…" }).click();
  await sheet.getByRole("heading", { name: "Pair round 1 by hand" }).waitFor();
  await sheet.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Pair round 1…" }).click();
  await sheet.getByRole("button", { name: "Import…" }).click();
  await sheet.getByRole("heading", { name: "Import a file" }).waitFor();
  await sheet.getByRole("button", { name: "Close" }).click();
});

test("a round robin is paired completely by Berger's table", async () => {
  await page.goto(`${rig.url}#/standings`);
  await page.getByRole("button", { name: "Event…" }).click();
  await sheet.getByRole("button", { name: "Pairing rules…" }).click();
  await sheet.getByRole("button", { name: "Round robin", exact: true }).click();
  await sheet.getByRole("button", { name: "Round robin", exact: true, pressed: true }).waitFor();
  await page.goto(`${rig.url}#/round`);
  await page.getByRole("button", { name: "Pair round 1…" }).click();
  await sheet.getByRole("button", { name: "All remaining rounds" }).click();
  await sheet.getByRole("button", { name: "Pair 3 rounds" }).click();
  await page.locator(".rounds button").nth(2).waitFor();
  await page
    .locator(".rounds")
    .getByRole("button", { name: /^Round 1/, pressed: true })
    .waitFor();
  expect(await page.locator(".rounds button").count()).toBe(3);
});
