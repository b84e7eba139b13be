// The inventory of clocks: enrolment with a code, search, identification, clock test, assignment, revocation. The displays are read from the
// clocks' programs.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Rig, until } from "./rig.js";

let rig: Rig;
let page: Page;
let face: () => string = () => "";
beforeAll(async () => {
  rig = await Rig.start({ boards: { "1": "60m", "2": "60m", "3": "60m" }, spares: 1, apart: ["3"] });
  await rig.ctl("add", "4", "60m");
  page = await rig.page();
  await page.goto(`${rig.url}#/clocks`);
  await page.locator("tbody tr").nth(3).waitFor();
});
afterAll(async () => {
  await page.goto("about:blank");
  await rig.stop();
});
const row = (board: string) => page.locator(".inventory tbody tr", { has: page.locator(`td:first-child :text-is("${board}")`) });
const line = (board: string) => page.locator("dialog tbody tr", { has: page.locator(`td:first-child b:text-is("${board}")`) });

test("a clock is enrolled for a board with a code from the app", async () => {
  await page.getByRole("button", { name: "Enrol clocks…" }).click();
  await page.getByRole("button", { name: "One clock" }).click();
  await page.getByLabel("For board").fill("4");
  await page.getByRole("button", { name: "Make a code" }).click();
  await page.locator("dialog svg.qr").waitFor();
  const code = /flagfall:\/\/[^']+/.exec((await page.locator("dialog .code").textContent()) ?? "")?.[0] ?? "";
  ({ face } = rig.clock(code));
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await row("4").filter({ hasText: "Live" }).waitFor();
});

test("a clock identifies itself and shows an arbiter's text", async () => {
  await row("4").getByRole("button", { name: "Identify" }).click();
  await until("the clock shows itself", () => Promise.resolve(face().includes("This clock.")));
  await page.goto(`${rig.url}#/board/4`);
  await page.waitForSelector(".faces");
  await page.locator(".acts .more").click();
  await page.getByRole("button", { name: "Message…" }).click();
  await page.locator("dialog input.text").fill("Please see the arbiter");
  await page.getByRole("button", { name: "Send" }).click();
  await until("the words are on its display", () => Promise.resolve(face().includes("Please see the arbiter")));
});

test("the inventory shows each clock's state, spares and problems", async () => {
  await page.goto(`${rig.url}#/clocks`);
  await row("1").waitFor();
  const cells = await row("1").locator("td").allTextContents();
  expect(cells[2]).toContain("Live");
  expect(cells[4]).toMatch(/^± \d+\.\d\d ms$/);
  expect(cells[6]).toMatch(/^\d+\.\d ms$/);
  expect(cells[7]).toContain("clock-agent");
  const show = page.getByRole("group", { name: "Show" });
  await show.getByRole("button", { name: /^Spares 1/ }).click();
  await until("the spare alone", async () => (await page.locator(".inventory tbody tr").count()) === 1);
  await show.getByRole("button", { name: /^All/ }).click();
  await rig.stopSwarm("apart");
  await show.getByRole("button", { name: /^Problems 1/ }).click();
  await row("3").filter({ hasText: "No signal" }).waitFor();
  expect(await page.locator(".inventory tbody tr").count()).toBe(1);
  await show.getByRole("button", { name: /^All/ }).click();
  rig.startSwarm("apart");
  await row("3").filter({ hasText: "Live" }).waitFor();
  await page.getByPlaceholder("Clock or board").fill("swarm 2");
  await until("one by its name", async () => (await page.locator(".inventory tbody tr").count()) === 1);
  await page.getByPlaceholder("Clock or board").fill("");
});

test("the clock test gives each clock a certificate, and skips boards in play", async () => {
  await rig.ctl("start", "2");
  await until("board 2 is played", async () => (await rig.board("2")).state === "running");
  await page.getByRole("button", { name: /^Test 3 clocks$/ }).click();
  for (const board of ["1", "3", "4"]) await line(board).filter({ hasText: "Passed" }).waitFor({ timeout: 60_000 });
  expect((await line("1").locator("td").allTextContents())[3]).toMatch(/^−?\d+\.\d{3} ms$/);
  await page.locator("dialog [role=status]", { hasText: "3 of 3" }).waitFor();
  expect(await line("2").count()).toBe(0);
});

test("certificates are printed completely, and nothing else of the page", async () => {
  const rows = page.locator("dialog tbody tr");
  // Makes the list longer than any screen.
  await rows.first().evaluate((row) => {
    for (let n = 0; n < 60; n += 1) row.after(row.cloneNode(true));
  });
  await page.emulateMedia({ media: "print" });
  const list = page.locator("dialog .certificates");
  expect(await list.evaluate((one) => one.scrollHeight <= one.clientHeight + 1)).toBe(true);
  expect(await page.locator(".view").isVisible()).toBe(false);
  expect(await page.getByRole("button", { name: "Print" }).isVisible()).toBe(false);
  expect(await page.locator("dialog p.on-paper").isVisible()).toBe(true);
  // Printed text is black in every theme.
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  expect(
    await list
      .locator("td")
      .first()
      .evaluate((cell) => getComputedStyle(cell).color),
  ).toBe("rgb(0, 0, 0)");
  const pages = (await page.pdf({ format: "A4" })).toString("latin1").match(/\/Type\s*\/Page\b/g) ?? [];
  expect(pages.length).toBeGreaterThan(1);
  await page.emulateMedia({ media: null, colorScheme: null });
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
});

test("certificates can be viewed after the sheet is closed, and a clock's last one comes from the log", async () => {
  await page.getByRole("button", { name: "Certificates" }).click();
  await line("3").filter({ hasText: "Passed" }).waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await row("4")
    .getByRole("button", { name: /^More about/ })
    .click();
  await page.getByRole("button", { name: "Last test" }).click();
  await line("4").filter({ hasText: "Passed" }).waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await row("2")
    .getByRole("button", { name: /^More about/ })
    .click();
  await page.getByRole("button", { name: "Last test" }).click();
  await line("2").filter({ hasText: "no test of this clock" }).waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
});

test("a clock in play is not tested, shows why, and leaves no slip in the hall", async () => {
  await row("1")
    .getByRole("button", { name: /^More about/ })
    .click();
  await rig.ctl("start", "1");
  await until("board 1 is played", async () => (await rig.board("1")).state === "running");
  const button = page.getByRole("dialog").getByRole("button", { name: "Clock test" });
  await until("the app knows that it is played", async () => (await button.getAttribute("aria-disabled")) === "true");
  expect(await button.getAttribute("title")).toBe("A game is in progress on this board. Run the clock test before the round.");
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await page.goto(`${rig.url}#/`);
  await page.locator(".tile").first().waitFor();
  expect(await page.locator(".tile.refused, .urg.refused").count()).toBe(0);
  await rig.ctl("result", "1", "1/2-1/2");
  await page.goto(`${rig.url}#/clocks`);
  await row("1").waitFor();
});

test("a spare replaces the clock of a board; a clock is revoked after a question", async () => {
  const spare = page.locator(".inventory tbody tr", { has: page.locator('td:first-child span:text-is("Spare")') }).first();
  const name = (await spare.locator(".name").textContent()) ?? "";
  await spare.getByRole("button", { name: /^More about/ }).click();
  await page.getByRole("button", { name: "Assign to a board…" }).click();
  await page.locator("dialog .each button", { has: page.locator('b:text-is("1")') }).click();
  await page.getByRole("button", { name: "Replace the old clock" }).click();
  await row("1").locator(".name", { hasText: name }).waitFor();
  // The replaced clock is now a spare, and takes over board 2.
  await row("2")
    .getByRole("button", { name: /^More about/ })
    .click();
  await page.getByRole("button", { name: "Replace the clock…" }).click();
  await page.getByRole("dialog").locator(".menu .btn").first().click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await row("3")
    .getByRole("button", { name: /^More about/ })
    .click();
  await page.getByRole("button", { name: "Revoke access…" }).click();
  await page.getByRole("button", { name: "Revoke", exact: true }).click();
  await page.locator(".inventory tbody tr", { hasText: "Access revoked" }).waitFor();
});

test("the clocks of two boards are swapped in four taps, and one is unassigned in two", async () => {
  const keyOf = async (board: string): Promise<string> => {
    const agents = (await rig.ctl("agents"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { key: string; board: string });
    return agents.find((agent) => agent.board === board)?.key ?? "";
  };
  await rig.ctl("result", "2", "1/2-1/2");
  const [first, second] = [await keyOf("1"), await keyOf("4")];
  expect(first).not.toBe("");
  await row("1")
    .getByRole("button", { name: /^More about/ })
    .click();
  await page.getByRole("button", { name: "Assign to a board…" }).click();
  await page.locator("dialog .each button", { has: page.locator('b:text-is("4")') }).click();
  await page.getByRole("button", { name: "Swap the clocks of boards 1 and 4" }).click();
  await until("they are swapped", async () => (await keyOf("1")) === second && (await keyOf("4")) === first);
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await until("the list has them so", async () => (await row("4").locator(".name").count()) === 1);
  await row("4")
    .getByRole("button", { name: /^More about/ })
    .click();
  await page.getByRole("button", { name: "Take this clock off the board" }).click();
  await until("board 4 has none", async () => (await keyOf("4")) === "");
  await page.getByRole("dialog").waitFor({ state: "detached" });
});

test("sectors are created and changed in the app, and shown in the inventory", async () => {
  await rig.event("new", "Harbour Cup 2026", "--rounds", "5");
  await page.getByRole("button", { name: "Sectors…" }).click();
  await page.getByRole("button", { name: "Add a sector" }).click();
  await page.getByLabel("Sector", { exact: true }).fill("Stage");
  await page.getByLabel("Last board").fill("2");
  await page.getByRole("button", { name: "Save" }).click();
  await row("1").filter({ hasText: "Sector Stage" }).waitFor();
  expect(await row("3").filter({ hasText: "Sector" }).count()).toBe(0);
  await page.getByRole("button", { name: "Sectors…" }).click();
  await page.getByRole("button", { name: "Remove sector Stage" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await until("no sector is named", async () => (await row("1").filter({ hasText: "Sector" }).count()) === 0);
});
