// A game of Time Chess between two players in separate browsers, with a real clock in a terminal whose keys are the buttons. Then a game without a
// clock, in which each move counts as the press.

import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Rig, until } from "./rig.js";

const shots = process.env["SHOTS"];
const PHONE = { width: 390, height: 844 };
const TABLET = { width: 1024, height: 768 };
const SOCKET = `flagfall-${process.pid}`;
let rig: Rig;
let white: Page;
let black: Page;

beforeAll(async () => {
  rig = await Rig.start({ boards: { "1": "5m+3s", "2": "3m" }, bare: ["1", "2"] });
  await rig.ctl("rules", "1,2", "time-chess");
  await rig.ctl("press", "2", "move");
});
afterAll(async () => {
  try {
    execFileSync("tmux", ["-L", SOCKET, "kill-server"], { stdio: "ignore" });
  } catch {
    // The tmux server has already ended, or was never started.
  }
  await rig.stop();
});

async function player(board: string, side: "white" | "black", viewport = PHONE): Promise<Page> {
  const page = await rig.stranger({ viewport });
  await page.goto(await rig.playerCode(board, side));
  await page.locator(".first .btn.pri").click();
  await page.waitForSelector(".player cg-board");
  return page;
}

/** Makes a move with two taps, as on a phone. */
async function tap(page: Page, move: string): Promise<void> {
  for (const square of [move.slice(0, 2), move.slice(2, 4)]) await page.mouse.click(...(await at(page, square)));
}
async function drag(page: Page, move: string): Promise<void> {
  await page.mouse.move(...(await at(page, move.slice(0, 2))));
  await page.mouse.down();
  await page.mouse.move(...(await at(page, move.slice(2, 4))), { steps: 4 });
  // The piece moves only with the next frame.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  await page.mouse.up();
}
async function at(page: Page, square: string): Promise<[number, number]> {
  const box = await page.locator(".player cg-board").boundingBox();
  if (!box) throw new Error("the page has no board");
  const isBlack = (await page.locator(".player .cg-wrap.orientation-black").count()) > 0;
  const file = square.charCodeAt(0) - 97;
  const rank = Number(square[1]) - 1;
  const step = box.width / 8;
  const [x, y] = isBlack ? [7 - file, rank] : [file, 7 - rank];
  return [box.x + (x + 0.5) * step, box.y + (y + 0.5) * step];
}

const pieces = (page: Page, color: string): Promise<number> => page.locator(`.player piece.${color}:not(.fading, .ghost)`).count();
const phase = (page: Page, word: string): Promise<void> => page.locator(".pphase b", { hasText: word }).waitFor();
const says = (page: Page, text: string): Promise<void> => page.locator(".psaid b", { hasText: text }).waitFor();
const face = (): string => execFileSync("tmux", ["-L", SOCKET, "capture-pane", "-p", "-t", "clock"]).toString();
/** Presses the button of one side on the clock; White's is the left one. */
const press = (side: "white" | "black"): Buffer => execFileSync("tmux", ["-L", SOCKET, "send-keys", "-t", "clock", side === "white" ? "f" : "j"]);

async function shot(page: Page, name: string): Promise<void> {
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`) });
}

test("two players and a terminal clock play the first day", async () => {
  await rig.terminalClock("1", SOCKET);
  white = await player("1", "white");
  black = await player("1", "black", TABLET);
  await says(white, "The game has not started.");
  await rig.ctl("start", "1");
  await phase(black, "Dawn");
  await says(black, "Your move");
  await says(white, "Your opponent’s turn");
  await tap(black, "e7e5");
  await says(black, "Press your clock’s button");
  // At dawn White sees the move immediately; visibility changes with the press.
  await white.locator(".player piece.black").first().waitFor();
  press("black");
  await phase(white, "Midday");
  await phase(black, "Midday");
  await until("Black no longer sees White's pieces", async () => (await pieces(black, "white")) === 0);
  expect(await pieces(black, "black")).toBe(16);
  expect(await pieces(white, "black")).toBe(16);
  await until("the clock's face shows the phase", () => Promise.resolve(face().includes("Midday: Black is blind")));
  await shot(black, "midday-black");
  await drag(white, "e2e4");
  await says(white, "Press your clock’s button");
  press("white");
  await phase(black, "Evening");
  await says(black, "Your move, blind");
  await shot(black, "evening-black");
  // Black does not see the pawn on e4, so the attempt fails and the turn is forfeited.
  await tap(black, "e5e4");
  await black.locator(".psaid", { hasText: "e5e4 failed" }).waitFor();
  await white.locator(".psaid b", { hasText: "Your opponent’s turn" }).waitFor();
  press("black");
  await phase(black, "Dusk");
  await until("Black sees White's pieces again", async () => (await pieces(black, "white")) === 16);
  await shot(white, "dusk-white");
});

test("a press without a move is noted, and the day stands still", async () => {
  press("white");
  await until("the arbiter is told", async () => (await rig.board("1")).note.includes("White pressed without moving"));
  await phase(white, "Dusk");
  await says(white, "Your opponent’s turn");
  press("black");
  await says(white, "Your move");
  await tap(white, "d2d4");
  await says(white, "Press your clock’s button");
  press("white");
  await phase(white, "Midnight");
  await until("White sees only White's pieces", async () => (await pieces(white, "black")) === 0);
  await shot(white, "midnight-white");
});

test("arbiters see the phase on the tile, and the whole board", async () => {
  const arbiter = await rig.page();
  await arbiter.locator('.tile[data-board="1"] .mv', { hasText: "Midnight" }).waitFor();
  await shot(arbiter, "hall");
  await arbiter.goto(`${rig.url}#/board/1`);
  await arbiter.locator(".facts", { hasText: "Midnight" }).waitFor();
  await arbiter.getByRole("button", { name: "More" }).click();
  await arbiter.getByRole("button", { name: "Board and turns…" }).click();
  await arbiter.waitForSelector(".daygame piece.black");
  expect(await arbiter.locator(".daygame piece").count()).toBe(32);
  await arbiter.locator(".daygame .pturns li", { hasText: "e5e4, forfeited" }).waitFor();
  await shot(arbiter, "arbiter-board");
  await arbiter.goto(`${rig.url}#/replay/1`);
  await arbiter.locator(".daygame").getByRole("button", { name: "White", exact: true }).click();
  await until("the replay shows what White saw", async () => (await arbiter.locator(".daygame piece.black").count()) === 0);
  await shot(arbiter, "replay");
  await arbiter.context().close();
});

test("a draw is offered and agreed, and the end shows everything", async () => {
  await black.getByRole("button", { name: "Offer a draw" }).click();
  await white.getByRole("button", { name: "Accept the draw" }).click();
  await says(white, "1/2-1/2 · agreement");
  await says(black, "1/2-1/2 · agreement");
  expect(await pieces(white, "black")).toBe(16);
  expect((await rig.board("1")).result).toBe("1/2-1/2");
  await shot(white, "over-white");
});

test("a player's device may make no other call", async () => {
  const refused = await white.evaluate(async () => {
    const body = new Uint8Array(5);
    const headers = { "content-type": "application/grpc-web+proto", "x-grpc-web": "1" };
    const paths = ["Arbiter/GetHall", "Arbiter/Watch", "Arbiter/ReadLog", "Archive/GetGame", "Tournament/GetTournament"];
    const answers = paths.map((path) => fetch(`/flagfall.api.v1.${path}`, { method: "POST", body, headers }));
    return Promise.all(answers.map(async (answer) => (await answer).headers.get("grpc-status")));
  });
  expect(refused).toEqual(["7", "7", "7", "7", "7"]);
});

test("where the move is the press, the hub keeps the time", async () => {
  await rig.ctl("start", "2");
  const [one, two] = [await player("2", "white", TABLET), await player("2", "black")];
  await says(two, "Your move");
  await tap(two, "d7d5");
  await phase(one, "Midday");
  await says(one, "Your move");
  await tap(one, "d2d4");
  await says(two, "Your move, blind");
  expect((await rig.board("2")).running).toBe("black");
  await shot(one, "tablet-white");
  await two.emulateMedia({ colorScheme: "dark" });
  await shot(two, "phone-dark");
});
