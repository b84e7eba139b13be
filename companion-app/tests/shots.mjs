// Pictures of every view at every size, light, dark and in high contrast, from a running app: node tests/shots.mjs ADDRESS DIRECTORY
// [view …]. The address may carry a code, which enrols the browser. They are for eyes: whoever changes how something looks, looks at them.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { open } from "./browser.mjs";

const [address, directory, ...only] = process.argv.slice(2);
if (!address || !directory) {
  console.error("Usage: node tests/shots.mjs ADDRESS DIRECTORY [view …]");
  process.exit(2);
}
const SIZES = [
  [1280, 800],
  [1024, 768],
  [768, 1024],
  [390, 844],
];
const THEMES = { light: { colorScheme: "light", contrast: null }, dark: { colorScheme: "dark", contrast: null }, contrast: { colorScheme: "light", contrast: "more" } };
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
  arbiters: ["#/clocks", async (page) => page.getByRole("button", { name: "Arbiters…" }).click({ timeout: 2000 })],
  start: ["#/start"],
  settings: ["#/hall", async (page) => page.getByRole("button", { name: "Sound, look" }).click()],
};

await mkdir(directory, { recursive: true });
const { browser, page, base } = await open(address, { hasTouch: true });
page.on("pageerror", (error) => console.error(error.message));
page.on("console", (message) => message.type() === "error" && console.error(message.text()));
for (const [theme, look] of Object.entries(THEMES)) {
  await page.emulateMedia(look);
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    for (const [name, [hash, act]] of Object.entries(VIEWS)) {
      if (only.length > 0 && !only.includes(name)) continue;
      await page.goto("about:blank");
      await page.goto(base + hash);
      await page.waitForSelector(".live .online, .first");
      await page.waitForLoadState("networkidle", { timeout: 1000 }).catch(() => undefined);
      await act?.(page).catch((error) => console.error(`${name} ${width} ${theme}: ${error.message.split("\n")[0]}`));
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      await page.screenshot({ path: join(directory, `${name}-${width}-${theme}.png`), animations: "disabled" });
    }
  }
}
await browser.close();
