// Pictures of every view at every size, light, dark and in high contrast, from a running app: node tests/shots.mjs ADDRESS DIRECTORY
// [view …]. The address may carry a code, which enrols the browser. They are for eyes: whoever changes how something looks, looks at them.
// `npm run shots` stages a hall of its own for them (shots.test.ts).

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { open } from "./browser.mjs";

const SIZES = [
  [1280, 800],
  [1024, 768],
  [768, 1024],
  [390, 844],
];
const THEMES = { light: { colorScheme: "light", contrast: null }, dark: { colorScheme: "dark", contrast: null }, contrast: { colorScheme: "light", contrast: "more" } };
const button = (name) => async (page) => page.getByRole("button", { name }).first().click({ timeout: 3000 });
const action = (name) => async (page) => page.locator(`.acts .btn:has-text("${name}")`).click({ timeout: 3000 });
const VIEWS = {
  hall: ["#/hall"],
  board: ["#/board/1"],
  moves: ["#/board/5", button("Moves")],
  flag: ["#/board/17"],
  correct: ["#/board/4", action("orrect")],
  result: ["#/board/5", action("Result")],
  more: ["#/board/5", async (page) => page.locator(".acts .more").click()],
  round: ["#/round"],
  clocks: ["#/clocks"],
  clock: ["#/clocks", button(/^More about/)],
  standings: ["#/standings"],
  arbiters: ["#/clocks", button("Arbiters…")],
  enrol: ["#/clocks", async (page) => (await button("Enrol a clock…")(page), await button("Make a code")(page), await page.locator(".qr").waitFor())],
  start: ["#/start"],
  settings: ["#/hall", button("Sound, look")],
  map: ["#/hall", button("Floor map")],
};

/** Takes them all, or those of some views; answers what could not be shown, and what the page complained of. */
export async function pictures(page, base, directory, only = []) {
  await mkdir(directory, { recursive: true });
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(error.message));
  for (const [theme, look] of Object.entries(THEMES)) {
    await page.emulateMedia(look);
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      for (const [name, [hash, act]] of Object.entries(VIEWS)) {
        if (only.length > 0 && !only.includes(name)) continue;
        await page.goto("about:blank");
        await page.goto(base + hash);
        await page.waitForSelector(".live .online, .first");
        await page.waitForSelector(".tile .clk, .faces .clk, .inventory td, .stand td, .steps, .spot, .empty, .first");
        await act?.(page).catch((error) => wrong.push(`${name} ${width} ${theme}: ${error.message.split("\n")[0]}`));
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        await page.screenshot({ path: join(directory, `${name}-${width}-${theme}.png`), animations: "disabled" });
      }
    }
  }
  return wrong;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [address, directory, ...only] = process.argv.slice(2);
  if (!address || !directory) {
    console.error("Usage: node tests/shots.mjs ADDRESS DIRECTORY [view …]");
    process.exit(2);
  }
  const { browser, page, base } = await open(address, { hasTouch: true });
  for (const what of await pictures(page, base, directory, only)) console.error(what);
  await browser.close();
}
