// Two arbiters at one board, a clock that answers late, a tap outside a sheet, a second offence in a correction. The app must not overwrite, start,
// press or skip anything that the arbiter has not seen.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Rig, until } from "./rig.js";

let rig: Rig;
let page: Page;
beforeAll(async () => {
  rig = await Rig.start({ boards: { "1": "2h", "2": "2h", "3": "2h", "4": "2h", "5": "2h" }, apart: ["5"] });
  page = await rig.page({ ignoreHTTPSErrors: true, viewport: { width: 1280, height: 800 }, hasTouch: true });
  await rig.ctl("start", "1-5");
  await rig.ctl("pause", "1,3-5");
});
afterAll(() => rig.stop());

const open = async (board: string): Promise<void> => {
  await page.goto(`${rig.url}#/board/${board}`);
  await page.waitForFunction((name) => document.querySelector(".board .bar h1 b")?.textContent === name, board);
};
const act = (name: string): ReturnType<Page["locator"]> => page.locator(".acts .btn", { hasText: name });
const button = (name: string | RegExp): ReturnType<Page["locator"]> => page.locator("dialog").getByRole("button", { name });
const field = (side: string): ReturnType<Page["locator"]> => page.locator(`dialog section[aria-label="${side}"] .fld.time`);
const state = async (board: string, wanted: string): Promise<void> =>
  until(`board ${board} is ${wanted}`, async () => (await rig.board(board)).state === wanted);
const white = async (board: string): Promise<number> => (await rig.board(board)).white.us;
async function type(text: string): Promise<void> {
  await field("White").focus();
  await page.keyboard.type(text);
}

test("another arbiter's change is shown, and nothing is sent before the arbiter chooses", async () => {
  await rig.ctl("set", "1", "white", "5m");
  await open("1");
  await act("Correct").click();
  await type("530");
  await rig.ctl("add-time", "1", "white", "2m");
  const notice = page.locator("dialog .slip.refused", { hasText: "Changed in the meantime: White 5:00 → 7:00." });
  await notice.waitFor();
  await button("Set both clocks").click({ force: true });
  await button("Set both clocks").locator(".why", { hasText: "The board has changed in the meantime." }).waitFor();
  expect(await white("1")).toBe(420e6);
  await button("Keep my entries").click();
  await page.locator("dialog footer p", { hasText: "White 7:00 → 5:30" }).waitFor();
  await button("Set both clocks").click();
  await until("White has what was typed", async () => (await white("1")) === 330e6);
});

test("a correction overtaken by a change is refused, and its values can be applied again", async () => {
  await open("1");
  await act("Correct").click();
  await type("611");
  let come = (): void => undefined;
  const held = new Promise<void>((done) => (come = done));
  const sends = "**/flagfall.api.v1.Arbiter/Send";
  await page.route(sends, async (route) => {
    await held;
    await route.continue();
  });
  await button("Set both clocks").click();
  await page.locator(".slip.pending").waitFor();
  await rig.ctl("add-time", "1", "white", "1m");
  come();
  const refused = page.locator(".slip.refused", { hasText: /changed White’s time by \+1:00 at \d.*\. Check again, then decide\./ });
  await refused.getByRole("button", { name: "Check again…" }).click();
  await page.locator("dialog footer p", { hasText: "White 6:30 → 6:11" }).waitFor();
  expect(await white("1")).toBe(390e6);
  await page.unroute(sends);
  await button("Set both clocks").click();
  await until("White has what was typed", async () => (await white("1")) === 371e6);
  await refused.waitFor({ state: "detached" });
});

test("a result entered by another arbiter is shown before it is replaced", async () => {
  await open("3");
  await act("Result").click();
  await page.getByRole("dialog", { name: "Result, board 3" }).waitFor();
  await rig.ctl("result", "3", "1-0");
  await page.locator("dialog .slip.refused", { hasText: "The board has changed in the meantime." }).waitFor();
  await page.locator("dialog .results .btn", { hasText: "0–1" }).click({ force: true });
  await page.locator("dialog .results .why", { hasText: "The board has changed in the meantime." }).waitFor();
  expect((await rig.board("3")).result).toBe("1-0");
  await button("Continue").click();
  await page.locator("dialog .results .btn", { hasText: "0–1" }).click();
  await until("the result is the one that was tapped", async () => (await rig.board("3")).result === "0-1");
});

test("every way to a correction first pauses the clock", async () => {
  await open("2");
  await act("Pause and correct").click();
  await page.locator("dialog .chip.paused", { hasText: "Paused" }).waitFor();
  await page.keyboard.press("Escape");
  await act("Resume").click();
  await state("2", "running");
  await page.locator(".acts .more").click();
  await button("Pause and correct").click();
  await page.locator("dialog .chip.paused", { hasText: "Paused" }).waitFor();
  await state("2", "paused");
  // A second arbiter starts the clock before the correction arrives. When the first reviews the refusal, the clock is paused again.
  await type("1000");
  let come = (): void => undefined;
  const held = new Promise<void>((done) => (come = done));
  const sends = "**/flagfall.api.v1.Arbiter/Send";
  await page.route(sends, async (route) => {
    await held;
    await route.continue();
  });
  await button("Set both clocks").click();
  await rig.ctl("resume", "2");
  come();
  await page.locator(".slip.refused").getByRole("button", { name: "Pause and correct" }).click();
  await page.locator("dialog .chip.paused", { hasText: "Paused" }).waitFor();
  await page.unroute(sends);
  await page.locator("dialog footer p", { hasText: "→ 10:00" }).waitFor();
  await button("Set both clocks").click();
  await until("White has what was typed", async () => (await white("2")) === 600e6);
});

test("a clock that runs again under the dialog is set only once it is stopped", async () => {
  await open("2");
  await act("Correct").click();
  await type("1100");
  await rig.ctl("resume", "2");
  await page.locator("dialog .chip", { hasText: "Still running" }).waitFor();
  await button("Set both clocks").click({ force: true });
  await button("Set both clocks").locator(".why").waitFor();
  await page.keyboard.press("Escape");
  await rig.ctl("pause", "2");
  expect(await white("2")).not.toBe(660e6);
});

test("a touch beside a sheet closes it, presses nothing beneath, and discards no input", async () => {
  await open("4");
  const target = await act("Result").boundingBox();
  const before = await rig.board("4");
  await page.locator(".acts .side", { hasText: "Black +2:00" }).waitFor();
  const illegal = await act("Illegal move, White").boundingBox();
  if (!target || !illegal) throw new Error("the buttons are not in sight");
  await page.touchscreen.tap(target.x + 10, target.y + 10);
  await page.getByRole("dialog", { name: "Result, board 4" }).waitFor();
  await page.touchscreen.tap(illegal.x + 10, illegal.y + 10);
  await page.locator("dialog").waitFor({ state: "detached" });
  await act("Correct").click();
  await page.touchscreen.tap(20, 400);
  await page.locator("dialog").waitFor({ state: "detached" });
  await act("Correct").click();
  await type("530");
  await page.touchscreen.tap(20, 400);
  await page.locator("dialog footer p", { hasText: "→ 5:30" }).waitFor();
  await button("Close").click();
  await page.locator("dialog").waitFor({ state: "detached" });
  const { white, black } = await rig.board("4");
  expect([await page.locator(".slip").count(), white.us, black.us]).toEqual([0, before.white.us, before.black.us]);
});

test("a second illegal move named in a correction asks first", async () => {
  await rig.ctl("moves", "4", "white", "1");
  await open("4");
  await act("Illegal move, White").filter({ hasText: "Black +2:00" }).click();
  await page.locator(".acts .side", { hasText: "2nd: game lost" }).first().waitFor();
  await act("Correct").click();
  await type("1234");
  await button("Illegal move, White 2nd: game lost, 7.5.5").click();
  await button("Set both clocks").click();
  await page.getByRole("dialog", { name: "Second illegal move by White, board 4" }).waitFor();
  expect((await rig.board("4")).white.us).not.toBe(754e6);
  await button(/→ 12:34/).click();
  await until("the times are corrected, and the game goes on", async () => (await white("4")) === 754e6);
  expect((await rig.board("4")).result ?? "").toBe("");
});

test("a clock that answers late is set, and does not start by itself", async () => {
  await rig.stopSwarm("apart");
  await until("the clock is not heard", async () => !(await rig.board("5")).online);
  await open("5");
  await act("Correct").click();
  await type("1500");
  await button(/^Set and resume/).click();
  await page.locator(".slip.pending", { hasText: "→ 15:00 pending · 0:04" }).waitFor();
  rig.startSwarm("apart");
  const late = page.locator(".slip.refused", { hasText: /Not sent yet: Resume, (White|Black)/ });
  await late.waitFor();
  const board = await rig.board("5");
  expect([board.state, board.white.us]).toEqual(["paused", 900e6]);
  await late.getByRole("button", { name: "Send now" }).click();
  await state("5", "running");
});
