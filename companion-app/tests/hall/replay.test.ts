// The committee's question, asked in the app: what was on both clocks at a move, and what if an action had not been taken?

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Rig, until } from "./rig.js";

let rig: Rig;
let page: Page;
beforeAll(async () => {
  const presses = Array.from({ length: 36 }, (_, at) => `at ${at * 0.4 + 1} press ${at % 2 === 0 ? "left" : "right"}`);
  rig = await Rig.start({ boards: { "1": "5m" }, pace: "classical", alone: { "1": { script: ["from game", ...presses].join("\n") } } });
  page = await rig.page();
}, 120_000);
afterAll(() => rig.stop());

/** Takes a picture if SHOTS names a folder. */
async function shot(name: string): Promise<void> {
  const folder = process.env["SHOTS"];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  for (const [width, height] of [
    [1280, 800],
    [1024, 768],
    [390, 844],
  ] as const) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
    }
  }
  await page.emulateMedia({ media: "print", colorScheme: "light" });
  await page.setViewportSize({ width: 794, height: 1123 });
  await page.screenshot({ path: join(folder, `${name}-print.png`), fullPage: true });
  await page.emulateMedia({ media: "screen" });
  await page.setViewportSize({ width: 1280, height: 800 });
}

test("both clocks at move 17, and what if without the two minutes, in four taps from the board", { timeout: 90_000 }, async () => {
  await rig.ctl("start", "1");
  await until("the fifth move is made", async () => (await rig.board("1")).black.moves >= 5, 30_000);
  await rig.ctl("add-time", "1", "black", "2m", "--reason", "Illegal move, FIDE 7.5.5");
  await until("the eighteenth move is made", async () => (await rig.board("1")).black.moves >= 18, 40_000);
  await page.goto(`${rig.url}#/board/1`);

  let taps = 0;
  const tap = async (on: Locator): Promise<void> => {
    taps += 1;
    await on.click();
  };
  const clock = (of: string, side: string): Locator => page.locator(`.then ${of} .then-clock.${side} .exact`);
  await tap(page.getByRole("link", { name: "Replay" }));
  await tap(page.locator(".moments li", { hasText: "17. in" }).locator(".go"));
  const exact = async (of: string, side: string): Promise<number> => {
    const [h, m, s] = (await clock(of, side).innerText()).split(":").map(Number);
    return Math.round(((h ?? 0) * 3600 + (m ?? 0) * 60 + (s ?? 0)) * 1000);
  };
  const was = { white: await exact(".pair", "white"), black: await exact(".pair", "black") };
  expect(was.black).toBeGreaterThan(300_000);
  await shot("replay");
  await tap(page.locator(".moments li.action", { hasText: "Illegal move" }).getByRole("button"));
  await clock(".pair.would", "black").waitFor();
  expect(taps).toBeLessThanOrEqual(4);
  expect(was.black - (await exact(".pair.would", "black"))).toBe(120_000);
  expect(await exact(".pair.would", "white")).toBe(was.white);
  expect(await page.locator(".moments li.changed").count()).toBeGreaterThan(20);
  await shot("what-if");
});

test("under a shorter control the flag that would have fallen is named", { timeout: 60_000 }, async () => {
  await page.goto(`${rig.url}#/replay/1`);
  await page.locator(".suppose input").fill("3s");
  await page.getByRole("button", { name: "What if?", exact: true }).click();
  await page.locator(".verdict p", { hasText: "White’s flag would have fallen" }).waitFor();
  await page.getByRole("button", { name: "As it was" }).click();
  await expect.poll(() => page.locator(".verdict").count()).toBe(0);
});

test("the scrubber runs both clocks", { timeout: 60_000 }, async () => {
  await page.goto(`${rig.url}#/hall`);
  await page.goto(`${rig.url}#/replay/1`);
  const instant = page.locator(".scrub input");
  await instant.waitFor();
  await instant.focus();
  await page.keyboard.press("Home");
  const white = page.locator(".then-clock.white .exact");
  expect(await white.innerText()).toBe("0:05:00.000");
  await page.getByRole("button", { name: "Play" }).click();
  await expect.poll(() => white.innerText()).not.toBe("0:05:00.000");
});
