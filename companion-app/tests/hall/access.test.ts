// Accessibility: no serious axe findings, targets of sufficient size, keyboard access, and all texts in every language.

import { readFileSync } from "node:fs";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Rig, until } from "./rig.js";

let rig: Rig;
beforeAll(async () => {
  const boards = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [String(at + 1), "90m+30s"]));
  rig = await Rig.start({ boards });
  await rig.ctl("start", "1-6");
  await rig.ctl("pause", "2");
  await rig.ctl("result", "3", "1-0");
  // The replay view shows presses, so board 1 must have at least one move.
  await until("board 1 has a move", async () => (await rig.board("1")).black.moves >= 1);
});
afterAll(() => rig.stop());

/** The views: the address of each, and a selector for content that appears once the view is complete. */
const VIEWS: Record<string, [hash: string, content: string]> = {
  hall: ["#/hall", ".tile"],
  board: ["#/board/1", ".faces"],
  round: ["#/round", "main .go"],
  clocks: ["#/clocks", ".inventory tbody tr"],
  standings: ["#/standings", "main .empty"],
  replay: ["#/replay/1", ".replay .sheet .press"],
};
const SIZES = [
  [1280, 800],
  [1024, 768],
  [768, 1024],
  [390, 844],
] as const;
const shown = async (page: Page, hash: string, content: string): Promise<void> => {
  await page.goto(rig.url + hash);
  await page.waitForSelector(".live .online");
  await page.waitForSelector(content);
};

/** Sheets that open over a view, each with the view's address and the taps that open it. While a sheet is open, the rest of the page is inert. */
const SHEETS: Record<string, [string, (page: Page) => Promise<void>]> = {
  correction: ["#/board/2", (page) => page.locator(".acts .btn", { hasText: "Correct" }).click()],
  result: ["#/board/1", (page) => page.locator(".acts .btn", { hasText: "Result" }).click()],
  more: ["#/board/1", (page) => page.locator(".acts .more").click()],
  "move list": ["#/board/1", (page) => page.getByRole("button", { name: "Moves", exact: true }).click()],
  settings: ["#/hall", (page) => page.getByRole("button", { name: "Sound, appearance and language" }).click()],
  enrolment: [
    "#/clocks",
    async (page) => {
      await page.getByRole("button", { name: "Enrol clocks…" }).click();
      await page.getByLabel("How many clocks").waitFor();
    },
  ],
  "printed codes": [
    "#/clocks",
    async (page) => {
      await page.getByRole("button", { name: "Enrol clocks…" }).click();
      await page.getByRole("button", { name: "Printed codes" }).click();
      await page.getByRole("button", { name: "From … to …" }).click();
    },
  ],
  arbiters: ["#/clocks", (page) => page.getByRole("button", { name: "Arbiters…" }).click()],
  start: ["#/start", () => Promise.resolve()],
};
const LOOKS = {
  light: { colorScheme: "light", contrast: "no-preference" },
  dark: { colorScheme: "dark", contrast: "no-preference" },
  contrast: { colorScheme: "light", contrast: "more" },
} as const;

/** Returns axe's serious findings in every theme. Themes differ only in colours. */
async function faults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  // A sheet has its final colours only after its animation.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity)
        .map((one) => one.finished),
    ),
  );
  const found: string[] = [];
  for (const [look, media] of Object.entries(LOOKS)) {
    await page.emulateMedia(media);
    found.push(
      ...(
        await page.evaluate(async (colours) => {
          const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(colours ? { runOnly: ["color-contrast"] } : {});
          return violations
            .filter((one) => one.impact === "serious" || one.impact === "critical")
            .map(
              (one) =>
                `${one.id}: ${one.nodes
                  .map((node) => node.html)
                  .slice(0, 3)
                  .join(" ")}`,
            );
        }, look !== "light")
      ).map((fault) => `${look}: ${fault}`),
    );
  }
  return found;
}

test.each(SIZES)("axe finds nothing serious in any view, in any look, at %d × %d", { timeout: 120_000 }, async (width, height) => {
  const page = await rig.page({ viewport: { width, height }, bypassCSP: true });
  for (const [view, [hash, content]] of Object.entries(VIEWS)) {
    await shown(page, hash, content);
    expect(await faults(page), view).toEqual([]);
  }
  await page.context().close();
});

test("axe finds nothing serious in any sheet, and all fit on a phone", { timeout: 120_000 }, async () => {
  const page = await rig.page({ viewport: { width: 390, height: 844 }, bypassCSP: true });
  for (const [sheet, [hash, open]] of Object.entries(SHEETS)) {
    await page.goto("about:blank");
    await page.goto(rig.url + hash);
    await page.waitForSelector(".live .online, .first");
    await open(page);
    expect(
      await page.evaluate(() => Math.max(document.documentElement.scrollWidth, document.querySelector("dialog")?.scrollWidth ?? 0) - innerWidth),
      sheet,
    ).toBeLessThanOrEqual(0);
    expect(await faults(page), sheet).toEqual([]);
  }
  await page.context().close();
});

const SPOKEN = [
  ...SIZES.map(([width, height]) => [width, height, "en-GB"] as const),
  ...["de-DE", "es-ES", "fr-FR"].map((locale) => [390, 844, locale] as const),
];
test.each(SPOKEN)("every target is 44 px, and nothing sticks out, at %d × %d in %s", async (width, height, locale) => {
  const page = await rig.page({ viewport: { width, height }, hasTouch: true, locale });
  for (const [view, [hash, content]] of Object.entries(VIEWS)) {
    await shown(page, hash, content);
    const small = await page.evaluate(() =>
      Array.from(document.querySelectorAll<HTMLElement>("button, a, select, input"))
        .filter((one) => !one.closest("[inert], .vh") && one.checkVisibility() && one.getBoundingClientRect().width > 0)
        .map((one) => ({ box: one.getBoundingClientRect(), html: one.outerHTML.slice(0, 120) }))
        .filter(({ box }) => box.height < 43.5 || box.width < 43.5)
        .map(({ box, html }) => `${Math.round(box.width)}×${Math.round(box.height)} ${html}`),
    );
    expect(small, view).toEqual([]);
    // A tap in the middle of a control must hit that control and not something above it.
    const covered = await page.evaluate(() =>
      Array.from(document.querySelectorAll<HTMLElement>("main button, main a, .board button, .board a, .bar a, .bar button")).flatMap((one) => {
        // Scroll a row back into view if its list has scrolled it away.
        const list = one.closest(".sheet ol");
        if (list && list.scrollHeight > list.clientHeight) one.scrollIntoView({ block: "nearest" });
        const { left, top, width, height } = one.getBoundingClientRect();
        const hit = width > 0 ? document.elementFromPoint(left + width / 2, top + height / 2) : null;
        return !hit || one.contains(hit) || hit.contains(one) || hit.closest(".bar") || one.closest(".rows")
          ? []
          : [`${one.outerHTML.slice(0, 90)} under ${hit.outerHTML.slice(0, 90)}`];
      }),
    );
    expect(covered, view).toEqual([]);
    const long = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>(".nm")]
        .filter((name) => name.scrollWidth > name.clientWidth && getComputedStyle(name).textOverflow !== "ellipsis")
        .map((name) => name.textContent),
    );
    expect(long, `names that run out of their place in ${view}`).toEqual([]);
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>(".half")].filter((half) => half.scrollWidth > half.clientWidth).map((half) => half.textContent),
    );
    expect(cut, `digits that run out of their place in ${view}`).toEqual([]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide, view).toBeLessThanOrEqual(0);
    const tables = await page.evaluate(() => [...document.querySelectorAll(".inventory")].map((table) => table.scrollWidth - table.clientWidth));
    expect(Math.max(0, ...tables), `a table that runs out of its place in ${view}`).toBe(0);
    if (process.env["SHOTS"]) await page.screenshot({ path: `${process.env["SHOTS"]}/${view}-${locale}-${width}.png` });
  }
  await page.context().close();
});

test.each(["en-GB", "de-DE", "es-ES", "fr-FR"])("the inventory fits a phone whatever a clock reports, in %s", async (locale) => {
  type Plural = [{ match: Record<string, string> }];
  const words = JSON.parse(readFileSync(new URL(`../../messages/${locale.slice(0, 2)}.json`, import.meta.url), "utf8")) as Record<string, string | Plural>;
  const textOf = (message: string | Plural = ""): string => (typeof message === "string" ? message : (message[0].match["count=other"] ?? ""));
  const page = await rig.page({ viewport: { width: 390, height: 844 }, hasTouch: true, locale });
  await shown(page, "#/clocks", ".inventory tbody tr");
  const states = ["state_no_signal", "link_unknown", "revoked", "unsaved", "journal_bad"].map((key) => textOf(words[key]).replace("{n}", "128"));
  expect(states.filter((state) => state === "")).toEqual([]);
  // Write the texts for clocks with problems into the row of a clock without any.
  const wide = await page.evaluate((states) => {
    const cell = document.querySelector<HTMLElement>(".inventory tbody tr td:nth-child(3)");
    const table = document.querySelector(".inventory");
    if (!cell || !table) throw new Error("the page shows no clock");
    return states.flatMap((state) => {
      const sign = `<svg class="i"></svg>`;
      cell.innerHTML = `<span class="bad">${sign} ${state}</span>`;
      return table.scrollWidth > table.clientWidth ? [`${state}: ${table.scrollWidth - table.clientWidth} px`] : [];
    });
  }, states);
  expect(wide).toEqual([]);
  if (process.env["SHOTS"]) await page.screenshot({ path: `${process.env["SHOTS"]}/clocks-states-${locale}.png` });
  await page.context().close();
});

test("the hall is one tab stop with arrow keys; / searches and Enter opens", async () => {
  const page = await rig.page();
  await shown(page, "#/hall", ".tile");
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

test("every language is complete, and the choice is stored", async () => {
  const page = await rig.page();
  await shown(page, "#/hall", ".tile");
  for (const [name, hall] of [
    ["Deutsch", "Saal"],
    ["Français", "Salle"],
    ["Español", "Sala"],
    ["English", "Hall"],
  ] as const) {
    await page.locator(".bar .end .btn.quiet").click();
    await page.locator("dialog").getByRole("button", { name }).click();
    await page.locator(".bar nav a", { hasText: hall }).first().waitFor();
    await page.waitForSelector(".tile");
  }
  await page.context().close();
  const german = await rig.page({ locale: "de-DE" });
  await shown(german, "#/hall", ".tile");
  expect(await german.locator(".bar nav a").first().textContent()).toBe("Saal");
  expect(await german.evaluate(() => document.documentElement.lang)).toBe("de");
  await german.context().close();
});
