import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import { ROOT } from "../hall.mjs";
import { stage } from "./stage.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const OPEN = ["--players", "81"];
const TEAMS = ["--trf", `${ROOT}tests/samples/team-cup.trf`];

/** Returns the number of pages of a PDF, and their distinct sizes in points. */
function pages(pdf) {
  const text = pdf.toString("latin1");
  const boxes = [...text.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, width, height]) => `${Math.round(Number(width))}x${Math.round(Number(height))}`);
  return { count: [...text.matchAll(/\/Type \/Page\b(?!s)/g)].length, sizes: [...new Set(boxes)] };
}

test("each paper is A4, and has as many sheets as it needs", () =>
  stage({ boards: 2, event: OPEN }, async ({ page, openEvent }) => {
    for (const [paper, sheets] of [["slips", 5], ["cards", 10], ["pairings", 2], ["names", 3], ["standings", 2]]) {
      await openEvent(`/event/print/${paper}?theme=dark`);
      await page.waitForFunction(() => [...document.images].every((image) => image.complete && image.naturalWidth));
      const { count, sizes } = pages(await page.pdf({ preferCSSPageSize: true }));
      assert.deepEqual(sizes, ["595x842"], paper);
      assert.equal(count, sheets, paper);
    }
  }));

test("on paper everything is ink on white, and the screen's own bars are not printed", () =>
  stage({ boards: 2, event: OPEN }, async ({ page, openEvent }) => {
    await openEvent("/event/print/pairings?theme=dark");
    await page.emulateMedia({ media: "print" });
    for (const hidden of [".bar", ".head"]) assert.equal(await page.locator(hidden).isVisible(), false, hidden);
    const [ink, paper] = await page.evaluate(() => {
      const cell = document.querySelector(".paper td.pl");
      return [getComputedStyle(cell).color, getComputedStyle(document.body).backgroundColor];
    });
    assert.deepEqual([ink, paper], ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]);
  }));

test("everybody is on the list by name, at the board where the list by board has them", () =>
  stage({ boards: 2, event: OPEN }, async ({ hall, page, openEvent }) => {
    const round = await (await fetch(`${hall.url}/live/event/rounds/5.json`)).json();
    await openEvent("/event/print/names");
    const lines = await page.locator(".names > tbody > tr").evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
    assert.equal(lines.length, 81, "80 at boards and one without a game");
    const names = lines.map(([name]) => name.replace(/^[GIF]M /, ""));
    assert.deepEqual(names, names.toSorted(new Intl.Collator("en", { sensitivity: "base" }).compare));
    for (const board of round.boards) {
      const line = lines.find(([name]) => name.endsWith(board.black.name));
      assert.deepEqual(line.slice(1, 3), [String(board.board), "Black"]);
      assert.ok(line[3].endsWith(board.white.name));
    }
  }));

test("a board's card has its code, and who prints under a name that only this machine knows is told so", () =>
  stage({ boards: 2, event: OPEN }, async ({ page, openEvent }) => {
    await openEvent("/event/print/cards");
    assert.match(await page.locator(".notice").innerText(), /opened as 127\.0\.0\.1/);
    assert.equal(await page.locator(".bcard").count(), 40);
    assert.equal(await page.locator(".bcard .qr").nth(6).getAttribute("src"), "/board/7/qr.svg");
  }));

async function findings(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`);
}

for (const theme of ["light", "dark", "contrast", "contrast-dark"]) {
  test(`axe finds nothing on the event's pages in the ${theme} palette`, () =>
    stage({ boards: 40, event: OPEN, size: [1280, 1100] }, async ({ page, openEvent }) => {
      for (const path of ["/event", "/event/rounds", "/event/cross-table", "/event/players", "/event/players/4", "/event/print/slips", "/event/print/standings"]) {
        await openEvent(`${path}?theme=${theme}`);
        assert.deepEqual(await findings(page), [], path);
      }
      await openEvent(`/event/standings?theme=${theme}`);
      await page.locator("button.why").nth(2).click();
      await page.locator(".terms").waitFor();
      assert.deepEqual(await findings(page), [], "standings with a number open");
    }));
}

test("axe finds nothing on a team event's pages", () =>
  stage({ boards: 2, event: TEAMS }, async ({ page, openEvent }) => {
    for (const path of ["/event", "/event/rounds", "/event/standings", "/event/cross-table", "/event/teams", "/event/teams/2"]) {
      await openEvent(path);
      assert.deepEqual(await findings(page), [], path);
    }
  }));

test("no page is wider than a phone", () =>
  stage({ boards: 40, event: OPEN, size: [390, 844] }, async ({ page, openEvent }) => {
    for (const path of ["/event", "/event/rounds", "/event/standings", "/event/cross-table", "/event/players", "/event/players/7", "/event/print/pairings", "/event/print/slips", "/event/print/cards"]) {
      await openEvent(path);
      const [wide, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.equal(wide, window, path);
    }
  }));
