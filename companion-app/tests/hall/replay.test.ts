// The replay of a game: the appeals committee's question in four taps, the what-if function, and any game of the event in two taps.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { report } from "./report.js";
import { Rig, until } from "./rig.js";

/** Index of Black's ply in move 4. Black uses `PAUSES_S` seconds more on it, so that an arbiter can act before the press. */
const AT_MOVE_4 = 7;
const PAUSES_S = 4;
const AFTER_17 = 34;
/** Additional seconds that Black uses on move 18. Black's flag stays up only with the two extra minutes; then White's flag falls on move 20. */
const THINKS_S = 22;
let rig: Rig;
let page: Page;
let taps = 0;

beforeAll(async () => {
  const at = (ply: number): number => 1 + ply * 0.25 + (ply >= AT_MOVE_4 ? PAUSES_S : 0) + (ply > AFTER_17 ? THINKS_S : 0);
  const script = ["from game", ...Array.from({ length: 38 }, (_, ply) => `at ${at(ply)} press ${ply % 2 === 0 ? "left" : "right"}`)].join("\n");
  rig = await Rig.start({ boards: { "1": "20s", "2": "5m" }, alone: { "1": { script }, "2": {} } });
  const file = join(rig.dir, "cup.trf");
  writeFileSync(file, report({ boards: 2, control: "5400+30" }));
  await rig.event("open", file);
  await rig.event("set", "--sector", "quick=1", "--sector", "slow=2", "--sector-control", "quick=20s", "--sector-control", "slow=5m");
  await rig.event("preset", "1");
  await until("the clocks are set", async () => (await rig.boards()).every((board) => board.white.name !== "" && !board.white.name.includes("Okonkwo")));
  await rig.event("start", "1");
  await until("Black thinks about move 4", async () => (await rig.board("1")).white.moves >= 4, 30_000);
  await rig.ctl("add-time", "1", "black", "2m", "--reason", "Illegal move by White");
  page = await rig.page({ hasTouch: true });
});
afterAll(() => rig.stop());

const tap = async (target: ReturnType<Page["locator"]>): Promise<void> => {
  await target.tap();
  taps += 1;
};
const exact = (side: string, of: string) => page.locator(`.replay .face.${side} .stand.${of} .exact b`).first();
const us = (text: string): number => text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0) * 1e6;

async function shot(name: string): Promise<void> {
  const folder = process.env["SHOTS"];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  for (const [width, height] of [
    [1280, 800],
    [1024, 768],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
    }
    if (width > 900) continue;
    for (const part of [".sheet", ".chart", ".whatif"]) {
      if ((await page.locator(`.replay ${part}`).count()) === 0) continue;
      await page.locator(`.replay ${part}`).scrollIntoViewIfNeeded();
      await page.screenshot({ path: join(folder, `${name}-${width}${part}.png`) });
    }
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1024, height: 768 });
}

test("what was on both clocks at move 17, and what if the two minutes had not been given: four taps", { timeout: 120_000 }, async () => {
  await until("White's flag is down", async () => (await rig.board("1")).state === "flagged", 90_000);
  await page.goto(`${rig.url}#/hall`);
  await tap(page.locator(".tile").first());
  await shot("board");
  await tap(page.locator(".replay-link"));
  const press = page.getByRole("button", { name: /^Move 17, White/ });
  await press.waitFor();
  await shot("end");
  await tap(press);
  const [made] = (await rig.presses("1")).filter((one) => one.move === 17 && one.side === "white");
  expect(made, "the hub has move 17").toBeDefined();
  const pressed = us(await exact("white", "was").innerText());
  expect(Math.abs(pressed - (made?.left_us ?? 0)), "the time as the button went down").toBeLessThan(1000);
  const black = us(await exact("black", "was").innerText());
  expect(black, "Black has the two minutes").toBeGreaterThan(120e6);
  await shot("move");
  await tap(page.getByRole("button", { name: /^Leave out of the replay: Black \+2:00/ }));
  await exact("black", "would").waitFor();
  expect(taps).toBeLessThanOrEqual(4);
  expect(us(await exact("white", "would").innerText())).toBe(pressed);
  expect(Math.abs(black - us(await exact("black", "would").innerText()) - 120e6)).toBeLessThan(2000);
  const found = page.locator(".whatif .outcome");
  await expect.poll(() => found.innerText()).toMatch(/White’s flag would not have fallen\. It fell at .*, on move 20\./);
  expect(await found.innerText()).toMatch(/Black’s flag would have fallen at .*, on move 18\./);
  await shot("what-if");
});

test("the record prints on one page, also of a game of 120 moves", async () => {
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const record = page.locator(".record");
  await record.waitFor();
  expect(await page.locator(".replay .scrub").isVisible()).toBe(false);
  const text = await record.innerText();
  for (const part of ["Lindqvist, Ada 1", "Round 1", "0:15.000", "Illegal move by White", "White’s flag fell", "Without: Black +2:00", "on move 18"])
    expect(text).toContain(part);
  const pages = async (): Promise<number> => (await page.pdf({ preferCSSPageSize: true })).toString("latin1").match(/\/Type\s*\/Page[^s]/g)?.length ?? 0;
  expect(await pages()).toBe(1);
  await page.setViewportSize({ width: 794, height: 1123 });
  if (process.env["SHOTS"]) await page.screenshot({ path: join(process.env["SHOTS"], "record.png") });
  await page.evaluate(() => {
    for (const body of document.querySelectorAll(".record .sides tbody")) {
      const [row] = body.children;
      while (row && body.children.length < 40) body.append(row.cloneNode(true));
    }
  });
  if (process.env["SHOTS"]) await page.screenshot({ path: join(process.env["SHOTS"], "record-120.png") });
  expect(await pages(), "120 moves").toBe(1);
  await page.emulateMedia({ media: "screen", colorScheme: "light" });
  await page.setViewportSize({ width: 1024, height: 768 });
});

test("a supposition can be changed and taken back", async () => {
  await page.getByRole("button", { name: "Add a correction…" }).tap();
  await page.locator("dialog").getByRole("button", { name: "Black", exact: true }).tap();
  await page.locator("dialog select").selectOption("18b");
  await shot("add");
  await page.locator("dialog .pri").tap();
  await page.locator("dialog").waitFor({ state: "detached" });
  await expect.poll(() => page.locator(".whatif .parts li:not(.all)").count()).toBe(2);
  // The two minutes come at the start of Black's turn in move 18, in time to keep the flag up, so the flags do not differ.
  await expect.poll(() => page.locator(".whatif .outcome .flag").count()).toBe(0);
  await page.getByRole("button", { name: "Another time control…" }).tap();
  await page.locator("dialog input.text").fill("nonsense");
  await page.locator("dialog .pri").tap();
  await page.locator("dialog .refused").waitFor();
  await shot("control");
  await page.locator("dialog input.text").fill("3m");
  await page.locator("dialog .pri").tap();
  await expect.poll(() => page.locator(".whatif .outcome").innerText()).toContain("White’s flag would not have fallen");
  await page.locator(".whatif .parts .all .btn").tap();
  await expect.poll(() => page.locator(".stand.would").count()).toBe(0);
});

test("keys and the slider move through the game", async () => {
  const here = page.locator(".scrub .here");
  await page.locator(".replay .bar h1").click();
  await page.keyboard.press("Home");
  await expect.poll(() => here.innerText()).toContain("Clock set");
  await page.keyboard.press("a");
  await expect.poll(() => here.innerText()).toContain("Start, White to move");
  await page.keyboard.press("a");
  await expect.poll(() => here.innerText()).toContain("Black +2:00");
  await page.keyboard.press("f");
  await expect.poll(() => here.innerText()).toContain("White’s flag fell");
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => here.innerText()).toContain("Time used up");
  await page.locator(".slide input").focus();
  await page.keyboard.press("Home");
  expect(await exact("white", "was").innerText()).toBe("0:20.000");
  await page.getByLabel("Speed").selectOption("100");
  await page.getByRole("button", { name: "Play", exact: true }).tap();
  await expect.poll(() => exact("white", "was").innerText(), { timeout: 10_000 }).toBe("0:00.000");
});

test("the replay speaks the arbiter's language", async () => {
  for (const [locale, word] of [
    ["de-DE", "Was wäre wenn"],
    ["fr-FR", "Et si"],
    ["es-ES", "Y si"],
  ] as const) {
    const other = await rig.page({ locale });
    await other.goto(`${rig.url}#/replay/1`);
    await other.locator(".sheet li.mv").first().waitFor();
    expect(await other.locator(".whatif h2").innerText()).toBe(word);
    await other.context().close();
  }
});

test("any game of the event opens in two taps from the round and from a player", async () => {
  for (const [view, open] of [
    ["round", page.getByRole("button", { name: "Show all" })],
    ["standings", page.locator(".stand .pl button, .players button").first()],
  ] as const) {
    await page.goto(`${rig.url}#/${view}`);
    if (view === "standings") await page.getByRole("tab", { name: "Players" }).click();
    await open.waitFor();
    taps = 0;
    await tap(open);
    await shot(view);
    await tap(page.getByRole("link", { name: /^Replay: / }).first());
    await page.locator(".replay .sheet").waitFor();
    expect(taps, view).toBe(2);
  }
});
