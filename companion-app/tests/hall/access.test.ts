// What everybody needs: nothing serious for axe, fingers that hit, a keyboard that reaches, words in every language.

import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Rig } from "./rig.js";

let rig: Rig;
beforeAll(async () => {
  const boards = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [String(at + 1), "90m+30s"]));
  rig = await Rig.start({ boards });
  await rig.ctl("start", "1-6");
  await rig.ctl("pause", "2");
  await rig.ctl("result", "3", "1-0");
});
afterAll(() => rig.stop());

const VIEWS: Record<string, string> = { hall: "#/hall", board: "#/board/1", round: "#/round", clocks: "#/clocks", standings: "#/standings" };
const SIZES = [
  [1280, 800],
  [1024, 768],
  [768, 1024],
  [390, 844],
] as const;
const shown = async (page: Page, hash: string): Promise<void> => {
  await page.goto("about:blank");
  await page.goto(rig.url + hash);
  await page.waitForSelector(".live .online");
  if (hash === "#/hall") await page.waitForSelector(".tile");
  if (hash === "#/clocks") await page.waitForSelector("tbody tr");
};

describe.each(["light", "dark"] as const)("%s", (colorScheme) => {
  test.each(Object.entries(VIEWS))("axe finds nothing serious in the %s view", async (_, hash) => {
    const page = await rig.page({ colorScheme, bypassCSP: true });
    await shown(page, hash);
    await page.evaluate(axe.source);
    const found = await page.evaluate(async () => {
      const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
      return violations.filter((one) => one.impact === "serious" || one.impact === "critical").map((one) => `${one.id}: ${one.nodes.map((node) => node.html).slice(0, 3).join(" ")}`);
    });
    expect(found).toEqual([]);
    await page.context().close();
  });
});

test.each(SIZES)("every target is 44 px, and nothing sticks out, at %d × %d", async (width, height) => {
  const page = await rig.page({ viewport: { width, height }, hasTouch: true });
  for (const [view, hash] of Object.entries(VIEWS)) {
    await shown(page, hash);
    const small = await page.evaluate(() =>
      Array.from(document.querySelectorAll<HTMLElement>("button, a, select, input"))
        .filter((one) => !one.closest("[inert], .vh") && one.checkVisibility() && one.getBoundingClientRect().width > 0)
        .map((one) => ({ box: one.getBoundingClientRect(), html: one.outerHTML.slice(0, 120) }))
        .filter(({ box }) => box.height < 43.5 || box.width < 43.5)
        .map(({ box, html }) => `${Math.round(box.width)}×${Math.round(box.height)} ${html}`),
    );
    expect(small, view).toEqual([]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide, view).toBeLessThanOrEqual(0);
  }
  await page.context().close();
});

test("the hall is one tab stop, with arrows in it; / finds and Enter opens", async () => {
  const page = await rig.page();
  await shown(page, "#/hall");
  expect(await page.locator('.tile[tabindex="0"]').count()).toBe(1);
  await page.locator('.tile[data-board="1"]').focus();
  await page.keyboard.press("ArrowRight");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("data-board"))).toBe("2");
  await page.keyboard.press("End");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("data-board"))).toBe("9");
  await page.keyboard.press("/");
  await page.keyboard.type("board7");
  await page.locator('.tile[data-board="7"]').waitFor();
  await page.waitForFunction(() => document.querySelectorAll(".tile").length === 1);
  await page.locator('.tile[data-board="7"]').focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector(".faces");
  await page.keyboard.press("Escape");
  await page.waitForSelector(".tile");
  await page.context().close();
});

test("every language is complete, and the choice stays", async () => {
  const page = await rig.page();
  await shown(page, "#/hall");
  for (const [name, hall] of [["Deutsch", "Saal"], ["Français", "Salle"], ["Español", "Sala"], ["English", "Hall"]] as const) {
    await page.locator(".bar .end .btn.quiet").click();
    await page.locator("dialog").getByRole("button", { name }).click();
    await page.locator(".bar nav a", { hasText: hall }).first().waitFor();
    await page.waitForSelector(".tile");
  }
  await page.context().close();
  const german = await rig.page({ locale: "de-DE" });
  await shown(german, "#/hall");
  expect(await german.locator(".bar nav a").first().textContent()).toBe("Saal");
  expect(await german.evaluate(() => document.documentElement.lang)).toBe("de");
  await german.context().close();
});
