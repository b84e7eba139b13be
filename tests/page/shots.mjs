// Takes screenshots of the live pages in several sizes and palettes: `node tests/page/shots.mjs [folder] [only]`, by default into target/screenshots.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Hall, ROOT, buildHall, startBrowser } from "./hall.mjs";

const SHOTS = [
  ["live-1280-light", "/?theme=light", 1280, 800],
  ["live-1280-dark", "/?theme=dark", 1280, 800],
  ["live-1024-light", "/?theme=light", 1024, 768],
  ["live-1024-dark", "/?theme=dark", 1024, 768],
  ["live-phone-light", "/?theme=light", 390, 844],
  ["live-phone-dark", "/?theme=dark", 390, 844],
  ["live-states-light", "/?theme=light", 1280, 1700],
  ["live-states-contrast", "/?theme=contrast", 1280, 1700],
  ["live-rtl", "/?theme=light&dir=rtl", 1024, 768],
  ["wall", "/?wall", 1920, 1080],
  ["wall-light", "/?wall&theme=light", 1920, 1080],
  ["board-light", "/board/1?theme=light", 1024, 768],
  ["board-dark", "/board/1?theme=dark", 1024, 768],
  ["board-flag-light", "/board/9?theme=light", 1280, 800],
  ["board-flag-dark", "/board/9?theme=dark", 1024, 768],
  ["board-short-light", "/board/12?theme=light", 1024, 768],
  ["board-silent-light", "/board/17?theme=light", 1024, 768],
  ["board-expected-dark", "/board/25?theme=dark", 1024, 768],
  ["board-delay-dark", "/board/19?theme=dark", 1024, 768],
  ["board-paused-light", "/board/4?theme=light", 1024, 768],
  ["board-over-light", "/board/3?theme=light", 1024, 768],
  ["board-phone-light", "/board/1?theme=light", 390, 844],
  ["board-wall", "/board/2?wall", 1920, 1080],
  ["board-ready-contrast", "/board/18?theme=contrast-dark", 1024, 768],
  ["nothing-light", "/board/999?theme=light", 1024, 768],
];

const folder = process.argv[2] ?? join(process.env.CARGO_TARGET_DIR ?? join(ROOT, "target"), "screenshots");
const only = process.argv[3];
await mkdir(folder, { recursive: true });
const hall = await Hall.start(await buildHall());
const browser = await startBrowser();
try {
  const page = await browser.context.newPage();
  page.on("pageerror", (error) => console.error(error.stack));
  page.on("console", (message) => message.type() === "error" && console.error(message.text()));
  for (const [name, path, width, height] of SHOTS) {
    if (only && !name.includes(only)) continue;
    await page.setViewportSize({ width, height });
    await page.goto(hall.url + path, { waitUntil: "load" });
    if (!path.includes("999")) await page.waitForFunction(() => [...document.querySelectorAll(".clk")].some((clk) => clk.textContent));
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(folder, `${name}.png`) });
  }
} finally {
  await browser.close();
  await hall.kill();
}
