// A round of an event in an arbiter's working order: boards set and started by sector, late players, and results of many kinds. Also changes with a
// reason, and a game decided by counted points (Scrabble).

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Game as Kind } from "$gen/frames/event_pb.js";
import { report } from "./report.js";
import { Rig, until } from "./rig.js";

const BOARDS = 8;
/** Boards whose players do not move, apart from board 4. */
const STILL = ["3", "6"];
let rig: Rig;
let page: Page;

beforeAll(async () => {
  // Board 4 is added below, with a clock that has no simulated players.
  const played = Array.from({ length: BOARDS }, (_, at) => String(at + 1)).filter((board) => board !== "4");
  rig = await Rig.start({
    boards: Object.fromEntries(played.map((board) => [board, "5m"])),
    alone: Object.fromEntries(STILL.map((board) => [board, {}])),
    serve: ["--default-time", "1s"],
  });
  await rig.ctl("add", "4", "5m");
  rig.clock(await rig.code("4"));
  await until("the clock of board 4 is there", async () => (await rig.board("4")).online);
  page = await rig.page();
  await page.goto(`${rig.url}#/standings`);
});
afterAll(async () => {
  await page.goto("about:blank");
  await rig.stop();
});

interface Game {
  board: number;
  result: string | null;
  why: string | null;
}
const games = async (of = rig): Promise<Game[]> =>
  (await of.event("round", "show", "1", "--json"))
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Game);
const game = async (board: string): Promise<Game | undefined> => (await games()).find((one) => one.board === Number(board));
const open = async (board: string): Promise<void> => {
  await page.goto(`${rig.url}#/board/${board}`);
  await page.waitForFunction((name) => document.querySelector(".board .bar h1 b")?.textContent === name, board);
  await page.waitForSelector(".faces");
};
const sheet = async (board: string): Promise<void> => {
  await open(board);
  await page.locator(".acts .btn", { hasText: "Result" }).click();
  await page.locator("dialog[open]").waitFor();
};
const choose = (name: string | RegExp) => page.locator("dialog").getByRole("button", { name, exact: true });
const untilResult = (board: string, code: string): Promise<void> => until(`board ${board} has ${code}`, async () => (await game(board))?.result === code);

test("a file brings the round; the event's sectors divide the hall", async () => {
  await page.getByRole("button", { name: "Import…" }).click();
  await page.setInputFiles('dialog input[type="file"]', {
    name: "cup.trf",
    mimeType: "text/plain",
    buffer: Buffer.from(report({ boards: BOARDS, control: "5400+30", name: "Harbour Open" })),
  });
  await page.locator(".diff li", { hasText: "Harbour Open" }).first().waitFor();
  await page.locator("dialog footer .pri").click();
  await page.locator(".bar .ev", { hasText: "Harbour Open" }).waitFor();
  await rig.event("set", "--sector", "gallery=1-4", "--sector", "hall=5-8", "--sector-control", "gallery=25m+10s");
  await page.goto(`${rig.url}#/hall`);
  await page.locator(".sectors button", { hasText: "gallery" }).click();
  await until("the gallery alone", async () => (await page.locator(".tile").count()) === 4);
  await page.locator(".sectors").getByRole("button", { name: /^All/ }).click();
  await until("the whole hall", async () => (await page.locator(".tile").count()) === BOARDS);
});

test("a sector's clocks are set with its own control, then started, without the other sector", async () => {
  await page.goto(`${rig.url}#/round`);
  const work = async (): Promise<void> => {
    await page.locator(".dlg .seg button", { hasText: "gallery" }).click();
    await page.locator("dialog footer .pri").click();
    await page.locator("dialog").waitFor({ state: "detached" });
  };
  await page.getByRole("button", { name: /^Set \d+ clocks…$/ }).click();
  await work();
  const controls = async (): Promise<string> => (await rig.boards()).map((board) => board.control).join();
  await until("the gallery is set", async () => (await controls()) === ["25m+10s", "25m+10s", "25m+10s", "25m+10s", "5m", "5m", "5m", "5m"].join());
  await page.getByRole("button", { name: /^Start \d+ boards…$/ }).click();
  await work();
  await until("the gallery plays", async () => (await rig.boards()).map((board) => (board.state === "ready" ? "-" : "x")).join("") === "xxxx----");
  await page.getByRole("button", { name: /^Set 4 clocks…$/ }).click();
  await page.locator("dialog footer .pri").click();
  await page.locator("dialog").waitFor({ state: "detached" });
  await page.getByRole("button", { name: /^Start 4 boards…$/ }).click();
  await page.locator("dialog footer .pri").click();
  await page.locator("dialog").waitFor({ state: "detached" });
  await until("everybody plays", async () => (await rig.boards()).every((board) => board.state !== "ready"));
});

test("a player without a move by the default time is listed, and forfeits in one tap", async () => {
  const late = page.locator(".card", { hasText: "Late" }).locator("li", { has: page.locator('.no:text-is("4")') });
  const others = async (): Promise<(string | null)[]> => (await games()).filter((one) => one.board !== 4).map((one) => one.result);
  const before = await others();
  // Rows disappear as players move, and a row that has just shifted ignores taps. So the tap is repeated.
  await until("board 4 has -:+", async () => {
    const forfeit = late.getByRole("button", { name: "Black wins by forfeit", exact: true });
    await forfeit.click({ timeout: 2000 }).catch(() => undefined);
    return (await game("4"))?.result === "-:+";
  });
  expect(await others()).toEqual(before);
  await late.waitFor({ state: "detached" });
});

test("an arbiter decides ½–0, and each half counts for its player", async () => {
  await sheet("1");
  await choose("White ½, Black 0").click();
  await until("the game is over", async () => (await rig.board("1")).state === "over");
  await untilResult("1", "1/2-0");
});

test("both players forfeit; a win is changed only with a reason", async () => {
  await sheet("2");
  await page.locator("dialog .results .btn").first().click();
  await untilResult("2", "1-0");
  await sheet("2");
  await choose("Both forfeit").click({ force: true });
  await page.locator("dialog .btn .why").first().waitFor();
  await untilResult("2", "1-0");
  await page.locator("dialog input.text").fill("Both left the hall, FIDE 6.7");
  // A forfeit has no termination.
  await choose("Flag fall").click();
  await choose("Both forfeit").click({ force: true });
  await page.locator("dialog .btn .why", { hasText: "This result does not fit “Flag fall”." }).waitFor();
  await choose("Not stated").click();
  await choose("Both forfeit").click();
  await untilResult("2", "-:-");
});

test("a result is removed only with a reason, from the event and from the clock", async () => {
  await sheet("8");
  await page.locator("dialog .results .btn").first().click();
  await untilResult("8", "1-0");
  await sheet("8");
  await choose("Remove result").click({ force: true });
  await page.locator("dialog .btn .why").first().waitFor();
  await untilResult("8", "1-0");
  await page.locator("dialog input.text").fill("Entered at the wrong board");
  await choose("Remove result").click();
  await until("board 8 has none", async () => (await game("8"))?.result === null);
  await until("nor has its clock", async () => (await rig.board("8")).state !== "over");
});

test("a game is adjourned with who sealed, its clocks stop, and it is finished later", async () => {
  await sheet("5");
  await page.getByRole("button", { name: "Adjourn…" }).click();
  await choose("Sealed by White").click();
  await until("the clocks stand", async () => ["paused", "stopped", "over"].includes((await rig.board("5")).state));
  await page.goto(`${rig.url}#/round`);
  const row = page.locator(".card", { hasText: "Adjourned" }).locator("li", { has: page.locator('.no:text-is("5")') });
  await row.waitFor();
  await sheet("5");
  await page.locator("dialog", { hasText: "Adjourned" }).waitFor();
  await page.locator("dialog input.text").fill("Played on, Guidelines I");
  await page.locator("dialog .results .btn").nth(1).click();
  await untilResult("5", "1/2-1/2");
});

test("undo restores the previous result, and the answered row stays with its undo", async () => {
  await sheet("7");
  await page.locator("dialog .results .btn").first().click();
  await untilResult("7", "1-0");
  await sheet("7");
  await page.locator("dialog input.text").fill("The score sheets say so");
  await page.locator("dialog .results .btn").nth(1).click();
  await page.locator(".slip.done", { hasText: "½–½" }).getByRole("button", { name: /Undo/ }).click();
  await untilResult("7", "1-0");
  await sheet("7");
  await page.locator("dialog input.text").fill("Entered at the wrong board");
  await choose("Remove result").click();
  await until("board 7 has none", async () => (await game("7"))?.result === null);
});

test("an answered row keeps its place, takes no second tap, and can be undone", async () => {
  for (const board of STILL) {
    await rig.ctl("pause", board);
    await rig.ctl("set", board, "white", "1s");
    await rig.ctl("resume", board);
  }
  await until("both flags are down", async () => (await Promise.all(STILL.map((board) => rig.board(board)))).every((board) => board.state === "flagged"));
  await page.goto(`${rig.url}#/round`);
  const row = (board: string) => page.locator(".card", { hasText: "Results missing" }).locator("li", { has: page.locator(`.no:text-is("${board}")`) });
  const first = page.locator(".card", { hasText: "Results missing" }).locator(".todo li").first();
  await first.waitFor();
  const board = (await first.locator(".no").textContent()) ?? "";
  const others = async (): Promise<(string | null)[]> => (await games()).filter((one) => String(one.board) !== board).map((one) => one.result);
  const before = await others();
  await row(board).locator(".rs .btn").first().dblclick();
  await row(board).getByRole("button", { name: /Undo/ }).click();
  await until(`board ${board} has none again`, async () => (await game(board))?.result === null);
  expect(await others()).toEqual(before);
});

test("entered results are in the live standings", async () => {
  await page.goto(`${rig.url}#/standings`);
  await page
    .locator(".stand tbody tr")
    .nth(BOARDS * 2 - 1)
    .waitFor();
  const points = await page.locator(".stand tbody .pts").allTextContents();
  // One game ended ½–0, one by forfeit, one with both players forfeiting, and one in a draw.
  expect(
    points
      .map((text) => text.trim())
      .filter((text) => text !== "0")
      .sort(),
  ).toEqual(["1", "½", "½", "½"].sort());
  expect(await page.locator(".chip.provisional").count()).toBe(1);
});

test("a tap that was aimed at a row which has just gone hits no other row", async () => {
  await page.goto(`${rig.url}#/round`);
  // The first row disappears when its game gets a result, and the next row moves up.
  const list = page.locator(".col[role=presentation]");
  await list.locator("li").nth(1).waitFor();
  const [gone, next] = await list.locator(".no").allTextContents();
  // Runs in the page: records the row under the finger now, as soon as the upper row has gone, and once the next row accepts taps.
  const watch = await list.evaluateHandle((column, board) => {
    const rowOf = (): HTMLElement | undefined => [...column.querySelectorAll("li")].find((row) => row.querySelector(".no")?.textContent === board);
    const aim = rowOf()?.querySelector(".rs .btn:last-child")?.getBoundingClientRect() ?? new DOMRect();
    const hit = (): string => {
      const at = document.elementFromPoint(aim.x + aim.width / 2, aim.y + aim.height / 2);
      return at?.closest(".btn") ? (at.closest("li")?.querySelector(".no")?.textContent ?? "") : "";
    };
    const found = [hit()];
    const hits = new Promise<string[]>((done) => {
      new MutationObserver((_, watch) => {
        if (rowOf()) return;
        watch.disconnect();
        found.push(hit());
        const later = (): unknown => (hit() === "" ? requestAnimationFrame(later) : done([...found, hit()]));
        later();
      }).observe(column, { childList: true, subtree: true });
    });
    return { hits };
  }, gone ?? "");
  await rig.event("result", gone ?? "", "1-0");
  expect(await watch.evaluate(({ hits }) => hits)).toEqual([gone, "", next]);
});

test("the next round's file shows its differences before it counts", async () => {
  for (const board of ["3", "6", "7", "8"]) await rig.event("result", board, "1-0");
  await page.goto(`${rig.url}#/round`);
  await page.getByRole("button", { name: "Confirm the round…" }).click();
  await page.locator("dialog footer .pri").click();
  await page.locator('.steps li[aria-current="step"]', { hasText: "Confirmed" }).waitFor();
  await page.goto(`${rig.url}#/standings`);
  await page.getByRole("button", { name: "Import…" }).click();
  const pairs = Array.from({ length: BOARDS }, (_, at) => `${at + 1},${at * 2 + 1},${at * 2 + 2}`);
  await page.setInputFiles('dialog input[type="file"]', {
    name: "round2.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(["Board,White,Black", ...pairs, ""].join("\n")),
  });
  await page
    .locator(".diff li", { hasText: /round 2/i })
    .first()
    .waitFor();
  expect(await page.locator(".bar .ev", { hasText: "Round 2" }).count()).toBe(0);
  await page.locator("dialog footer .pri").click();
  await page.locator(".bar .ev", { hasText: "Round 2" }).waitFor();
});

describe("a game that is decided by a count", () => {
  let scrabble: Rig;
  let table: Page;
  beforeAll(async () => {
    scrabble = await Rig.start({ boards: { "1": "25m" } });
    const player = (no: number, name: string) => ({ what: { case: "enterPlayer" as const, value: { no, name } } });
    await scrabble.apply([
      { what: { case: "setEvent", value: { name: "Words", game: Kind.SCRABBLE, rounds: 3, timeControlCode: "1500" } } },
      player(1, "Ames, Ann"),
      player(2, "Bell, Bob"),
      { what: { case: "pairRound", value: { round: 1, boards: [{ board: 1, white: 1, black: 2 }] } } },
    ]);
    table = await scrabble.page();
  });
  afterAll(async () => {
    await table.goto("about:blank");
    await scrabble.stop();
  });

  test("the larger count wins, and it is changed with a reason", async () => {
    await scrabble.event("preset", "1");
    await scrabble.event("start", "1");
    await until("the game is played", async () => (await scrabble.board("1")).state === "running");
    await table.goto(`${scrabble.url}#/board/1`);
    await table.locator(".acts .btn", { hasText: "Result" }).click();
    await table.getByLabel("White’s score").fill("412");
    await table.getByLabel("Black’s score").fill("388");
    await table.getByRole("button", { name: "Enter 412 : 388" }).click();
    await until("White has won", async () => (await games(scrabble))[0]?.result === "1-0");
    await until("the clock has stopped", async () => (await scrabble.board("1")).state === "over");
    await table.locator(".acts .btn", { hasText: "Result" }).click();
    await table.locator("dialog", { hasText: "412:388" }).waitFor();
    await table.getByLabel("White’s score").fill("382");
    await table.getByLabel("Black’s score").fill("388");
    await table.getByRole("button", { name: "Enter 382 : 388" }).click({ force: true });
    await table.locator("dialog .btn .why").waitFor();
    await table.getByLabel("Reason").fill("Added up again");
    await table.getByRole("button", { name: "Enter 382 : 388" }).click();
    await until("Black has won", async () => (await games(scrabble))[0]?.result === "0-1");
    await table.goto(`${scrabble.url}#/standings`);
    await table.locator(".stand tbody tr").first().filter({ hasText: "Bell, Bob" }).waitFor();
  });
});
