// A second arbiter and an auditor: a large correction is held until a second arbiter confirms it, and an auditor sees who did what.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Rig, until } from "./rig.js";

let rig: Rig;
let chief: Page;
let floor: Page;
beforeAll(async () => {
  rig = await Rig.start({ boards: { "1": "90m", "2": "90m" } });
  chief = await rig.page({ viewport: { width: 1280, height: 800 } });
  floor = await rig.page({ viewport: { width: 390, height: 844 } }, "floor", "Lind, Per");
});
afterAll(() => rig.stop());

const white = async (board: string): Promise<number> => (await rig.board(board)).white.us;
const waiting = (page: Page) => page.locator(".bar .held");
const sheet = (page: Page) => page.locator("dialog .slip.pending");

test("a great correction waits, and the other arbiter's tap carries it out", async () => {
  const refused = await rig.refused("set", "1", "white", "10m", "--reason", "wrong setting");
  expect(refused).toContain("a second arbiter must confirm this");
  await chief.goto(`${rig.url}#/hall`);
  await floor.goto(`${rig.url}#/hall`);
  await waiting(floor).click();
  await sheet(floor).filter({ hasText: "Board 1" }).filter({ hasText: "wrong setting" }).waitFor();
  expect(await white("1")).toBe(5400e6);
  await floor.getByRole("button", { name: "Confirm" }).click();
  await until("White has ten minutes", async () => (await white("1")) === 600e6);
  await waiting(floor).waitFor({ state: "detached" });
});

test("the sender withdraws, and cannot confirm", async () => {
  await chief.goto(`${rig.url}#/board/2`);
  await chief.locator(".acts .btn", { hasText: "Correct" }).click();
  await chief.locator('dialog section[aria-label="White"] .fld.time').focus();
  await chief.keyboard.type("1000");
  await chief.locator("dialog").getByRole("button", { name: "Set both clocks" }).click();
  await chief.locator(".slip.refused", { hasText: "A second arbiter must confirm this command." }).waitFor();
  await chief.goto(`${rig.url}#/hall`);
  await waiting(chief).click();
  expect(await chief.locator("dialog").getByRole("button", { name: "Confirm" }).count()).toBe(0);
  await sheet(chief).getByRole("button", { name: "Withdraw" }).click();
  await waiting(chief).waitFor({ state: "detached" });
  expect(await white("2")).toBe(5400e6);
});

test("an auditor lists the commands of one arbiter, and changes nothing", async () => {
  const auditor = await rig.page({ viewport: { width: 1024, height: 768 } }, "auditor", "Ruiz, Rita");
  await auditor.locator(".bar nav a", { hasText: "Log" }).click();
  const rows = auditor.locator(".audit tbody tr");
  await rows.filter({ hasText: "Lind, Per" }).filter({ hasText: "Confirmed as second arbiter" }).waitFor();
  await auditor.getByPlaceholder("Name").fill("lind");
  await auditor.getByRole("button", { name: "Show" }).click();
  await until("only that arbiter's commands are left", async () => {
    const actors = await rows.locator("td:nth-child(2) bdi").allTextContents();
    return actors.length > 0 && actors.every((actor) => actor === "Lind, Per");
  });
  await auditor.goto(`${rig.url}#/board/1`);
  const pause = auditor.locator(".acts .btn").first();
  await pause.waitFor();
  expect(await pause.getAttribute("title")).toBe("View only.");
});
