// Rounds paired in advance, as in a round robin. The round being played is set and started, a later round can be viewed, and a past round can be
// confirmed, reopened and changed.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Rig, until } from "./rig.js";

let rig: Rig;
let page: Page;

beforeAll(async () => {
  rig = await Rig.start({ boards: { "1": "25m", "2": "25m" }, alone: { "1": {}, "2": {} } });
  const player = (no: number, name: string) => ({ what: { case: "enterPlayer" as const, value: { no, name } } });
  const paired = (round: number, ...boards: [number, number][]) => ({
    what: { case: "pairRound" as const, value: { round, boards: boards.map(([white, black], at) => ({ board: at + 1, white, black })) } },
  });
  await rig.apply([
    { what: { case: "setEvent", value: { name: "Four of us", rounds: 3, timeControlCode: "1500" } } },
    player(1, "Ames, Ann"),
    player(2, "Bell, Bob"),
    player(3, "Cole, Cid"),
    player(4, "Dunn, Dee"),
    paired(1, [1, 4], [2, 3]),
    paired(2, [4, 3], [1, 2]),
    paired(3, [2, 4], [3, 1]),
  ]);
  page = await rig.page();
});
afterAll(() => rig.stop());

const results = async (round: number): Promise<(string | null)[]> =>
  (await rig.event("round", "show", String(round), "--json"))
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => (JSON.parse(line) as { result: string | null }).result);
const rounds = () => page.locator(".rounds");
const close = () => page.locator("dialog").waitFor({ state: "detached" });

test("the view opens on the round being played, and sets and starts its clocks", async () => {
  await page.goto(`${rig.url}#/round`);
  await rounds()
    .getByRole("button", { name: /^Round 1/, pressed: true })
    .waitFor();
  await page.getByRole("button", { name: "Set 2 clocks…" }).click();
  await page.locator("dialog footer .pri").click();
  await close();
  await until("the players of round 1 are named", async () => (await rig.board("1")).white.name === "Ames, Ann");
  await page.getByRole("button", { name: "Start 2 boards…" }).click();
  await page.locator("dialog footer .pri").click();
  await close();
  await until("both boards play", async () => (await rig.boards()).every((board) => board.state === "running"));
});

test("a later round can be viewed, but not set or started", async () => {
  await rounds().getByRole("button", { name: "Round 3" }).click();
  await page.locator(".later", { hasText: "Round 1 is being played" }).waitFor();
  await page.locator(".card", { hasText: "All games in round 3" }).locator("li", { hasText: "Cole, Cid – Ames, Ann" }).waitFor();
  expect(await page.getByRole("button", { name: /^(Set|Start) \d/ }).count()).toBe(0);
});

test("a board's result belongs to the round it plays, and stops its clock", async () => {
  for (const board of ["1", "2"]) {
    await page.goto(`${rig.url}#/board/${board}`);
    await page.locator(".acts .btn", { hasText: "Result" }).click();
    await page.locator("dialog .results .btn").first().click();
    await until(`the clock of board ${board} stands`, async () => (await rig.board(board)).state === "over");
  }
  expect(await results(1)).toEqual(["1-0", "1-0"]);
  expect([...(await results(2)), ...(await results(3))]).toEqual([null, null, null, null]);
});

test("a board keeps its game until its clock is set again, and undo restores the previous result", async () => {
  await page.goto(`${rig.url}#/board/1`);
  await page.locator(".acts .btn", { hasText: "Result" }).click();
  await page.locator("dialog", { hasText: "1–0 is already entered" }).waitFor();
  await page.getByLabel("Reason").fill("The score sheets say so");
  await page.locator("dialog .results .btn").nth(1).click();
  await page.locator(".slip.done", { hasText: "Result ½–½" }).getByRole("button", { name: /Undo/ }).click();
  await until("board 1 is won again", async () => (await results(1)).join() === "1-0,1-0");
  expect(await results(2)).toEqual([null, null]);
});

test("a finished round can be selected, is confirmed after a question, and reopened only with a reason", async () => {
  await page.goto(`${rig.url}#/round`);
  await rounds()
    .getByRole("button", { name: /^Round 2/, pressed: true })
    .waitFor();
  await rounds()
    .getByRole("button", { name: /^Round 1/ })
    .click();
  const confirm = page.getByRole("button", { name: "Confirm the round…" });
  await confirm.click();
  await page.locator("dialog").getByRole("button", { name: "Close" }).click();
  await close();
  await confirm.click();
  await page.locator("dialog footer .pri").click();
  await page.locator('.steps li[aria-current="step"]', { hasText: "Confirmed" }).waitFor();
  await page.getByRole("button", { name: "Reopen…" }).click();
  await page.locator("dialog footer .pri").click({ force: true });
  await page.locator("dialog .btn .why").waitFor();
  await page.getByLabel("Reason").fill("Board 2 was misheard");
  await page.locator("dialog footer .pri").click();
  await page.locator('.steps li[aria-current="step"]', { hasText: "Finished" }).waitFor();
});

test("a result of a past round is changed in its list", async () => {
  await page.getByRole("button", { name: "Result, board 2" }).click();
  await page.locator("dialog", { hasText: "board 2, round 1" }).waitFor();
  await page.getByLabel("Reason").fill("Board 2 was misheard");
  await page.locator("dialog .results .btn").nth(1).click();
  await until("board 2 was drawn", async () => (await results(1)).join() === "1-0,1/2-1/2");
  expect(await results(2)).toEqual([null, null]);
});
