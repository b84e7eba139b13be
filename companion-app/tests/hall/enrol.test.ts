// The first day in a hall: twenty clock programs are enrolled with one code and a few taps, and cards are printed for further clocks. A clock
// that was not admitted does not join the hall.

import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Rig, until, type ProgramClock } from "./rig.js";

const CLOCKS = 20;
let rig: Rig;
let page: Page;
let taps = 0;
beforeAll(async () => {
  rig = await Rig.start({ boards: {} });
  await rig.ctl("add", `1-${CLOCKS}`, "60m");
  page = await rig.page({ viewport: { width: 1280, height: 800 } });
  await page.goto(`${rig.url}#/clocks`);
});
afterAll(async () => {
  await page.goto("about:blank");
  await rig.stop();
});

async function tap(what: Locator): Promise<void> {
  taps += 1;
  await what.click();
}
const button = (name: string | RegExp): Locator => page.getByRole("button", { name, exact: true });
const codeShown = async (): Promise<string> => (await page.locator(".many-code .code").textContent()) ?? "";
const agents = async (): Promise<string[]> => [...(await rig.ctl("agents")).matchAll(/"key":"(\w+)"/g)].map(([, key = ""]) => key);
const numberOf = (clock: ProgramClock): string => /Waiting for the arbiter: (\d{4})/.exec(clock.face())?.[1] ?? "";
const row = (number: string): Locator => page.locator(".came li", { has: page.locator(`.shows:text-is("${number}")`) });

async function waiting(clock: ProgramClock): Promise<string> {
  await until("the clock shows its number", () => Promise.resolve(numberOf(clock) !== ""));
  await row(numberOf(clock)).waitFor();
  return numberOf(clock);
}

test("twenty clocks are enrolled with one code, four taps and no typing", { timeout: 180_000 }, async () => {
  taps = 0;
  await tap(button("Enrol clocks…"));
  // The dialog proposes the number of boards without a clock.
  await tap(button(`Open for ${CLOCKS} clocks`));
  await page.locator(".many-code svg.qr").waitFor();
  const code = await codeShown();
  const clocks: ProgramClock[] = [];
  for (let n = 1; n <= CLOCKS; n += 1) {
    const clock = rig.clock(code);
    clocks.push(clock);
    // The list immediately shows each clock's number, which the arbiter compares with the clock.
    await waiting(clock);
  }
  expect(new Set(clocks.map(numberOf)).size).toBe(CLOCKS);
  expect(await agents(), "no clock is the hall's before it is admitted").toEqual([]);
  await tap(button(`Admit all ${CLOCKS}`));
  await until("every clock serves its board", async () => (await rig.boards()).filter((board) => board.online).length === CLOCKS, 90_000);
  await tap(button("Done"));
  expect(taps).toBeLessThanOrEqual(4);
  for (const [at, clock] of clocks.entries())
    await until(`clock ${at + 1} shows its board`, () => Promise.resolve(new RegExp(`\\bboard ${at + 1}\\b`, "i").test(clock.face())));
  await rig.ctl("start", "1-3");
  await until("the clocks run", async () => (await rig.boards()).filter((board) => board.state === "running").length === 3);
  await page
    .locator(".inventory tbody tr")
    .nth(CLOCKS - 1)
    .waitFor();
});

test("a stranger with the code is one too many, is refused, and never becomes a clock of the hall", async () => {
  await rig.ctl("add", `${CLOCKS + 1}-${CLOCKS + 4}`, "60m");
  const before = (await agents()).length;
  await button("Enrol clocks…").click();
  await button("Enrol more…").click();
  await page.getByLabel("How many clocks").fill("1");
  await page.getByLabel("Assign to boards").selectOption({ label: "From board 21" });
  await button("Open for 1 clock").click();
  await until("another code", async () => (await codeShown()).startsWith("flagfall://"));
  const code = await codeShown();
  const own = rig.clock(code);
  const number = await waiting(own);
  const stranger = rig.clock(code);
  const strangers = await waiting(stranger);
  await page.getByRole("alert").filter({ hasText: "2 clocks connected instead of 1" }).waitFor();
  expect(await button("Admit all 2").getAttribute("aria-disabled")).toBe("true");
  await button(`Refuse clock ${strangers}`).click();
  await until("the stranger is turned away", () => Promise.resolve(stranger.exitCode() === 1));
  await row(strangers).filter({ hasText: "Refused" }).waitFor();
  await button("Admit 1").click();
  await row(number).filter({ hasText: "Admitted" }).waitFor();
  await until("the clock serves board 21", async () => (await rig.board("21")).online);
  expect((await agents()).length).toBe(before + 1);
});

test("a closed window turns away waiting clocks", async () => {
  await button("Done").click();
  await button("Enrol clocks…").click();
  await button("Enrol more…").click();
  await page.getByLabel("How many clocks").fill("2");
  await button("Open for 2 clocks").click();
  await until("another code", async () => (await codeShown()).startsWith("flagfall://"));
  const late = rig.clock(await codeShown());
  await waiting(late);
  const before = await agents();
  await button("Close enrolment").click();
  await page.locator(".slip", { hasText: "has ended" }).waitFor();
  await until("the clock is told so", () => Promise.resolve(late.exitCode() === 1));
  expect(await agents()).toEqual(before);
});

test("cards are printed for boards without a clock, and unused ones withdrawn together", async () => {
  await button("Printed codes").click();
  await button("Make 3 codes").click();
  const cards = page.locator(".codes article");
  await until("a card for each board", async () => (await cards.count()) === 3);
  expect(await cards.locator(".to b").allTextContents()).toEqual(["22", "23", "24"]);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  expect(await page.locator(".view").isVisible()).toBe(false);
  expect(await page.locator("dialog footer").isVisible()).toBe(false);
  const boxes = await cards.evaluateAll((all) => all.map((card) => card.getBoundingClientRect().top));
  expect(boxes[0], "two cards beside each other").toBe(boxes[1]);
  expect(await cards.first().evaluate((card) => getComputedStyle(card).color)).toBe("rgb(0, 0, 0)");
  for (const format of ["A4", "Letter"]) {
    const pages =
      (await page.pdf({ format, preferCSSPageSize: false, margin: { top: "9mm", bottom: "9mm", left: "9mm", right: "9mm" } }))
        .toString("latin1")
        .match(/\/Type\s*\/Page\b/g) ?? [];
    expect(pages.length, format).toBe(1);
  }
  await page.emulateMedia({ media: null, colorScheme: null });
  // Joins the groups with spaces, as a person may type the code from the card.
  const typed = (await cards.nth(0).locator(".typed span").allTextContents()).join(" ");
  rig.clock(typed);
  await until("the clock of the card serves its board", async () => (await rig.board("22")).online);
  await button("Back").click();
  await page.locator("dialog li", { hasText: "2 of 3 codes unused" }).waitFor();
  await button("Withdraw 2 unused codes").click();
  await page.locator("dialog li", { hasText: "codes unused" }).waitFor({ state: "detached" });
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
});

test("a floor arbiter cannot enrol clocks and is told why", async () => {
  const floor = await rig.page({}, "floor", "Floor, Fay");
  await floor.goto(`${rig.url}#/clocks`);
  const enrol = floor.getByRole("button", { name: "Enrol clocks…" });
  expect(await enrol.getAttribute("aria-disabled")).toBe("true");
  await enrol.click({ force: true });
  await floor.getByText("Only the chief arbiter may do this.").waitFor();
  expect(await floor.getByRole("dialog").count()).toBe(0);
  await floor.context().close();
});
