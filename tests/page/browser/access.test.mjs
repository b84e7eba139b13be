import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import { stage } from "./stage.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * A tile's accessible name is a sentence ("Board 17. White Okonkwo 0:00. …"). It contains the visible words in order, but the rule wants them
 * adjacent.
 */
const NOT_ASKED = { "label-content-name-mismatch": { enabled: false } };

async function findings(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate((rules) => window.axe.run(document, { resultTypes: ["violations"], rules }), NOT_ASKED);
  return violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`);
}

for (const theme of ["light", "dark", "contrast", "contrast-dark"]) {
  test(`axe finds nothing in the ${theme} palette`, () =>
    stage({ boards: 34, size: [1280, 1700] }, async ({ hall, page, open, complaints }) => {
      for (const path of ["/", "/board/1", "/board/9", "/board/17", "/board/12", "/board/3", "/?wall"]) {
        await open(`${path}${path.includes("?") ? "&" : "?"}theme=${theme}`);
        assert.deepEqual(await findings(page), [], path);
      }
      await page.goto(`${hall.url}/board/999?theme=${theme}`);
      assert.deepEqual(await findings(page), [], "the page that is not there");
      complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes("404")));
    }));
}

test("with colours forced by the system the running side still shows", () =>
  stage({ boards: 6 }, async ({ page, open }) => {
    await page.emulateMedia({ forcedColors: "active" });
    await open();
    const [running, waiting] = await page.evaluate(() => {
      const width = (selector) => getComputedStyle(document.querySelector(selector)).outlineWidth;
      const style = (selector) => getComputedStyle(document.querySelector(selector)).outlineStyle;
      return [`${style(".game .run")} ${width(".game .run")}`, style(".game .c:not(.run)")];
    });
    assert.equal(running, "solid 3px");
    assert.equal(waiting, "none");
  }));

test("who prefers contrast gets it without asking", () =>
  stage({ boards: 6 }, async ({ page, open }) => {
    await page.emulateMedia({ contrast: "more", colorScheme: "dark" });
    await open();
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--bg").trim()), "#000");
    await page.emulateMedia({ contrast: "no-preference", colorScheme: "light" });
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--bg").trim()), "#f1efea");
  }));

test("clocks and White stay left when the text runs right to left", () =>
  stage({ boards: 16 }, async ({ page, open }) => {
    for (const path of ["/?dir=rtl", "/board/16?dir=rtl"]) {
      await open(path);
      const [white, black] = await page.evaluate(() => {
        const left = (selector) => document.querySelector(selector)?.getBoundingClientRect().left ?? NaN;
        return location.pathname === "/"
          ? [left(".star .dig"), left(".star .dig + .dig")]
          : [left(".face.white"), left(".face.black")];
      });
      assert.ok(white < black, `${path}: ${white} ${black}`);
    }
    assert.equal(await page.locator(".face.white bdi").innerText(), "כהן, נועה");
  }));
