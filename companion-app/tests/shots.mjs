// Takes screenshots of every view at every size in light, dark and high contrast, from a running app: `node tests/shots.mjs ADDRESS DIRECTORY [view
// …]`. If the address contains a code, the browser enrols first. Review the pictures after any change to the design; contact sheets show the four
// sizes of a view together. `npm run shots` stages a hall for them (stage.ts).

import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { open } from "./browser.mjs";

export const SIZES = [
  [1280, 800],
  [1024, 768],
  [768, 1024],
  [390, 844],
];
const THEMES = {
  light: { colorScheme: "light", contrast: null },
  dark: { colorScheme: "dark", contrast: null },
  contrast: { colorScheme: "light", contrast: "more" },
};
const button = (name) => async (page) => page.getByRole("button", { name }).first().click();
const tab = (name) => async (page) => page.getByRole("tab", { name }).click();
const action = (name) => async (page) => page.locator(`.acts .btn:has-text("${name}")`).first().click();
const then =
  (...acts) =>
  async (page) => {
    for (const act of acts) await act(page);
  };
const see = (selector) => async (page) => page.locator(selector).first().waitFor();
/** The address of each view, the step before its screenshots and, for some views, the step after them. */
const VIEWS = {
  hall: ["#/hall", see(".tile .half")],
  urgency: ["#/hall", async (page) => page.getByLabel("Order").selectOption("urgency"), async (page) => page.getByLabel("Order").selectOption("board")],
  map: ["#/hall", then(button("Floor plan"), see(".spot")), button("Tiles")],
  settings: ["#/hall", button("Sound, appearance")],
  board: ["#/board/1", see(".log time")],
  moves: ["#/board/1", button("Moves")],
  replay: ["#/replay/1", see(".replay .sheet .press")],
  illegal: ["#/board/1", action("2nd")],
  more: ["#/board/1", async (page) => page.locator(".acts .more").click()],
  restore: ["#/board/1", then(button("Moves"), async (page) => page.locator(".moves-list .undo").last().click())],
  flag: ["#/board/17", see(".log time")],
  result: ["#/board/17", action("Result")],
  going: ["#/board/14", see(".log time")],
  silent: ["#/board/22", see(".log time")],
  pending: ["#/board/19", see(".slip")],
  expected: ["#/board/29", see(".log time")],
  refused: ["#/board/26", see(".slip")],
  wanted: ["#/board/8", see(".log time")],
  ended: ["#/board/12", see(".log time")],
  paused: ["#/board/4", see(".log time")],
  correct: ["#/board/4", action("orrect")],
  over: ["#/board/3", see(".log time")],
  ready: ["#/board/21", see(".log time")],
  round: ["#/round", see(".todo li")],
  set: ["#/round", button(/^Set/)],
  each: ["#/round", then(button(/^Start/), button("Board by board"))],
  clocks: ["#/clocks", see(".inventory td")],
  audit: ["#/audit", see(".audit td")],
  clock: ["#/clocks", button(/^More about/)],
  arbiters: ["#/clocks", then(button("Arbiters…"), see(".diff li"))],
  enrol: ["#/clocks", then(button("Enrol clocks…"), see(".dlg .form"))],
  paper: ["#/clocks", then(button("Enrol clocks…"), button("Printed codes"), see(".dlg .form"))],
  standings: ["#/standings", then(see(".stand td"), async (page) => page.locator(".stand .pl button").first().click(), see(".stand .why"))],
  cross: ["#/standings", then(tab("Cross table"), see(".cross td"))],
  players: ["#/standings", tab("Players")],
  import: ["#/standings", button("Import…")],
  start: ["#/start", see(".first")],
};
/** Waits for two frames, after which the page has adapted to a new size or theme. */
const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/**
 * Collects the page's complaints with the view in which they occur: script errors, missing files, violations of the page's policy. An unreachable
 * hub does not count while it is meant to be `away`.
 */
export function complaints(page) {
  const heard = { shown: "", away: false, wrong: [] };
  const take = (what) => heard.wrong.push(`${heard.shown}: ${what}`);
  page.on("pageerror", (error) => take(error.message));
  page.on("console", (said) => {
    if (said.type() === "error" && !(heard.away && said.text().includes("net::ERR_"))) take(`${said.text()} (${said.location().url})`);
  });
  return heard;
}

/** Takes screenshots of the views in `only`, or of all views if it is empty. Each view is opened once; then only its size and theme change. */
export async function pictures(page, base, directory, only, heard) {
  await mkdir(directory, { recursive: true });
  page.setDefaultTimeout(15_000);
  for (const [name, [hash, act, undo]] of Object.entries(VIEWS)) {
    if (only.length > 0 && !only.includes(name)) continue;
    heard.shown = name;
    try {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(`${base}#/none`);
      await page.goto(base + hash);
      await act(page);
      await everyLook(page, name, directory);
      await undo?.(page);
    } catch (error) {
      heard.wrong.push(`${name}: ${error.message.split("\n")[0]}`);
    }
  }
}

/** Takes a screenshot of the page in every theme at every size, and makes a contact sheet for each theme. */
export async function everyLook(page, name, directory) {
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    for (const [theme, look] of Object.entries(THEMES)) {
      await page.emulateMedia(look);
      await drawn(page);
      await page.screenshot({ path: join(directory, `${name}-${width}-${theme}.png`), animations: "disabled" });
    }
  }
  for (const theme of Object.keys(THEMES)) await sheet(page.context().browser(), name, theme, directory);
}

/** Puts the four sizes of a view side by side. */
async function sheet(browser, name, theme, directory) {
  const page = await browser.newPage({ viewport: { width: 1560, height: 960 } });
  const file = join(directory, "sheet.html");
  const picture = ([width]) => `<img src="${name}-${width}-${theme}.png" style="zoom:${width === 390 ? 0.75 : 0.6}">`;
  const [wide, middle, tall, phone] = SIZES.map(picture);
  await writeFile(
    file,
    `<body style="margin:4px;display:flex;gap:8px;background:#777;align-items:start"><div style="display:grid;gap:8px">${wide}${middle}</div>${tall}${phone}`,
  );
  await page.goto(pathToFileURL(file).href);
  await page.screenshot({ path: join(directory, `sheet-${name}-${theme}.png`) });
  await page.close();
  await rm(file);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [address, directory, ...only] = process.argv.slice(2);
  if (!address || !directory) {
    console.error("Usage: node tests/shots.mjs ADDRESS DIRECTORY [view …]");
    process.exit(2);
  }
  const { browser, page, base } = await open(address, { hasTouch: true });
  const heard = complaints(page);
  await pictures(page, base, directory, only, heard);
  for (const what of heard.wrong) console.error(what);
  await browser.close();
}
