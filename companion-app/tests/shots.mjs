// Pictures of every view at every size, light and dark, from a running app: node tests/shots.mjs URL DIRECTORY [view …]
// They are for eyes: whoever changes how something looks, looks at them.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [url, directory, ...only] = process.argv.slice(2);
if (!url || !directory) {
  console.error("Usage: node tests/shots.mjs URL DIRECTORY [view …]");
  process.exit(2);
}
const SIZES = [
  [1280, 800],
  [1024, 768],
  [768, 1024],
  [390, 844],
];
const THEMES = ["light", "dark"];
const click = (name) => async (page) => page.locator(`.acts .btn:has-text("${name}")`).click();
const VIEWS = {
  hall: ["#/hall"],
  map: ["#/hall", async (page) => page.getByRole("button", { name: "Floor map" }).click({ timeout: 1000 })],
  board: ["#/board/1"],
  correct: ["#/board/2", async (page) => page.evaluate(() => [...document.querySelectorAll(".acts .btn")].find((one) => /orrect/.test(one.textContent))?.click())],
  result: ["#/board/3", click("Result")],
  more: ["#/board/3", async (page) => page.locator(".acts .more").click()],
  round: ["#/round"],
  clocks: ["#/clocks"],
  standings: ["#/standings"],
  settings: ["#/hall", async (page) => page.getByRole("button", { name: "Sound, look" }).click()],
};

await mkdir(directory, { recursive: true });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
for (const theme of THEMES) {
  for (const [width, height] of SIZES) {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme: theme, hasTouch: width < 1280, locale: "en-GB" });
    page.on("pageerror", (error) => console.error(`${width} ${theme}: ${error.message}`));
    page.on("console", (message) => message.type() === "error" && console.error(`${width} ${theme}: ${message.text()}`));
    for (const [name, [hash, act]] of Object.entries(VIEWS)) {
      if (only.length > 0 && !only.includes(name)) continue;
      await page.goto("about:blank");
      await page.goto(`${url}${hash}`);
      await page.waitForSelector(".live .online, .first");
      await page.waitForLoadState("networkidle", { timeout: 1500 }).catch(() => undefined);
      try {
        await act?.(page);
        await page.evaluate(() => new Promise((done) => setTimeout(done, 500)));
      } catch (error) {
        console.error(`${name} ${width} ${theme}: ${error.message.split("\n")[0]}`);
      }
      await page.screenshot({ path: join(directory, `${name}-${width}-${theme}.png`) });
    }
    await page.close();
  }
}
await browser.close();
