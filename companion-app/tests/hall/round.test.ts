// An arbiter runs a round of forty boards from pairings to standings with this app alone. The hub and clocks are real, and simulated players use
// time, press their clocks and lose on time.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { report, nameOf } from "./report.js";
import { Rig, until } from "./rig.js";

const BOARDS = 40;
let rig: Rig;
let page: Page;

beforeAll(async () => {
  // The hall as set up on the previous evening: every board has a clock, but with a different time control.
  rig = await Rig.start({ boards: Object.fromEntries(Array.from({ length: BOARDS }, (_, at) => [String(at + 1), "90m+30s"])) });
  page = await rig.page();
  await page.goto(`${rig.url}#/standings`);
}, 180_000);
afterAll(() => rig.stop());

/** Returns the number of games without a result. */
const open = async (): Promise<number> => (await rig.boards()).filter((board) => !board.result).length;

test("the pairings come from a file, after its differences were shown", async () => {
  await page.getByRole("button", { name: "Import…" }).click();
  await page.setInputFiles('dialog input[type="file"]', {
    name: "harbour-blitz.trf",
    mimeType: "text/plain",
    buffer: Buffer.from(report({ boards: BOARDS, control: "5" })),
  });
  await page.locator(".diff li", { hasText: "Harbour Blitz 2026" }).first().waitFor();
  await page.locator("dialog footer .pri").click();
  await page.locator(".bar .ev", { hasText: "Harbour Blitz 2026" }).waitFor();
});

test("one board's clock is set alone, then all the others, with control and names", async () => {
  await page.locator(".bar nav a", { hasText: "Round" }).click();
  await page.getByRole("button", { name: `Set ${BOARDS} clocks…` }).click();
  await page.getByRole("button", { name: "Board by board" }).click();
  await page.locator(".each .btn", { hasText: /^7\b/ }).first().click();
  await page.locator(".each .btn.set", { hasText: /^7\b/ }).waitFor();
  await page.locator(".dlg .seg").getByRole("button", { name: /^All/ }).click();
  await page.locator("dialog footer .pri").click();
  await page.locator("dialog").waitFor({ state: "detached" });
  await until("every clock has the event's control and names", async () =>
    (await rig.boards()).every((board) => board.state === "ready" && board.control === "5s" && board.white.name !== ""),
  );
  expect((await rig.board("1")).white.name).toBe(nameOf(1));
  await page.locator('.steps li[aria-current="step"]', { hasText: "Clocks set" }).waitFor();
});

test("one board is started alone, then the round", async () => {
  await page.getByRole("button", { name: `Start ${BOARDS} boards…` }).click();
  await page.getByRole("button", { name: "Board by board" }).click();
  await page.locator(".each .btn", { hasText: /^3\b/ }).first().click();
  await page.locator(".each .btn.started", { hasText: /^3\b/ }).waitFor();
  await page.locator(".dlg .seg").getByRole("button", { name: /^All/ }).click();
  await page.locator("dialog footer .pri").click();
  await page.locator("dialog").waitFor({ state: "detached" });
  await until("every board has started", async () => (await rig.boards()).every((board) => board.state !== "ready"));
});

test("every game gets its result as it ends", { timeout: 240_000 }, async () => {
  const results = page.locator(".card", { hasText: "Results missing" });
  await until(
    "every game has its result",
    async () => {
      // A board whose result is still being sent says so, and is skipped.
      const row = results
        .locator("li")
        .filter({ hasNot: page.locator(".chip") })
        .first();
      if (await row.isVisible()) {
        const accept = row.getByRole("button", { name: /^Enter / });
        const choice = (await accept.isVisible()) ? accept : row.locator(".rs .btn").nth(Math.floor(Math.random() * 3));
        await choice.click({ timeout: 2000 }).catch(() => undefined);
      }
      return (await page.locator('.steps li[aria-current="step"]').textContent())?.includes("Finished") === true;
    },
    220_000,
  );
  expect(await open()).toBe(0);
});

test("the round is confirmed, and the standings are final", async () => {
  await page.getByRole("button", { name: "Confirm the round…" }).click();
  await page.locator("dialog footer .pri").click();
  await page.locator('.steps li[aria-current="step"]', { hasText: "Confirmed" }).waitFor();
  await page.locator(".bar nav a", { hasText: "Standings" }).click();
  await page
    .locator(".stand tbody tr")
    .nth(BOARDS * 2 - 1)
    .waitFor();
});
