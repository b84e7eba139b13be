// Shared by all browser tests: starts the browser, and gives each test a hall and a page that must not report errors.

import assert from "node:assert/strict";
import { after } from "node:test";
import { Hall, buildHall, startBrowser } from "../hall.mjs";

const binary = await buildHall();
const browser = await startBrowser();
after(() => browser.close());

/**
 * Runs a test with a separate hall and page.
 * @param {{boards?: number, epoch?: number, playing?: boolean, size?: [number, number], before?: string, event?: string[]}} wish
 *   `playing`: the players press by themselves; `before`: script that runs before the page's own; `event`: `--players N` or `--trf FILE`
 * @param {(stage: {hall: Hall, page: import("playwright-core").Page, open: (path?: string) => Promise<void>, openEvent: (path: string) => Promise<void>, complaints: string[]}) => Promise<void>} act
 */
export async function stage({ boards = 40, epoch = 1, playing = false, size = [1280, 800], before, event = [] }, act) {
  const hall = await startHall({ boards, epoch, playing, event });
  const page = await browser.context.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(error.stack ?? error.message));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  if (before) await page.addInitScript(before);
  await page.setViewportSize({ width: size[0], height: size[1] });
  const open = async (path = "/") => {
    await page.goto(hall.url + path);
    await page.waitForFunction(() => [...document.querySelectorAll(".games .clk, .face .clk")].some((clk) => clk.textContent));
  };
  const openEvent = async (path) => {
    await page.goto(hall.url + path);
    await page.waitForSelector("#page[data-version]");
  };
  try {
    await act({ hall, page, open, openEvent, complaints });
    assert.deepEqual(complaints, [], "the page has nothing to complain about");
  } finally {
    await page.close();
    await hall.kill();
  }
}

export function startHall({ boards = 40, epoch = 1, playing = false, http = "127.0.0.1:0", event = [] }) {
  return Hall.start(binary, "--http", http, "--boards", String(boards), "--epoch", String(epoch), ...event, ...(playing ? [] : ["--quiet"]));
}

export const tile = (page, board) => page.locator(`.game[href="/board/${board}"]`);

export const digits = (page, board, side) => tile(page, board).locator(`.c.${side} .clk`).innerText();

export const field = (page, board, side) => tile(page, board).locator(`.c.${side}`);

export const waitForClass = (locator, name) =>
  locator.and(locator.page().locator(`.${name}`)).waitFor({ state: "attached", timeout: 5000 });

/** Converts `1:02:33` or `0:08.4` to seconds. */
export const seconds = (text) => text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
