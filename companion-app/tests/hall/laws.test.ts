// Claims and rulings in the app, from the tap to the clock and the result, with a real hub and real clocks.

import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Rig, until } from "./rig.js";

let rig: Rig;
let page: Page;

beforeAll(async () => {
  const boards = {
    "1": "90m+30s",
    "2": "3m+2s",
    "3": "100s",
    "4": "3m+2s",
    "5": "90m+30s",
    "6": "115s",
    "7": "10s extra 100s min 1s hybrid",
    "8": "30m grace 2m",
    "9": "5m",
  };
  // The clock of board 9 has no script, so neither player makes a move.
  rig = await Rig.start({ boards, pace: "blitz", alone: { "9": {} }, serve: ["--default-time", "2s"] });
  page = await rig.page();
  await rig.ctl("start", "all");
  await until("every board has moves", async () => (await rig.boards()).every(({ board, black }) => board === "9" || black.moves >= 1));
});
afterAll(() => rig.stop());

interface Choice {
  request: string;
  possible: boolean;
}
const possible = async (board: string): Promise<string[]> =>
  (await rig.ctl("claims", board, "--possible"))
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => (JSON.parse(line) as Choice).request);

const moves = async (board: string): Promise<number> => {
  const { white, black } = await rig.board(board);
  return white.moves + black.moves;
};

/** Lets the game run until a request that matches `wanted` is possible, pauses it, and opens the sheet of claims. Returns the request. */
async function stoppedFor(board: string, wanted: RegExp): Promise<string> {
  let found: string | undefined;
  await until(`board ${board} allows ${String(wanted)}`, async () => {
    if ((await rig.board(board)).state !== "paused") {
      // If a press comes at the same moment, the hub refuses the pause, because it was based on the position before the press.
      await rig.refused("pause", board);
      return false;
    }
    found = (await possible(board)).find((request) => wanted.test(request));
    if (found !== undefined) return true;
    const made = await moves(board);
    await rig.ctl("resume", board);
    await until("a player has moved", async () => (await moves(board)) !== made);
    return false;
  });
  await page.goto(`${rig.url}#/board/${board}`);
  await page.waitForFunction((name) => document.querySelector(".board .bar h1 b")?.textContent === name, board);
  await page.locator(".acts .btn", { hasText: "Claims…" }).click();
  return found ?? "";
}
const sheet = (): Locator => page.locator("dialog");
const button = (name: string | RegExp): Locator => sheet().getByRole("button", { name });
const sideIn = (request: string): "White" | "Black" => (request.includes("black") ? "Black" : "White");

test("the button for an illegal move costs what the board's rule set says", async () => {
  await page.goto(`${rig.url}#/board/4`);
  const illegal = page.locator(".acts .side", { hasText: "Illegal move, White" });
  await illegal.filter({ hasText: "Black +1:00" }).waitFor();
  await rig.ctl("rules", "4", "uscf");
  await illegal.filter({ hasText: "Black +2:00" }).click();
  await until("it is counted", async () => (await rig.ctl("show", "4")).includes('"count":1'));
  expect(await rig.ctl("log", "4")).toContain("Illegal move by White, US Chess 11D");
  // Under US Chess rules, a second illegal move does not lose the game.
  await illegal.filter({ hasText: "Black +2:00" }).waitFor();
  await rig.ctl("rules", "4", "fide-blitz");
  await illegal.filter({ hasText: "2nd: game lost, FIDE 7.5.5" }).waitFor();
  await rig.ctl("rules", "4", "go");
  await until("it is no offence", async () => (await illegal.getAttribute("aria-disabled")) === "true");
});

test("a claim that the arbiter finds incorrect gives the opponent two minutes", async () => {
  const claim = await stoppedFor("1", /^claim fifty-moves /);
  const opponent = sideIn(claim) === "White" ? "black" : "white";
  const before = (await rig.board("1"))[opponent].us;
  await button(`Fifty-move rule, ${sideIn(claim)}`).click();
  await button("On the board now").click();
  await sheet()
    .getByText(`${sideIn(claim)} claims: Fifty-move rule`)
    .waitFor();
  // The moves were not entered, so they cannot decide the claim.
  expect(await button(/^Decide from the recorded moves/).getAttribute("aria-disabled")).toBe("true");
  await button(/^Incorrect/).click();
  await until("the opponent has two minutes more", async () => (await rig.board("1"))[opponent].us >= before + 100e6);
  expect(await rig.ctl("log", "1")).toContain("rule incorrect");
});

test("a correct claim draws the game, and an appeal reopens it", async () => {
  const claim = await stoppedFor("1", /^claim threefold /);
  await button(`Threefold repetition, ${sideIn(claim)}`).click();
  await button("On the board now").click();
  await button(/^Correct: drawn/).click();
  // A request that ends the game needs a confirmation.
  await button(/^Correct: drawn/).click();
  await until("the game is drawn", async () => (await rig.board("1")).result === "1/2-1/2");
  await page.locator(".acts .btn", { hasText: "Claims…" }).click();
  await button("Appeal").click();
  await until("the game has no result", async () => (await rig.board("1")).result === null);
  await page.locator(".acts .btn", { hasText: "Claims…" }).click();
  await button(/^Uphold the decision/).click();
  await button(/^Uphold the decision/).click();
  await until("the game is drawn again", async () => (await rig.board("1")).result === "1/2-1/2");
});

test("an offence entered by mistake is taken back with the time that it gave", async () => {
  const offence = await stoppedFor("2", /^illegal (?:white|black) illegal$/);
  const opponent = sideIn(offence) === "White" ? "black" : "white";
  const before = (await rig.board("2"))[opponent].us;
  await button(`Illegal move, ${sideIn(offence)}`).click();
  await page.locator(".slip.done").getByRole("button", { name: /Undo/ }).click();
  await until("nothing is counted", async () => !(await rig.ctl("show", "2")).includes('"count":1'));
  expect((await rig.board("2"))[opponent].us).toBeLessThan(before + 50e6);
});

test("a second illegal move in blitz loses the game", async () => {
  const first = await stoppedFor("2", /^illegal (?:white|black) illegal$/);
  const side = sideIn(first);
  await button(`Illegal move, ${side}`).click();
  await until("the first one is counted", async () => (await rig.ctl("show", "2")).includes('"count":1'));
  await stoppedFor("2", new RegExp(`^illegal ${side.toLowerCase()} no-move$`));
  await button(`Clock pressed without a move, ${side}`).click();
  await button("Clock pressed without a move").last().click();
  const lost = side === "White" ? "0-1" : "1-0";
  await until("the game is lost", async () => (await rig.board("2")).result === lost);
});

test("14H adds a delay under the rule set that has it", async () => {
  await stoppedFor("3", /^offer /);
  await button(/^Rule set/).click();
  await button("US Chess with Variation 14H, old text").click();
  await until("the rule set is chosen", async () => (await possible("3")).some((request) => request.startsWith("claim losing-chances-old")));
  await page.keyboard.press("Escape");
  const claim = await stoppedFor("3", /^claim losing-chances-old /);
  await button(`Insufficient losing chances (old text), ${sideIn(claim)}`).click();
  await button(/^Add a delay of 0:05/).click();
  await until("the clock has the delay", async () => (await rig.ctl("show", "3")).includes("delay 5s"));
});

test("14H in its new text is first an offer to the opponent; the delay is then added without a judgement", async () => {
  await rig.ctl("rules", "6", "uscf-14h-new");
  const claim = await stoppedFor("6", /^claim losing-chances-new /);
  const opponent = sideIn(claim) === "White" ? "Black" : "White";
  await button(`Insufficient losing chances (new text), ${sideIn(claim)}`).click();
  await button(`Draw declined, ${opponent}`).click();
  await page.locator(".acts .btn", { hasText: "Claims…" }).click();
  expect(await button(/^Correct: drawn/).getAttribute("aria-disabled")).toBe("true");
  await button(/^Add a delay of 0:05/).click();
  await until("the clock has the delay", async () => (await rig.ctl("show", "6")).includes("delay 5s"));
});

test("an open claim is seen in the hall and decided from there in two taps", async () => {
  const claim = await stoppedFor("5", /^claim fifty-moves /);
  await rig.ctl("rule", "5", ...claim.split(" "));
  await page.goto(`${rig.url}#/hall`);
  const card = page.locator(".urg.law", { hasText: "Claim to decide" });
  await card.filter({ hasText: `${sideIn(claim)} · Fifty-move rule` }).waitFor();
  await card.getByRole("link", { name: "Claims…" }).click();
  await button(/^Incorrect/).click();
  await until("the claim is decided", async () => (await rig.ctl("log", "5")).includes("rule incorrect"));
  await page.goto(`${rig.url}#/hall`);
  await card.waitFor({ state: "detached" });
});

test("a correct claim of fifty moves draws the game", async () => {
  const claim = await stoppedFor("5", /^claim fifty-moves /);
  await button(`Fifty-move rule, ${sideIn(claim)}`).click();
  await button("On the board now").click();
  await button(/^Correct: drawn/).click();
  await button(/^Correct: drawn/).click();
  await until("the game is drawn", async () => (await rig.board("5")).result === "1/2-1/2");
});

test("under the double flag the player with main time claims the draw", async () => {
  const claim = await stoppedFor("7", /^claim double-flag-draw /);
  const name = `Draw under the double flag, ${sideIn(claim)}`;
  await button(name).click();
  await sheet().getByText("½–½").first().waitFor();
  await button("Draw under the double flag").click();
  await until("the game is drawn", async () => (await rig.board("7")).result === "1/2-1/2");
});

test("a player who has not arrived by the default time loses", async () => {
  await stoppedFor("9", /^absent white /);
  await button("Not arrived, White").click();
  await sheet().getByText("6.7").waitFor();
  await button("Not arrived").last().click();
  await until("the game is forfeited", async () => (await rig.board("9")).result === "0-1f");
});

test("an Othello game ends with the discs that the arbiter counts", async () => {
  await stoppedFor("8", /^othello /);
  await button("Result by discs").click();
  await sheet().getByLabel("Discs of White").fill("40");
  expect(await button("Result by discs").getAttribute("aria-disabled")).toBe("true");
  await sheet().getByLabel("Discs of Black").fill("24");
  await button("Result by discs").click();
  await until("White has won", async () => (await rig.board("8")).result === "1-0");
  expect(await rig.ctl("log", "8")).toContain("othello 40 24");
});

test("moves are written down, checked by the Laws, and taken back", async () => {
  await stoppedFor("3", /^touch /);
  await button("Moves of the game").click();
  await sheet().getByLabel("Next moves").fill("1. e4 e5 2. Ke3");
  await button("Enter").click();
  await sheet().getByText("Ke3 is not legal").waitFor();
  await sheet().getByLabel("Next moves").fill("e4 e5 Nf3");
  await button("Enter").click();
  await sheet().getByText("1. e4 e5 2. Nf3").waitFor();
  await button("Take back the last move").click();
  await until("two moves are left", async () => (await rig.ctl("score", "3")).includes('"moves":["e4","e5"]'));
});

test("without the hub, Enter in the field of a claim's move sends nothing and keeps the move", async () => {
  // Closes the sheet of the previous test.
  await page.reload();
  const claim = await stoppedFor("3", /^claim threefold /);
  await button(`Threefold repetition, ${sideIn(claim)}`).click();
  await rig.stopHub();
  await page.locator(".live .offline").waitFor();
  const move = sheet().getByLabel("With the intended move");
  await move.fill("Nc3");
  await move.press("Enter");
  await sheet().locator(".btn .why").waitFor();
  expect(await move.inputValue()).toBe("Nc3");
});
