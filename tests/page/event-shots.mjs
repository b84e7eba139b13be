// Takes screenshots of the event's pages in three sizes, light and dark, and of its printed pages. Also saves the printed pages as PDF. Usage:
// `node tests/page/event-shots.mjs [folder] [only]`, by default into target/screenshots.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Hall, ROOT, buildHall, startBrowser } from "./hall.mjs";

const OPEN = ["--boards", "40", "--players", "80"];
const TEAMS = ["--boards", "4", "--trf", join(ROOT, "tests/samples/team-cup.trf")];

/** @type {[string, string, string[]][]} */
const PAGES = [
  ["event", "/event", OPEN],
  ["round", "/event/rounds/5", OPEN],
  ["standings", "/event/standings", OPEN],
  ["why", "/event/standings#why", OPEN],
  ["cross", "/event/cross-table", OPEN],
  ["players", "/event/players", OPEN],
  ["player", "/event/players/4", OPEN],
  ["team-round", "/event/rounds/2", TEAMS],
  ["team-standings", "/event/standings", TEAMS],
  ["team-cross", "/event/cross-table", TEAMS],
  ["teams", "/event/teams", TEAMS],
  ["team", "/event/teams/2", TEAMS],
];
const SIZES = [["1280", 1280, 800], ["1024", 1024, 768], ["phone", 390, 844]];
const PAPERS = ["pairings", "names", "slips", "cards", "standings"];

const folder = process.argv[2] ?? join(process.env.CARGO_TARGET_DIR ?? join(ROOT, "target"), "screenshots");
const only = process.argv[3];
await mkdir(folder, { recursive: true });
const binary = await buildHall();
const browser = await startBrowser();
try {
  const page = await browser.context.newPage();
  page.on("pageerror", (error) => console.error(error.stack));
  page.on("console", (message) => message.type() === "error" && console.error(message.text()));
  for (const args of [OPEN, TEAMS]) {
    const hall = await Hall.start(binary, "--quiet", ...args);
    for (const [name, path, of] of PAGES) {
      if (of !== args || (only && !name.includes(only))) continue;
      for (const [size, width, height] of SIZES) {
        for (const theme of ["light", "dark"]) {
          await page.setViewportSize({ width, height });
          await page.goto(`${hall.url}${path.split("#")[0]}?theme=${theme}`);
          await page.waitForSelector("#page[data-version]");
          if (path.includes("#why")) {
            await page.locator("button.why").nth(3).click();
            await page.locator(".whybox .seg button").nth(1).click();
          }
          await page.waitForTimeout(150);
          await page.screenshot({ path: join(folder, `event-${name}-${size}-${theme}.png`) });
        }
      }
    }
    for (const paper of PAPERS) {
      if (args !== OPEN || (only && !`print-${paper}`.includes(only))) continue;
      await page.setViewportSize({ width: 1024, height: 1200 });
      await page.goto(`${hall.url}/event/print/${paper}?theme=dark`);
      await page.waitForSelector("#page[data-version]");
      await page.waitForFunction(() => [...document.images].every((image) => image.complete));
      await page.screenshot({ path: join(folder, `event-print-${paper}.png`) });
      await page.pdf({ path: join(folder, `event-print-${paper}.pdf`), preferCSSPageSize: true, printBackground: false });
    }
    await hall.kill();
  }
} finally {
  await browser.close();
}
