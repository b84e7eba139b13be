// The floor plan on two tablets of different sizes: one tablet arranges it and the other follows. Other roles may not change it, and the app says
// so.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Rig, until } from "./rig.js";

let rig: Rig;
let chief: Page;
let colleague: Page;

beforeAll(async () => {
  rig = await Rig.start({ boards: { "1": "60m", "2": "60m", "3": "60m", "4": "60m" } });
  chief = await rig.page();
  colleague = await rig.page({ viewport: { width: 768, height: 1024 } }, "floor", "Berg, Anna");
  for (const page of [chief, colleague]) {
    await page.goto(`${rig.url}#/hall`);
    await page.getByRole("button", { name: "Floor plan" }).click();
    await page.locator(".floor .spot").nth(3).waitFor();
  }
});
afterAll(() => rig.stop());

interface Kept {
  version: number;
  actor: string;
  places: { board: string; x: number; y: number }[];
}
const kept = async (): Promise<Kept> => JSON.parse(await rig.ctl("floor")) as Kept;
const spot = (page: Page, board: number): ReturnType<Page["locator"]> => page.locator(".floor .spot").nth(board - 1);
const place = async (page: Page, board: number): Promise<string> => spot(page, board).evaluate((one: HTMLElement) => `${one.style.left} ${one.style.top}`);
const same = async (): Promise<boolean> => {
  for (const board of [1, 2, 3, 4]) if ((await place(chief, board)) !== (await place(colleague, board))) return false;
  return true;
};

test("a dragged board moves on the other tablet, with the whole hall as arranged", async () => {
  await chief.getByRole("button", { name: "Arrange" }).click();
  const box = await spot(chief, 3).boundingBox();
  if (!box) throw new Error("board 3 is not in sight");
  await chief.mouse.move(box.x + 30, box.y + 20);
  await chief.mouse.down();
  await chief.mouse.move(box.x + 130, box.y + 220, { steps: 4 });
  await chief.mouse.up();
  await until("the hub has the plan", async () => (await kept()).places.length === 4);
  await chief.locator(".spot.draft").waitFor({ state: "detached" });
  await until("both tablets show it", same);
  expect((await kept()).actor).toBe("Doe, Jane");
  await colleague.getByText("Arranged by Doe, Jane").waitFor();
});

test("the keyboard moves a board, too", async () => {
  const before = (await kept()).places.find((one) => one.board === "1");
  await spot(chief, 1).focus();
  for (let press = 0; press < 5; press += 1) await chief.keyboard.press("ArrowDown");
  await until("the hub has it five steps lower", async () => (await kept()).places.find((one) => one.board === "1")?.y === (before?.y ?? 0) + 5);
  await until("both tablets show it", same);
});

test("two boards in one place are refused by name, and the board returns", async () => {
  const [one, two] = ["1", "2"].map((board) => async () => (await kept()).places.find((place) => place.board === board));
  const [from, to] = [await one?.(), await two?.()];
  if (!from || !to) throw new Error("boards 1 and 2 have no place");
  const box = await spot(chief, 1).boundingBox();
  if (!box) throw new Error("board 1 is not in sight");
  await chief.mouse.move(box.x + 30, box.y + 20);
  await chief.mouse.down();
  await chief.mouse.move(box.x + 30 + (to.x - from.x) * 8, box.y + 20 + (to.y - from.y) * 8, { steps: 4 });
  await chief.mouse.up();
  await chief.locator(".floor .bad", { hasText: "boards 1 and 2 would have the same place" }).waitFor();
  expect(await one?.()).toEqual(from);
  await until("both tablets show it where it was", same);
});

test("a floor arbiter is told that only the chief arranges boards", async () => {
  const button = colleague.getByRole("button", { name: "Arrange" });
  expect(await button.getAttribute("aria-disabled")).toBe("true");
  await button.click({ force: true });
  await colleague.getByText("Only the chief arbiter may do this.").waitFor();
});

test("a reset to rows reaches everyone", async () => {
  await chief.getByRole("button", { name: "Reset to rows" }).click();
  await until("the hub has no plan", async () => (await kept()).places.length === 0);
  await colleague.getByText("Arranged by Doe, Jane").waitFor({ state: "detached" });
});

test("a finger scrolls the floor plan, and moves a board only while it is being arranged", async () => {
  const page = await rig.page({ viewport: { width: 390, height: 844 }, hasTouch: true });
  await page.goto(`${rig.url}#/hall`);
  await page.getByRole("button", { name: "Floor plan" }).click();
  await spot(page, 1).waitFor();
  const floor = page.locator(".floor");
  const scrolled = (): Promise<number> => floor.evaluate((one) => one.scrollTop);
  await floor.evaluate((one) => one.querySelector<HTMLElement>(".plan")?.style.setProperty("height", "3000px"));
  const cdp = await page.context().newCDPSession(page);
  const swipe = async (): Promise<void> => {
    await spot(page, 2).scrollIntoViewIfNeeded();
    const box = await spot(page, 2).boundingBox();
    if (!box) throw new Error("board 2 is not in sight");
    const [x, y] = [Math.round(box.x + 30), Math.round(box.y + 30)];
    await cdp.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
    for (let step = 1; step <= 12; step += 1) await cdp.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x, y: y - step * 10 }] });
    await cdp.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  };
  const before = await scrolled();
  await swipe();
  await until("the floor has scrolled", async () => (await scrolled()) > before);
  expect(page.url()).toMatch(/#\/hall$/);
  const hold = (): Promise<string> => spot(page, 2).evaluate((one) => getComputedStyle(one).touchAction);
  expect(await hold()).toBe("auto");
  await page.getByRole("button", { name: "Arrange" }).click();
  expect(await hold()).toBe("none");
  await page.context().close();
});
