// Imports that must not lose data: a file of a different event, pairings that would be removed, an undone import. Also a new, empty event,
// and the import button, which stays visible however long the file is.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { nameOf, report } from "./report.js";
import { Rig } from "./rig.js";

const BOARDS = 100;
const CUP = "Harbour Blitz 2026";
let rig: Rig;
let page: Page;
beforeAll(async () => {
  rig = await Rig.start({ boards: { "1": "5m", "2": "5m" } });
  page = await rig.page({ viewport: { width: 1280, height: 800 } });
  await page.goto(`${rig.url}#/standings`);
}, 180_000);
afterAll(() => rig.stop());

const dialog = () => page.locator("dialog[open]");
const button = () => dialog().locator("footer .pri");

async function choose(name: string, text: string): Promise<void> {
  if ((await dialog().count()) === 0) await page.getByRole("button", { name: "Import…" }).click();
  await page.setInputFiles('dialog input[type="file"]', { name, mimeType: "text/plain", buffer: Buffer.from(text) });
}

async function inSight(selector: string): Promise<void> {
  const box = await dialog().locator(selector).boundingBox();
  const size = page.viewportSize();
  if (!box || !size) throw new Error(`no ${selector}`);
  expect(box.y, selector).toBeGreaterThanOrEqual(0);
  expect(box.y + box.height, selector).toBeLessThanOrEqual(size.height);
}

test("the button states what a file of 200 players imports, and is visible in every window", async () => {
  await choose("open.trf", report({ boards: BOARDS, control: "300+3" }));
  await button().waitFor();
  expect(await button().textContent()).toBe("Import 200 players and 100 games");
  for (const [width, height] of [
    [1280, 800],
    [1024, 768],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await inSight("footer .pri");
    // The sheet scrolls as a whole; the list inside it does not.
    expect(
      await dialog()
        .locator(".diff")
        .evaluate((list) => list.scrollHeight <= list.clientHeight),
    ).toBe(true);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await button().click();
  await page.locator(".stand tbody tr", { hasText: nameOf(200) }).waitFor();
  await page.locator(".undo", { hasText: "open.trf" }).waitFor();
});

test("a table of one row removes a pairing only if that is ticked", async () => {
  // The row pairs the White players of boards 1 and 2 with each other, so the import would merge two boards into one.
  const white = (board: number): number => (board % 2 === 1 ? board : board + BOARDS);
  await choose("board1.csv", `Round,Board,White,Black\n1,1,${white(1)},${white(2)}\n`);
  await button().waitFor();
  expect(await button().textContent()).toBe("Import 1 game");
  expect(await button().getAttribute("aria-disabled")).toBe("true");
  await dialog().getByLabel("Remove 1 pairing").check();
  await button().click();
  await dialog().waitFor({ state: "detached" });
  await page.locator(".undo", { hasText: "Imported board1.csv" }).waitFor();
  expect(await rig.event("round", "show", "1", "--json")).not.toContain('"board":2,');
});

test("an import is undone after its effects were shown", async () => {
  await page.locator(".undo").getByRole("button", { name: "Undo…" }).click();
  await dialog().getByText("Undoes 1 game. Later changes are kept.").waitFor();
  await button().click();
  await page.locator(".undo", { hasText: "open.trf" }).waitFor();
  expect(await rig.event("round", "show", "1", "--json")).toContain('"board":2,');
});

test("what depends on an import is named, and nothing is undone", async () => {
  await rig.event("result", "1", "1-0");
  await page.locator(".undo").getByRole("button", { name: "Undo…" }).click();
  await dialog().locator(".slip.refused", { hasText: "round 1, board 1: 1-0" }).waitFor();
  expect(await button().getAttribute("aria-disabled")).toBe("true");
  await dialog().getByRole("button", { name: "Close" }).click();
});

test("another event's file shows the differences, and opens beside this one by its typed name", async () => {
  const other = report({ boards: BOARDS, control: "300+3", name: "Winter Open" }).replace(nameOf(3).padEnd(33), "Smith, Jo".padEnd(33));
  await choose("winter.trf", other);
  await dialog().getByText(`Event: ${CUP} here, Winter Open in the file`).waitFor();
  await dialog()
    .getByText(`Player 3: ${nameOf(3)} here, Smith, Jo in the file`)
    .waitFor();
  expect(await button().count()).toBe(0);
  await dialog().getByRole("button", { name: "Open as a new event…" }).click();
  const typed = dialog().getByLabel("Name of the current event");
  await typed.fill("harbour blitz");
  expect(await button().getAttribute("aria-disabled")).toBe("true");
  await typed.fill(CUP);
  await inSight("footer .pri");
  await button().click();
  await page.locator(".bar .ev", { hasText: "Winter Open" }).waitFor();
  const kept = await rig.event("list");
  expect(kept).toMatch(new RegExp(`${CUP}.*set aside`));
  await page.locator(".undo").getByRole("button", { name: "Undo…" }).click();
  await button().click();
  await page.locator(".bar .ev", { hasText: CUP }).waitFor();
});

test("an empty event begins beside this one by its typed name", async () => {
  await page.getByRole("button", { name: "Event…" }).click();
  await dialog().getByRole("button", { name: "New event…" }).click();
  await dialog().getByLabel("Name", { exact: true }).fill("Spring Open");
  const typed = dialog().getByLabel("Name of the current event");
  await typed.fill("Harbour");
  expect(await button().getAttribute("aria-disabled")).toBe("true");
  await typed.fill(CUP);
  await inSight("footer .pri");
  await button().click();
  await page.locator(".bar .ev", { hasText: "Spring Open" }).waitFor();
  expect(await rig.event("list")).toMatch(new RegExp(`${CUP}.*set aside`));
});
