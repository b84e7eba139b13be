// The history of a board: replaced values, flag falls, lost connections, and the previous game.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Rig, until } from "./rig.js";

let rig: Rig;
let page: Page;
beforeAll(async () => {
  const press = (from: number, to: number): string[] =>
    Array.from({ length: to - from }, (_, at) => `at ${(from + at) * 0.5 + 1} press ${at % 2 === 0 ? "left" : "right"}`);
  const script = ["from game", ...press(0, 8)].join("\n");
  rig = await Rig.start({
    boards: { "1": "5m+3s", "2": "4s", "3": "5m", "4": "5m", "5": "5m", "6": "5m" },
    pace: "classical",
    alone: { "1": { script }, "2": {}, "3": { script: "from game\nat 1 stop" }, "4": {}, "5": {}, "6": {} },
    serve: ["--time-zone", "Asia/Kolkata"],
  });
  page = await rig.page();
}, 120_000);
afterAll(() => rig.stop());

const log = (text: string | RegExp) => page.locator(".log li", { hasText: text });
async function open(board: string): Promise<void> {
  await page.goto(`${rig.url}#/board/${board}`);
  await page.locator(".log li time").first().waitFor();
}
async function shot(name: string): Promise<void> {
  const folder = process.env["SHOTS"];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  for (const [width, height] of [
    [1280, 800],
    [1024, 768],
    [390, 844],
  ] as const) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
      const list = page.locator(".log");
      if (width > 900 || (await list.count()) === 0) continue;
      await list.scrollIntoViewIfNeeded();
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}-log.png`) });
    }
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1280, height: 800 });
}

test("a correction shows the previous values, and a press its side and number", { timeout: 60_000 }, async () => {
  await rig.ctl("start", "1");
  await until("the moves are made", async () => (await rig.board("1")).black.moves >= 4, 30_000);
  await rig.ctl("pause", "1", "--reason", "Claim of threefold repetition, FIDE 9.2");
  await rig.ctl("set", "1", "black", "7m30s");
  await rig.ctl("moves", "1", "white", "6");
  await open("1");
  const set = log("→ 7:30");
  await set.waitFor();
  expect(await set.locator("s").innerText()).toMatch(/^5:\d\d$/);
  expect(await log("White, moves").innerText()).toMatch(/4[\s\S]*→ 6/);
  await log(/^[\s\S]*4… in/)
    .first()
    .waitFor();
  // The page must show the time in the hall's time zone (Kolkata), whatever the browser's time zone is.
  const [hour] = (await log("→ 7:30").locator("time").innerText()).split(":");
  const there = new Intl.DateTimeFormat("en", { hour: "2-digit", timeZone: "Asia/Kolkata" }).format(new Date());
  expect(Number(hour) % 12).toBe(Number(there.split(" ")[0]) % 12);
  await shot("corrected");
});

test("a flag fall stays in the log with its times and who called it", { timeout: 60_000 }, async () => {
  await rig.ctl("start", "2");
  await until("the flag is down", async () => (await rig.board("2")).state === "flagged", 30_000);
  await rig.ctl("flag", "2", "white");
  await open("2");
  await log("Flag fell; confirmed").waitFor();
  expect(await log("Flag fell; confirmed").locator("b").first().innerText()).toContain("White");
  await log("Time used up; the clock has not confirmed the flag").waitFor();
  await page.locator(".log li.arbiter").first().waitFor();
  await shot("flag");
});

test("stopped clocks ask for a result, and the button enters it", { timeout: 60_000 }, async () => {
  await rig.ctl("start", "3");
  await until("the clocks stand", async () => (await rig.board("3")).state === "stopped", 30_000);
  await page.goto(`${rig.url}#/hall`);
  const card = page.locator(".urg.result");
  await card.waitFor();
  expect(await card.innerText()).toContain("Result?");
  expect(await page.locator(".urg.wanted").count()).toBe(0);
  await shot("result");
  await card.getByRole("link", { name: "Enter result" }).click();
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
});

test("the previous game can be viewed until the next one begins", { timeout: 60_000 }, async () => {
  await rig.ctl("result", "1", "1/2-1/2");
  await rig.ctl("control", "1", "3m+2s");
  await until("the board is set again", async () => (await rig.board("1")).state === "ready", 30_000);
  await open("1");
  const picks = page.locator(".pick.games select");
  await expect.poll(() => picks.count()).toBe(2);
  await page.getByRole("button", { name: "Moves" }).click();
  await expect.poll(() => page.locator(".moves-list tbody tr:not(.gap)").count()).toBe(4);
  expect(await page.locator(".moves-list .undo").count(), "a game that is over is not put back").toBe(0);
  expect(await page.locator(".log li.game").allInnerTexts()).toEqual(["Game 2", "Game 1"]);
  await shot("games");
  await picks.last().selectOption({ label: "Game 2" });
  await expect.poll(() => page.locator(".log li.press").count()).toBe(0);
  await page.locator(".moves-list td.q").waitFor();
  await picks.last().selectOption({ label: "All games" });
});

test("a lost and restored connection is in the log", { timeout: 60_000 }, async () => {
  await rig.stopAlone("4");
  await until("the clock is silent", async () => !(await rig.board("4")).online, 30_000);
  await open("4");
  await log("Clock connection lost; last signal").waitFor();
  await shot("links");
});

test("silent clocks share one card, which opens their list", { timeout: 90_000 }, async () => {
  for (const board of ["5", "6"]) await rig.stopAlone(board);
  await page.goto(`${rig.url}#/hall`);
  const card = page.locator(".urg.group.silent");
  await card.waitFor({ timeout: 60_000 });
  expect(await card.innerText()).toContain("3 clocks not responding");
  expect(await page.locator(".urg.silent").count(), "and no card for one of them").toBe(1);
  await shot("silent");
  await card.getByRole("link").click();
  await expect.poll(() => page.locator(".tile").count()).toBe(3);
  const filter = page.locator('.find select:has(option[value="silent"])');
  expect(await filter.inputValue()).toBe("silent");
  await filter.selectOption("any");
});

test("a hall of boards without clocks is not called quiet", { timeout: 90_000 }, async () => {
  for (const board of ["2", "3"]) await rig.ctl("result", board, "0-1");
  await rig.ctl("remove", "1-6");
  await rig.ctl("add", "11-250", "5m");
  await page.goto(`${rig.url}#/hall`);
  const line = page.locator(".allquiet");
  await until("the boards are there", async () => (await rig.boards()).length === 240);
  await page.locator(".tile", { hasText: "250" }).or(page.locator(".allquiet")).first().waitFor();
  await expect.poll(() => line.innerText(), { timeout: 20_000 }).toContain("240 boards have no clock");
  expect(await line.innerText()).not.toContain("All quiet");
  expect(await page.locator(".tile .chip").first().innerText()).toBe("No clock");
  await shot("unserved");
  await page.goto(`${rig.url}#/round`);
  await page.locator(".quiet-card", { hasText: "240 boards have no clock" }).waitFor();
});
