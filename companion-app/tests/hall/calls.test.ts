// Calls for an arbiter and their acknowledgement, the search for boards, the viewer's role, and the keyboard.
//
// Sound, vibration and notifications cannot be observed here, so the test records the page's calls to the browser's functions.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Rig, until } from "./rig.js";

interface Calls {
  tones: number[];
  shakes: number[][];
  notes: { title: string; body: string; tap: () => void }[];
  hidden: boolean;
}
/** Replaces the browser's functions for sound, vibration and notifications. Runs in the page before the app does. */
function listen(): void {
  const calls: Calls = { tones: [], shakes: [], notes: [], hidden: false };
  Object.assign(globalThis, { calls });
  OscillatorNode.prototype.start = function () {
    calls.tones.push(this.frequency.value);
  };
  OscillatorNode.prototype.stop = () => undefined;
  navigator.vibrate = (pattern) => calls.shakes.push([pattern].flat() as number[]) > 0;
  globalThis.Notification = class {
    static permission = "granted";
    onclick: () => void = () => undefined;
    constructor(title: string, { body = "" }: NotificationOptions) {
      calls.notes.push({ title, body, tap: () => this.onclick() });
    }
    close(): void {
      // There is no notification to close.
    }
  } as unknown as typeof Notification;
  Object.defineProperty(document, "hidden", { get: () => calls.hidden });
  Object.defineProperty(document, "visibilityState", { get: () => (calls.hidden ? "hidden" : "visible") });
}
const heard = (page: Page) =>
  page.evaluate(() => {
    const { tones, shakes, notes } = (globalThis as unknown as { calls: Calls }).calls;
    return { tones, shakes, notes: notes.map(({ title, body }) => ({ title, body })) };
  });
const hide = (page: Page, hidden: boolean) =>
  page.evaluate((is) => {
    (globalThis as unknown as { calls: Calls }).calls.hidden = is;
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);

let rig: Rig;
let anna: Page;
let ben: Page;
async function arbiter(name: string, role: "floor" | "viewer" = "floor"): Promise<Page> {
  const page = await rig.stranger();
  await page.addInitScript(listen);
  await page.goto(await rig.invitation(role, name));
  await page.locator(".first .btn.pri").click();
  await page.waitForSelector(".tile");
  return page;
}
const flagged = async (): Promise<string> => (await rig.boards()).find((board) => board.state === "flagged")?.board ?? "";

beforeAll(async () => {
  rig = await Rig.start({
    boards: { "1": "5s", "2": "5s", "3": "60m", "4": "60m", "5": "60m", "6": "60m" },
    pace: "bullet",
    serve: ["--second-arbiter-time", "0s"],
  });
  [anna, ben] = [await arbiter("Berg, Anna"), await arbiter("Carlsen, Ben")];
});
afterAll(async () => {
  for (const page of [anna, ben]) await page.goto("about:blank");
  await rig.stop();
});

test("a flag alerts by sound, vibration and notification, by each arbiter's settings", async () => {
  await anna.getByRole("button", { name: "Sound, appearance and language" }).click();
  await anna.getByRole("group", { name: "Sound" }).getByRole("button", { name: "On" }).click();
  await anna.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await ben.locator(".tile").first().hover();
  await hide(anna, true);
  await rig.ctl("start", "1-6");
  await until("a flag has fallen", async () => (await flagged()) !== "", 90_000);
  const board = await flagged();
  const name = new RegExp(`^Board ${board}\\. Flag$`);
  await until("Anna was called", async () => (await heard(anna)).notes.some((note) => name.test(note.title)));
  const [hers, his] = [await heard(anna), await heard(ben)];
  expect(hers.notes.find((note) => name.test(note.title))?.body).toBe(`Okonkwo, Board${board} – Lindqvist, Board${board}`);
  expect(hers.tones.slice(-2)).toEqual([880, 587]);
  expect(hers.shakes).toContainEqual([200, 100, 200]);
  // Ben is looking at the page, and his sound is off.
  expect([his.tones, his.notes]).toEqual([[], []]);
});

test("an acknowledgement belongs to one arbiter; who is on the way is shown to all", async () => {
  const board = await flagged();
  const tile = (page: Page) => page.locator(`.tile.flag[data-board="${board}"]`);
  await hide(anna, false);
  for (const page of [anna, ben]) await page.locator(`.tile.unack[data-board="${board}"]`).waitFor();
  await tile(ben).click();
  await ben.waitForSelector(".faces");
  await ben.keyboard.press("Escape");
  await tile(ben).waitFor();
  expect(await ben.locator(`.tile.unack[data-board="${board}"]`).count()).toBe(0);
  expect(await anna.locator(`.tile.unack[data-board="${board}"]`).count()).toBe(1);
  await anna.locator(".now .urg.flag").first().getByRole("button", { name: "On my way" }).click();
  await ben.locator(".now .urg.flag .going", { hasText: "Berg, Anna is on the way" }).waitFor();
  await anna.locator(`.tile.unack[data-board="${board}"]`).waitFor({ state: "detached" });
  // The board shows who has acknowledged the call and is on the way.
  await ben.goto(`${rig.url}#/board/${board}`);
  await ben.locator(".call-line", { hasText: "Berg, Anna is on the way" }).waitFor();
});

test("a tapped notification opens its board", async () => {
  const board = await flagged();
  await anna.evaluate(
    (title) => (globalThis as unknown as { calls: Calls }).calls.notes.find((note) => note.title.startsWith(title))?.tap(),
    `Board ${board}. Flag`,
  );
  await anna.locator(".board .bar h1 b", { hasText: board }).waitFor();
});

test("the move list has every press of a game", async () => {
  await until("a long game", async () => (await rig.board("3")).black.moves >= 12, 60_000);
  await rig.ctl("pause", "3");
  const requested = anna.waitForRequest(/Arbiter\/GetPresses$/);
  await anna.goto(`${rig.url}#/board/3`);
  await requested;
  await anna.getByRole("button", { name: "Moves", exact: true }).click();
  const sheet = anna.locator(".moves-list");
  const { white, black } = await rig.board("3");
  const last = sheet.locator("tbody tr", { has: anna.locator("th", { hasText: new RegExp(`^${Math.max(white.moves, black.moves)}\\s*$`) }) });
  await last.waitFor();
  expect(await sheet.locator("table").getAttribute("aria-rowcount")).toBe(String(Math.max(white.moves, black.moves) + 1));
  const shown = (us: number): string => `${Math.floor(Math.ceil(us / 1e6) / 60)}:${String(Math.ceil(us / 1e6) % 60).padStart(2, "0")}`;
  const newest = (await rig.presses("3")).at(-1);
  expect((await last.locator("td.left").allTextContents()).filter((text) => text !== "").at(-1)).toBe(shown(newest?.left_us ?? 0));
  await sheet.evaluate((pane) => pane.scrollTo({ top: 0 }));
  await sheet.locator("tbody th", { hasText: /^1\s*$/ }).waitFor();
});

test("boards are found by player, number, range, state and short time, and sorted by urgency", async () => {
  const board = await flagged();
  const names = async (): Promise<string[]> => anna.locator(".tile").evaluateAll((tiles) => tiles.map((tile) => tile.getAttribute("data-board") ?? ""));
  const found = (what: string, wanted: string[]) => until(`${what}: ${wanted.join()}`, async () => (await names()).join() === wanted.join());
  await anna.goto(`${rig.url}#/hall`);
  await anna.waitForSelector(".tile");
  const wrong: string[] = [];
  anna.on("pageerror", (error) => wrong.push(error.message));
  const [text, state, order] = [anna.locator("#find"), anna.getByLabel("State"), anna.getByLabel("Order")];
  await text.fill("lindqvist, board5");
  await found("a player", ["5"]);
  await text.fill("4-6");
  await found("a range", ["4", "5", "6"]);
  await text.fill("");
  await state.selectOption("paused");
  await found("paused", ["3"]);
  await state.selectOption("flag");
  expect(await names()).toContain(board);
  await state.selectOption("any");
  await order.selectOption("urgency");
  await until("the flag comes first", async () => ["1", "2"].includes((await names())[0] ?? ""));
  // The list keeps its order for two seconds. Within three seconds it is sorted again, which must not cause an error on the page.
  for (let seconds = 0; seconds < 3; seconds += 1) {
    const second = await anna.locator(".live .clk").textContent();
    await until("a second has passed", async () => (await anna.locator(".live .clk").textContent()) !== second);
  }
  expect(wrong).toEqual([]);
  await order.selectOption("board");
  await found("all in order", ["1", "2", "3", "4", "5", "6"]);
});

test("F goes to the first flag, Enter opens it, Escape returns; a sheet traps the focus and returns it", async () => {
  await anna.locator('.tile[data-board="3"]').focus();
  await anna.keyboard.press("f");
  expect(await anna.evaluate(() => document.activeElement?.closest(".urg.flag") !== null)).toBe(true);
  await anna.keyboard.press("Enter");
  await anna.waitForSelector(".faces");
  await anna.keyboard.press("Escape");
  await anna.locator('.tile[data-board="3"]').focus();
  await anna.keyboard.press("Enter");
  await anna.locator(".board .bar h1 b", { hasText: "3" }).waitFor();
  await anna.keyboard.press("Alt+ArrowRight");
  await anna.locator(".board .bar h1 b", { hasText: "4" }).waitFor();
  await anna.keyboard.press("Alt+ArrowLeft");
  await anna.locator(".board .bar h1 b", { hasText: "3" }).waitFor();
  const opener = anna.locator(".acts .btn", { hasText: "Result" });
  await opener.focus();
  await anna.keyboard.press("Enter");
  await anna.waitForSelector("dialog[open]");
  for (let at = 0; at < 30; at += 1) {
    await anna.keyboard.press("Tab");
    expect(await anna.evaluate(() => document.activeElement === document.body || document.activeElement?.closest("dialog") !== null)).toBe(true);
  }
  await anna.keyboard.press("Escape");
  await anna.locator("dialog").waitFor({ state: "detached" });
  expect(await opener.evaluate((button) => button === document.activeElement)).toBe(true);
});

test("the strip keeps still during a touch, and is sorted after it", async () => {
  await until("both flags are down", async () => (await rig.boards()).filter((board) => board.state === "flagged").length === 2, 90_000);
  const dora = await rig.stranger();
  // Allows the test to stop the time on Dora's device while her finger is down.
  await dora.clock.install();
  await dora.goto(await rig.invitation("floor", "Dahl, Dora"));
  await dora.locator(".first .btn.pri").click();
  const card = dora.locator(".now .urg.flag");
  await card.nth(1).waitFor();
  // If another arbiter calls this flag first, the hub refuses Dora's call, and the strip gets a card about the refusal.
  const names = () => dora.locator(".now .urg:is(.flag, .called, .refused) b").allTextContents();
  const [first = "", second = ""] = await names();
  await card.first().getByRole("button", { name: "Call flag" }).hover();
  await dora.clock.pauseAt((await dora.evaluate(() => Date.now())) + 1000);
  await dora.mouse.down();
  await rig.ctl("flag", first, (await rig.board(first)).white.flag === "none" ? "black" : "white");
  const called = dora.locator(`.tile[data-board="${first}"]:not(.flag)`);
  await until("her tile knows that it is called", async () => (await dora.clock.runFor(10), (await called.count()) > 0));
  expect(await names()).toEqual([first, second]);
  await dora.mouse.up();
  await until("the flag that she meant is called", async () => (await dora.evaluate(() => location.hash)) === `#/board/${first}/flag`);
  await dora.clock.resume();
  await dora.goto(`${rig.url}#/hall`);
  await until("the uncalled flag comes first", async () => (await names()).join() === [second, first].join());
  await dora.context().close();
});

test("a viewer sees everything, and why no action is possible", async () => {
  const viewer = await arbiter("Watch, Wim", "viewer");
  await viewer.goto(`${rig.url}#/board/3`);
  await viewer.waitForSelector(".faces");
  // A viewer may not read the log, and the page says so.
  await viewer.locator(".log li", { hasText: "View only." }).waitFor();
  for (const name of ["Resume", "Correct", "Call flag", "Result", "Illegal move, White"]) {
    expect(await viewer.locator(".acts .btn", { hasText: name }).first().getAttribute("aria-disabled"), name).toBe("true");
  }
  await viewer.locator(".acts .btn", { hasText: "Result" }).click({ force: true });
  await viewer.locator(".btn .why").waitFor();
  await viewer.locator(".acts .more").click();
  for (const item of await viewer.locator("dialog .menu .btn").all())
    expect(await item.getAttribute("aria-disabled"), (await item.textContent()) ?? "").toBe("true");
  await viewer.context().close();
});

test("a tablet in a pocket acknowledges nothing", async () => {
  const unseen = ben.locator('.tile.unack[data-board="5"]');
  // The players may already have stopped their clocks.
  await rig.ctl("pause", "5").catch(() => "");
  for (const side of ["white", "black"]) await rig.ctl("set", "5", side, "1s");
  await ben.goto(`${rig.url}#/board/5`);
  await ben.waitForSelector(".faces");
  await hide(ben, true);
  await rig.ctl("resume", "5");
  await until("its flag has fallen", async () => (await rig.board("5")).state === "flagged", 60_000);
  await ben.locator(".face.flag").waitFor();
  await ben.goto(`${rig.url}#/hall`);
  await unseen.waitFor();
  await ben.goto(`${rig.url}#/board/5`);
  await ben.locator(".face.flag").waitFor();
  await hide(ben, false);
  await ben.locator(".call-line", { hasText: "Seen by Carlsen, Ben" }).waitFor();
  await ben.goto(`${rig.url}#/hall`);
  await ben.locator('.tile.flag[data-board="5"]').waitFor();
  expect(await unseen.count()).toBe(0);
});

test("where only a worker may show notifications, it does, and a tap opens the board", async () => {
  const page = await rig.stranger({ serviceWorkers: "allow" }, await rig.browserThatNotifies());
  const hired = page.context().waitForEvent("serviceworker");
  await page.context().grantPermissions(["notifications"], { origin: rig.url });
  // As in Chrome for Android, constructing a `Notification` throws.
  await page.addInitScript(() => {
    const only = Object.assign(
      function () {
        throw new TypeError("Illegal constructor");
      },
      { permission: "granted" },
    );
    Object.assign(globalThis, { Notification: only });
    Object.defineProperty(document, "hidden", { get: () => true });
  });
  await page.goto(await rig.invitation("floor", "Eder, Eva"));
  await page.locator(".first .btn.pri").click();
  await page.locator('.tile.running[data-board="4"]').waitFor();
  // Repeats the command, because the hub refuses it if a press comes after the board was read.
  await until("the mover of board 4 has no time left", async () => {
    const { running } = await rig.board("4");
    return rig.ctl("set", "4", running === "black" ? "black" : "white", "1ms").then(
      () => true,
      () => false,
    );
  });
  const worker = await hired;
  const tags = () => page.evaluate(async () => (await (await navigator.serviceWorker.ready).getNotifications()).map((note) => note.tag));
  await until("the system shows that a flag fell on board 4", async () => (await tags()).includes("#/board/4"));
  await worker.evaluate(async () => {
    const scope = globalThis as unknown as { registration: ServiceWorkerRegistration };
    const [notification] = await scope.registration.getNotifications({ tag: "#/board/4" });
    const tapped = Object.assign(new Event("notificationclick"), { notification, waitUntil: (work: Promise<unknown>) => work.catch(() => undefined) });
    globalThis.dispatchEvent(tapped);
  });
  await page.locator(".board .bar h1 b", { hasText: "4" }).waitFor();
  await page.context().close();
});
