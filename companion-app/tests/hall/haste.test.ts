// Hasty use: a correction by keyboard only, a double tap, a slow log, a refused code on a working device. Also a refusal in a different language, a
// flag on a board with a result, and a list that changes under a finger.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Rig, until } from "./rig.js";

let rig: Rig;
let page: Page;
beforeAll(async () => {
  rig = await Rig.start({ boards: { "1": "60m", "2": "2h", "3": "2h", "4": "3s", "5": "2h", "6": "2h" } });
  page = await rig.page({ ignoreHTTPSErrors: true });
  await rig.ctl("start", "1-6");
  await rig.ctl("pause", "1-3");
});
afterAll(() => rig.stop());

const open = async (board: string): Promise<void> => {
  await page.goto(`${rig.url}#/board/${board}`);
  await page.waitForFunction((name) => document.querySelector(".board .bar h1 b")?.textContent === name, board);
};
const act = (name: string): ReturnType<Page["locator"]> => page.locator(".acts .btn", { hasText: name });

test("with the keyboard alone digits go to the selected player, and Enter sets", async () => {
  const { white } = await rig.board("1");
  await open("1");
  await act("Correct").click();
  await page.locator('dialog section[aria-label="Black"] .fld.time').focus();
  await page.keyboard.type("4711");
  await page.keyboard.press("Enter");
  await until("Black has what was typed", async () => (await rig.board("1")).black.us === 2831e6);
  expect((await rig.board("1")).white.us).toBe(white.us);
  await page.locator("dialog").waitFor({ state: "detached" });
});

test("a double tap is one illegal move", async () => {
  await rig.ctl("moves", "2", "white", "1");
  const before = (await rig.board("2")).black.us;
  await open("2");
  await act("Illegal move, White").filter({ hasText: "Black +2:00" }).dblclick();
  await page.locator(".acts .side", { hasText: "2nd: game lost" }).first().waitFor();
  expect((await rig.board("2")).black.us).toBe(before + 120e6);
});

test("every tablet gets the count of illegal moves from the hub, in any wording and from any arbiter", async () => {
  // The page cannot read the log, and the offence is recorded from the command line, without a reason.
  await rig.ctl("add-time", "3", "black", "2m", "--offence", "illegal-move");
  await page.route("**/flagfall.api.v1.Arbiter/ReadLog", (route) => route.abort());
  await open("3");
  await page.locator(".acts .side", { hasText: "2nd: game lost, FIDE 7.5.5" }).first().waitFor();
  await page.locator(".face.white", { hasText: "Illegal moves: 1" }).waitFor();
  await rig.ctl("add-time", "3", "black", "-2m", "--offence", "illegal-move");
  await act("Illegal move, White").filter({ hasText: "Black +2:00" }).waitFor();
  await page.unroute("**/flagfall.api.v1.Arbiter/ReadLog");
});

test("a board that no longer fits the filter stays while a finger is on the list", async () => {
  const tablet = await rig.page({ ignoreHTTPSErrors: true, hasTouch: true });
  await tablet.locator("#find").fill("5-6");
  await tablet.getByLabel("State").selectOption("running");
  const tile = tablet.locator('.tile[data-board="5"]');
  const box = await tile.boundingBox();
  if (!box) throw new Error("board 5 has no tile");
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  await tablet.evaluate(() => addEventListener("pointercancel", () => (document.body.dataset["pans"] = ""), { once: true }));
  const finger = await tablet.context().newCDPSession(tablet);
  await finger.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
  // The finger now pans, which ends its pointer; that must not count as lifting the finger.
  let moved = 0;
  const pan = (): Promise<unknown> => finger.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x, y: y + 30 + 10 * (moved++ % 4) }] });
  await until("the finger pans", async () => {
    await pan();
    return (await tablet.locator("body[data-pans]").count()) > 0;
  });
  const paused = rig.ctl("pause", "5");
  await until("its tile says that it is paused, and is still there", async () => {
    await pan();
    return (await tablet.locator('.tile.paused[data-board="5"]').count()) > 0;
  });
  await paused;
  await finger.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await tile.waitFor({ state: "detached" });
  expect(await tablet.locator(".tile").count()).toBe(1);
  await tablet.context().close();
});

test("a refusal is in the arbiter's language", async () => {
  const german = await rig.page({ ignoreHTTPSErrors: true, locale: "de-DE" });
  await german.goto(`${rig.url}#/board/1`);
  await german.waitForSelector(".faces");
  // The board changes after the arbiter has seen it and before the hub receives the command.
  let come = (): void => undefined;
  const held = new Promise<void>((done) => (come = done));
  await german.route("**/flagfall.api.v1.Arbiter/Send", async (route) => {
    await held;
    await route.continue();
  });
  await german.locator(".acts .btn", { hasText: "Fortsetzen" }).click();
  await german.locator(".slip.pending", { hasText: "Fortsetzen" }).waitFor();
  await rig.ctl("resume", "1");
  come();
  await german
    .locator(".slip.refused", { hasText: "Fortsetzen: abgelehnt" })
    .filter({ hasText: /hat die Partie an Brett 1 um .* fortgesetzt\. Prüfen Sie noch/ })
    .waitFor();
  await rig.ctl("pause", "1");
  await german.context().close();
});

test("a refused code names whom it would have replaced, and the device continues as before", async () => {
  await page.goto(`${rig.url}#${"a".repeat(32)}.${"b".repeat(32)}`);
  await page.locator(".first", { hasText: "This device is already enrolled as Doe, Jane, chief arbiter." }).waitFor();
  await page.locator(".first .btn.pri").click();
  await page.locator('.first .bad[role="alert"]').waitFor();
  await open("3");
  await act("Resume").click();
  await until("board 3 runs", async () => (await rig.board("3")).state === "running");
  await page.reload();
  await page.locator(".bar .end", { hasText: "Live" }).waitFor();
  await act("Pause").first().click();
  await until("board 3 is paused", async () => (await rig.board("3")).state === "paused");
});

test("on a board with a result no flag can be called", async () => {
  await until("a flag has fallen", async () => (await rig.board("4")).state === "flagged", 60_000);
  await open("4");
  await page.locator(".acts .call").waitFor();
  await act("Result").click();
  await page.locator("dialog .results .btn", { hasText: "1–0" }).click();
  await until("the game is over", async () => (await rig.board("4")).result === "1-0");
  await page.locator('.acts .btn[aria-disabled="true"]', { hasText: "Call flag" }).waitFor();
  expect(await page.locator(".acts .call").count()).toBe(0);
});

test("an unanswered command can be given up, and is not sent later", async () => {
  await rig.ctl("moves", "3", "black", "1");
  await open("3");
  const sends = "**/flagfall.api.v1.Arbiter/Send";
  await page.route(sends, (route) => route.abort());
  await act("Resume").click();
  await page.locator(".slip.pending", { hasText: "Sending…" }).getByRole("button", { name: "Stop sending" }).click();
  await page.locator(".slip.refused", { hasText: "outcome unknown" }).getByRole("button", { name: "Dismiss" }).click();
  await page.unroute(sends);
  await act("Illegal move, Black").filter({ hasText: "White +2:00" }).click();
  await page.locator(".acts .side", { hasText: "2nd: game lost" }).first().waitFor();
  await until("the clocks stand as before", async () => (await rig.board("3")).state === "paused");
});

test("an open sheet asks nothing of an unreachable hub", async () => {
  await open("1");
  await act("Correct").click();
  await page.keyboard.type("5");
  await rig.stopHub();
  await page.locator(".board[data-offline]").waitFor();
  await page.keyboard.press("Enter");
  for (const name of ["Set both clocks", /^Set and resume/]) {
    const button = page.locator("dialog footer").getByRole("button", { name });
    await button.click({ force: true });
    await button.locator(".why", { hasText: "No connection to the hub." }).waitFor();
  }
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  expect(await page.locator(".slip").count()).toBe(0);
});
