// Two arbiters in a hall: a forgotten pause, typed reasons, the boards named in a notification. Also the layout, which must not shift and must have
// room for the text in every language.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Rig, until } from "./rig.js";

let rig: Rig;
let anna: Page;
let ben: Page;
const TABLET = { width: 1024, height: 768 };

beforeAll(async () => {
  rig = await Rig.start({ boards: { "1": "90m+30s", "2": "90m+30s", "3": "60m", "4": "60m", "5": "5m", "6": "60m" } });
  anna = await rig.page({ ignoreHTTPSErrors: true, viewport: TABLET }, "floor", "Berg, Anna");
  ben = await rig.page({ ignoreHTTPSErrors: true, viewport: TABLET }, "floor", "Carlsen, Ben");
  await rig.ctl("start", "1-5");
  await until("moves were made", async () => (await rig.board("1")).black.moves >= 2);
});
afterAll(() => rig.stop());

const open = async (page: Page, board: string): Promise<void> => {
  await page.goto(`${rig.url}#/board/${board}`);
  await page.waitForFunction((name) => document.querySelector(".board .bar h1 b")?.textContent === name, board);
};
const act = (page: Page, name: string): ReturnType<Page["locator"]> => page.locator(".acts .btn", { hasText: name });
const state = async (board: string, wanted: string): Promise<void> =>
  until(`board ${board} is ${wanted}`, async () => (await rig.board(board)).state === wanted);

test("a board paused for a correction stays on every arbiter's strip until its clock runs", async () => {
  await ben.goto(`${rig.url}#/hall`);
  await open(anna, "1");
  await act(anna, "Pause and correct").click();
  await state("1", "paused");
  await anna.keyboard.press("Escape");
  await anna.goto(`${rig.url}#/hall`);
  for (const page of [anna, ben]) {
    const card = page.locator(".now .urg.paused", { hasText: /Paused \d.*Berg, Anna · since \d/ });
    await card.waitFor();
    expect(await card.getByRole("link", { name: "Correct" }).getAttribute("href")).toBe("#/board/1/correct");
  }
  await ben.locator(".now .urg.paused").getByRole("link", { name: "Correct" }).click();
  await ben.locator("dialog", { hasText: "Set both clocks" }).waitFor();
  await ben.keyboard.press("Escape");
  await ben.goto(`${rig.url}#/hall`);
  await ben.locator(".now .urg.paused").getByRole("button", { name: "Resume" }).click();
  await state("1", "running");
  for (const page of [anna, ben]) await page.locator(".now .urg.paused").waitFor({ state: "detached" });
});

test("a correction takes a typed reason beside the chosen one, and refuses hidden characters", async () => {
  await open(anna, "2");
  await act(anna, "Pause and correct").click();
  await anna.locator("dialog .chip.paused", { hasText: "Paused" }).waitFor();
  await anna.locator('dialog section[aria-label="White"] .fld.time').click();
  await anna.keyboard.type("13000");
  const own = anna.getByRole("textbox", { name: "In your own words" });
  const set = anna.locator("dialog").getByRole("button", { name: "Set both clocks" });
  await anna.locator("dialog .why").getByRole("button", { name: "Irregularity" }).click();
  await own.fill("king and \u202equeen");
  await anna.locator("dialog .why .bad", { hasText: "U+202E" }).waitFor();
  expect(await set.getAttribute("aria-disabled")).toBe("true");
  await own.fill("é".repeat(150));
  await anna.locator("dialog .why .bad", { hasText: "at most 300" }).waitFor();
  await own.fill("king and queen 1 2 swapped");
  expect(await set.getAttribute("aria-disabled")).toBeNull();
  await set.click();
  await until("White has 1:30:00", async () => (await rig.board("2")).white.us === 5400e6);
  const reason = "Irregularity, FIDE 7.1: king and queen 1 2 swapped";
  await anna.locator(".log li", { hasText: reason }).first().waitFor();
  expect(await rig.ctl("log", "2")).toContain(reason);
});

test("the command line takes a reason for a pause, and refuses hidden characters", async () => {
  await rig.ctl("pause", "4", "--reason", "claim of threefold repetition");
  expect(await rig.ctl("log", "4")).toContain("claim of threefold repetition");
  const refused = (reason: string) =>
    rig.ctl("add-time", "4", "white", "1m", "--reason", reason).catch((error: unknown) => (error as { stdout: string }).stdout);
  expect(await refused("a\u202eb")).toContain("U+202E");
  expect(await refused("x".repeat(301))).toContain("at most 300");
  await rig.ctl("resume", "4");
});

test("the chart keeps its place and size when a board is paused", async () => {
  for (const viewport of [TABLET, { width: 1280, height: 800 }]) {
    await anna.setViewportSize(viewport);
    await open(anna, "3");
    await anna.locator(".chart .uplot").waitFor();
    const before = await anna.locator(".chart").boundingBox();
    await act(anna, "Pause").first().click();
    await anna.locator(".status .says.paused").waitFor();
    await anna.locator(".status .slip.done").waitFor();
    expect(await anna.locator(".chart").boundingBox(), `${viewport.width}`).toEqual(before);
    await act(anna, "Resume").click();
    await state("3", "running");
    // Slips of completed commands disappear by themselves.
    await anna.locator(".status .slip.done").first().waitFor({ state: "detached", timeout: 30_000 });
    expect(await anna.locator(".chart").boundingBox(), `${viewport.width}`).toEqual(before);
  }
  await anna.setViewportSize(TABLET);
});

test("the address of a notification shows only its boards, until all are requested", async () => {
  const boards = (): Promise<(string | null)[]> => ben.locator(".tile").evaluateAll((tiles) => tiles.map((tile) => tile.getAttribute("data-board")));
  await ben.goto(`${rig.url}#/hall/only/2,5`);
  await until("two boards are shown", async () => (await boards()).join() === "2,5");
  await ben.locator(".narrowed", { hasText: "Boards in the notification: 2, 5" }).getByRole("button", { name: "Show all" }).click();
  await until("all boards are shown", async () => (await boards()).length === 6);
});

test("the settings are behind the arbiter's name", async () => {
  const me = anna.locator(".bar .end .me");
  await anna.goto(`${rig.url}#/hall`);
  await me.filter({ hasText: "Berg, Anna" }).click();
  await anna.locator("dialog", { hasText: "Vibration" }).waitFor();
  await anna.keyboard.press("Escape");
});

test("no button's text wraps on a tablet, in any language", { timeout: 180_000 }, async () => {
  const wrapped: string[] = [];
  for (const locale of ["en-GB", "de-DE", "es-ES", "fr-FR"]) {
    const page = await rig.page({ ignoreHTTPSErrors: true, viewport: TABLET, locale }, "chief", "Nováková, Jana");
    for (const place of ["#/hall", "#/board/1", "#/board/6", "#/board/1/correct", "#/round", "#/clocks", "#/standings"]) {
      await page.goto(`${rig.url}${place}`);
      await page.reload();
      await page
        .locator(place.endsWith("correct") ? "dialog footer .btn" : place.startsWith("#/board") ? ".acts .btn" : "main, .tile")
        .first()
        .waitFor();
      await page.evaluate(() => document.fonts.ready);
      for (const words of await page.evaluate(linesOfButtons)) wrapped.push(`${locale} ${place}: ${words}`);
    }
    await page.context().close();
  }
  expect(wrapped).toEqual([]);
});

/** Returns the texts of buttons that wrap, or that are too wide for the button or its row. Runs in the page. */
function linesOfButtons(): string[] {
  const wrapped: string[] = [];
  for (const button of document.querySelectorAll<HTMLElement>("button, .btn, nav a")) {
    if (button.classList.contains("fld") || button.getClientRects().length === 0) continue;
    const box = button.getBoundingClientRect();
    if (button.scrollWidth > button.clientWidth + 1 || (button.closest(".acts") && box.right > innerWidth)) wrapped.push(`too narrow: ${button.textContent}`);
    const texts = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (!node.textContent?.trim() || node.parentElement?.closest(".vh, .say, .why")?.closest("button, .btn") === button) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const tops = [...range.getClientRects()].filter((one) => one.width > 0).map((one) => one.top);
      if (Math.max(...tops) - Math.min(...tops) > 4) wrapped.push(node.textContent.trim());
    }
  }
  return wrapped;
}
