// A round in the app, from the draw for colours to the exported files. Each procedure may take at most four taps from the view in which it begins.

import { fileURLToPath } from "node:url";
import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Rig, until } from "./rig.js";

const PROGRAM = fileURLToPath(new URL("../../../hub/tests/rigs/fake-bbp.sh", import.meta.url));
const NAMES = ["Ames, Ann", "Bell, Bob", "Cole, Cid", "Dunn, Dee", "Ekman, Eva", "Ford, Fay", "Gray, Gus"];
const MAX_TAPS = 4;

let rig: Rig;
let page: Page;
let sheet: Locator;
let taps = 0;
beforeAll(async () => {
  rig = await Rig.start({ boards: { "1": "15m", "2": "15m", "3": "15m" }, serve: ["--pairing-program", PROGRAM] });
  await rig.apply([
    { what: { case: "setEvent", value: { name: "Seven of us", rounds: 4, timeControlCode: "900" } } },
    ...NAMES.map((name, at) => ({ what: { case: "enterPlayer" as const, value: { no: at + 1, name, rating: 2400 - at * 20 } } })),
  ]);
  page = await rig.page({ viewport: { width: 1280, height: 800 } });
  sheet = page.locator("dialog[open]");
}, 180_000);
afterAll(() => rig.stop());

async function tap(what: Locator): Promise<void> {
  taps += 1;
  await what.click();
}
const button = (name: string | RegExp): Locator => page.getByRole("main").getByRole("button", { name, exact: true });
const primary = async (): Promise<string[]> => (await page.locator("main .btn.pri").allTextContents()).map((text) => text.trim());
const inSheet = (name: string | RegExp): Locator => sheet.getByRole("button", { name, exact: true });

function procedure(name: string, view: "round" | "standings", work: () => Promise<void>): void {
  test(name, async () => {
    await page.goto(`${rig.url}#/${view}`);
    await page.reload();
    await page.waitForSelector(".live .online");
    taps = 0;
    await work();
    expect(taps, `taps of: ${name}`).toBeGreaterThan(0);
    expect(taps, `taps of: ${name}`).toBeLessThanOrEqual(MAX_TAPS);
  });
}

interface Shown {
  board: number;
  white: number | null;
  black: number | null;
  result: string | null;
  without_a_game?: string[];
}
const shown = async (round: number): Promise<Shown[]> =>
  (await rig.event("round", "show", String(round), "--json"))
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Shown);
/** Returns the round's seats by board, board:white-black: `1:4-1 2:2-5`. */
const seats = async (round: number): Promise<string> =>
  (await shown(round)).flatMap(({ board, white, black, without_a_game }) => (without_a_game ? [] : [`${board}:${white ?? 0}-${black ?? 0}`])).join(" ");
const idle = async (round: number): Promise<string> => (await shown(round)).flatMap((line) => line.without_a_game ?? []).join();
const becomes = (what: string, read: () => Promise<string>, wanted: string | RegExp): Promise<void> =>
  until(`${what}: ${String(wanted)}`, async () => (typeof wanted === "string" ? (await read()) === wanted : wanted.test(await read())));

procedure("the colour is drawn, the proposal seen, and round 1 paired", "round", async () => {
  await tap(button("Pair round 1…"));
  await sheet.getByText("Draw lots").waitFor();
  await tap(inSheet("White"));
  await inSheet("Pair 3 games").waitFor();
  await sheet.locator("li", { hasText: "Pairing-allocated bye" }).filter({ hasText: "Gray, Gus" }).waitFor();
  expect(await sheet.locator(".todo li").count()).toBe(4);
  await tap(inSheet("Pair 3 games"));
  await button("Set 3 clocks…").waitFor();
  // A single primary button leads to the next step.
  expect(await primary()).toEqual(["Set 3 clocks…"]);
  expect(await seats(1)).toBe("1:2-1 2:4-3 3:6-5");
});

procedure("colours are swapped", "round", async () => {
  await tap(button("Pairings…"));
  await tap(inSheet("Change board 2"));
  await tap(inSheet("Swap colours"));
  await becomes("the seats", () => seats(1), "1:2-1 2:3-4 3:6-5");
});

procedure("two players change places", "round", async () => {
  await tap(button("Pairings…"));
  await tap(inSheet("Change board 1"));
  await tap(inSheet("Replace White…"));
  await tap(inSheet(/Ford, Fay/));
  await becomes("the seats", () => seats(1), "1:6-1 2:3-4 3:2-5");
});

procedure("a player with a bye takes a seat, and the bye goes with the seat", "round", async () => {
  await tap(button("Pairings…"));
  await tap(inSheet("Change board 3"));
  await tap(inSheet("Replace Black…"));
  await tap(inSheet(/Gray, Gus/));
  await becomes("the seats", () => seats(1), "1:6-1 2:3-4 3:2-7");
  await becomes("the bye", () => idle(1), /Ekman, Eva \(pairing/);
});

procedure("a game moves to a board that is free", "round", async () => {
  await tap(button("Pairings…"));
  await tap(inSheet("Change board 3"));
  await sheet.getByLabel("To board").fill("12");
  await tap(inSheet("Move"));
  await becomes("the seats", () => seats(1), "1:6-1 2:3-4 12:2-7");
});

procedure("two games change boards", "round", async () => {
  await tap(button("Pairings…"));
  await tap(inSheet("Change board 12"));
  await sheet.getByLabel("To board").fill("2");
  await tap(inSheet("Swap with board 2"));
  await becomes("the seats", () => seats(1), "1:6-1 2:2-7 12:3-4");
});

procedure("another bye is given", "round", async () => {
  await tap(button("Pairings…"));
  await tap(sheet.locator("li", { hasText: "Ekman, Eva" }).getByRole("button", { name: "Seat or bye…" }));
  await tap(inSheet("Half-point bye"));
  await becomes("the bye", () => idle(1), /Ekman, Eva \(half/);
});

procedure("a game is removed", "round", async () => {
  await tap(button("Pairings…"));
  await tap(inSheet("Change board 12"));
  await tap(inSheet("Remove the game at board 12"));
  await becomes("the seats", () => seats(1), "1:6-1 2:2-7");
});

procedure("two players without a game get a board", "round", async () => {
  await tap(button("Pairings…"));
  await tap(sheet.locator("li", { hasText: "Dunn, Dee" }).getByRole("button", { name: "Seat or bye…" }));
  await tap(inSheet(/Cole, Cid/));
  await becomes("the seats", () => seats(1), "1:6-1 2:2-7 3:4-3");
});

procedure("the pairings of a round are removed, once that was said twice", "round", async () => {
  await tap(button("Pairings…"));
  await tap(inSheet("Remove the pairings of round 1…"));
  await tap(inSheet("Remove the pairings of round 1"));
  await button("Pair round 1…").waitFor();
  await expect(rig.event("round", "show", "1")).rejects.toThrow();
});

procedure("absent players get byes in a round that is not paired", "round", async () => {
  await tap(button("Absent players…"));
  await tap(inSheet(/Ford, Fay/));
  await tap(inSheet("Give 1 zero-point bye"));
  await sheet.waitFor({ state: "detached" });
});

test("a round is paired by hand: two taps for a game, one more for a bye", async () => {
  await button("Pair round 1…").click();
  await inSheet("Pair by hand…").click();
  expect(await inSheet(/Ford, Fay/).count()).toBe(0);
  for (const [white, black] of [
    ["Bell, Bob", "Ames, Ann"],
    ["Cole, Cid", "Dunn, Dee"],
  ] as const) {
    await inSheet(new RegExp(white)).click();
    await sheet.getByText(`${white} has White.`).waitFor();
    await inSheet(new RegExp(black)).click();
  }
  await sheet.locator("li", { hasText: "Bell, Bob" }).getByRole("button", { name: "Swap colours" }).click();
  await inSheet(/Gray, Gus/).click();
  await inSheet("Full-point bye").click();
  await inSheet("Pair 2 games").click();
  await button("Set 2 clocks…").waitFor();
  expect(await seats(1)).toBe("1:1-2 2:3-4");
  await becomes("the byes", () => idle(1), /Ekman, Eva \(half.*Ford, Fay \(zero.*Gray, Gus \(full/);
});

test("the clocks are set and started, and moves are played", async () => {
  for (const step of ["Set 2 clocks…", "Start 2 boards…"]) {
    await button(step).click();
    await sheet.locator("footer .pri").click();
    await sheet.waitFor({ state: "detached" });
  }
  await until("four moves at board 1", async () => (await rig.presses("1")).length > 4);
});

procedure("a late player enters, with half a point for each round missed", "standings", async () => {
  await tap(page.getByRole("tab", { name: "Players" }));
  await tap(button("Add player…"));
  await sheet.getByLabel("Name (Last, First)").fill("Hall, Hal");
  expect(await sheet.getByLabel("First round").inputValue()).toBe("2");
  await sheet.getByLabel("Missed rounds").selectOption({ label: "Half-point bye" });
  await tap(inSheet("Add player"));
  await sheet.getByText("Player 8 added: Hall, Hal").waitFor();
  await becomes("the bye", () => idle(1), /Hall, Hal \(half/);
});

procedure("several players have not come: their games are forfeited together", "round", async () => {
  await tap(button("Absent players…"));
  await tap(inSheet(/Cole, Cid/));
  await tap(inSheet(/Dunn, Dee/));
  await tap(inSheet("Forfeit 1 game"));
  await becomes("the results", async () => (await shown(1)).map(({ result }) => result ?? "").join(), /^,./);
});

test("a pairing whose game has begun cannot be changed, and says so", async () => {
  await button("Pairings…").click();
  await inSheet("Change board 1").click();
  expect(await inSheet("Swap colours").getAttribute("aria-disabled")).toBe("true");
  await inSheet("Remove the game at board 1").click({ force: true });
  await sheet.getByText("The game has begun or has a result.").first().waitFor();
  expect(await seats(1)).toBe("1:1-2 2:3-4");
});

test("the finished round is confirmed, and the next step is one button", async () => {
  await rig.event("result", "1", "1-0");
  await page.goto(`${rig.url}#/round`);
  await page.reload();
  await button("Confirm the round…").click();
  await sheet.locator("footer .pri").click();
  await button("Reopen…").waitFor();
  expect(await primary()).toEqual(["Pair round 2…"]);
});

procedure("a player withdraws", "standings", async () => {
  await tap(page.getByRole("tab", { name: "Players" }));
  await tap(button(/Ford, Fay/));
  await tap(inSheet("Withdraw…"));
  await tap(inSheet("Withdraw after round 1"));
  await sheet.getByText("withdrawn after round 1").waitFor();
});

procedure("a player who had withdrawn plays again", "standings", async () => {
  await tap(page.getByRole("tab", { name: "Players" }));
  await tap(button(/Ford, Fay/));
  await tap(inSheet("Reinstate"));
  await inSheet("Withdraw…").waitFor();
});

procedure("a bye is granted for a later round", "standings", async () => {
  await tap(page.getByRole("tab", { name: "Players" }));
  await tap(button(/Gray, Gus/));
  await tap(inSheet("Byes…"));
  await tap(sheet.getByRole("group", { name: "Round 3" }).getByRole("button", { name: "Half-point bye" }));
  await sheet.getByRole("group", { name: "Round 3" }).getByRole("button", { name: "Half-point bye", pressed: true }).waitFor();
});

procedure("two players are kept apart", "standings", async () => {
  await tap(page.getByRole("tab", { name: "Players" }));
  await tap(button(/Ames, Ann/));
  await tap(inSheet("Keep apart…"));
  await tap(inSheet(/Cole, Cid/));
  await becomes("the rule", () => rig.event("forbid"), /Ames, Ann.*Cole, Cid.*must not meet/);
  await sheet.locator("li", { hasText: "Ames, Ann – Cole, Cid" }).waitFor();
});

procedure("a forbidden pair is lifted", "standings", async () => {
  await tap(button("Event…"));
  await tap(inSheet("Pairing rules…"));
  await tap(inSheet("Remove"));
  await becomes("the rules", () => rig.event("forbid"), /no pair is forbidden/);
});

procedure("the event is accelerated", "standings", async () => {
  await tap(button("Event…"));
  await tap(inSheet("Pairing rules…"));
  await tap(inSheet("Baku method"));
  await becomes("the type", () => rig.event("export"), /192 FIDE_DUTCH_2025_BAKU/);
});

procedure("round 2 is paired by the program", "round", async () => {
  await tap(button("Pair round 2…"));
  await inSheet(/^Pair \d games$/).waitFor();
  await sheet.locator(".chip", { hasText: "Float" }).first().waitFor();
  await tap(inSheet(/^Pair \d games$/));
  await page
    .locator(".rounds")
    .getByRole("button", { name: /^Round 2/, pressed: true })
    .waitFor();
  await button(/^Set \d clocks…$/).waitFor();
});

test("the boards are set for round 2", async () => {
  await button(/^Set \d clocks…$/).click();
  await sheet.locator("footer .pri").click();
  await until("board 1 has its players of round 2", async () => (await rig.board("1")).state === "ready");
});

const gameShown = (): Promise<void> =>
  until("the game of round 1 is chosen", async () => (await page.locator(".log .pick.games select option:checked").allTextContents()).join() === "Round 1");

procedure("a finished game is opened with its moves", "round", async () => {
  await tap(page.locator(".rounds").getByRole("button", { name: /^Round 1/ }));
  await tap(page.getByRole("main").getByRole("link", { name: /Ames, Ann/ }));
  await page.waitForFunction(() => location.hash === "#/board/1/round/1");
  await gameShown();
  await page.locator(".log li.press").first().waitFor();
});

procedure("a game is opened from the player’s card", "standings", async () => {
  await tap(page.getByRole("tab", { name: "Players" }));
  await tap(button(/Bell, Bob/));
  await tap(sheet.getByRole("link", { name: "Ames, Ann" }));
  await page.waitForFunction(() => location.hash === "#/board/1/round/1");
  await gameShown();
});

for (const [item, name, holds] of [
  [/^TRF26/, "seven-of-us.trf", "001    1"],
  [/^TRF16/, "seven-of-us-trf16.trf", "012 Seven of us"],
  [/Pairings and results/, "seven-of-us-pairings.csv", "Ames, Ann"],
  [/^CSV Standings/, "seven-of-us-standings.csv", "Rank,"],
  [/^PGN/, "seven-of-us.pgn", '[White "Ames, Ann"]'],
] as const) {
  procedure(`the event leaves the hall as ${name}`, "standings", async () => {
    await tap(button("Event…"));
    await tap(inSheet("Export…"));
    const [file] = await Promise.all([page.waitForEvent("download"), tap(inSheet(item))]);
    expect(file.suggestedFilename()).toBe(name);
    expect(readFileSync(await file.path(), "utf8")).toContain(holds);
    await sheet.getByText(`Saved: ${name}`).waitFor();
    // The sheet lists what the format cannot express.
    if (name.endsWith("pgn")) await sheet.locator("li", { hasText: "Moves that were not entered" }).waitFor();
  });
}

procedure("result slips are printed in this arbiter’s language", "round", async () => {
  await tap(button("Print…"));
  const [opened] = await Promise.all([page.context().waitForEvent("page"), tap(sheet.getByRole("link", { name: "Result slips" }))]);
  await opened.waitForURL(`${rig.publicUrl.replace("127.0.0.1", "localhost")}event/print/slips?round=2&lang=en`);
  await opened.getByText("Gray, Gus").first().waitFor();
  await opened.close();
});

procedure("the cross table is printed", "standings", async () => {
  await tap(button("Print…"));
  const [opened] = await Promise.all([page.context().waitForEvent("page"), tap(sheet.getByRole("link", { name: "Cross table" }))]);
  await opened.waitForURL(/\/event\/cross-table\?lang=en$/);
  await opened.getByText("Ames, Ann").first().waitFor();
  await opened.close();
});

test("a floor arbiter grants byes and forfeits, and is told who may pair", async () => {
  const floor = await rig.page({}, "floor", "Roe, Rex");
  await floor.goto(`${rig.url}#/round`);
  const main = floor.getByRole("main");
  expect(await main.getByRole("button", { name: "Pairings…" }).getAttribute("title")).toBe("Only the chief arbiter may do this.");
  expect(await main.getByRole("button", { name: "Absent players…" }).getAttribute("aria-disabled")).toBeNull();
  await floor.context().close();
});
