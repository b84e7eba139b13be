// A hub that does not respond for minutes and then returns: the display in the meantime, the blocked actions, and the recovery.

import { fromBinary } from "@bufbuild/protobuf";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WatchRequestSchema, type WatchRequest } from "$gen/api/arbiter_pb.js";
import { inWebKit, Rig, until } from "./rig.js";

let rig: Rig;
let page: Page;
const watched: WatchRequest[] = [];
beforeAll(async () => {
  rig = await Rig.start({ boards: { "1": "60m", "2": "60m", "3": "60m" } });
  page = await rig.page();
  page.on("request", (request) => {
    // WebKit's inspector does not provide request bodies.
    if (inWebKit) return;
    const frame = request.url().endsWith("/flagfall.api.v1.Arbiter/Watch") ? request.postDataBuffer() : null;
    if (frame) watched.push(fromBinary(WatchRequestSchema, frame.subarray(5)));
  });
  // Lets the test advance the device's clocks, which otherwise run normally.
  await page.clock.install();
  await page.goto("about:blank");
  await page.goto(`${rig.url}#/hall`);
  await page.waitForSelector(".tile");
  await rig.ctl("start", "1-3");
  await page.locator('.tile.running[data-board="1"]').waitFor();
});
afterAll(async () => {
  await page.goto("about:blank");
  await rig.stop();
});

test("an unanswered command stays under way, and is executed once", async () => {
  await page.goto(`${rig.url}#/board/2`);
  await page.waitForSelector(".faces");
  rig.freezeHub();
  await page.locator(".acts .btn", { hasText: "Pause" }).first().click();
  await page.locator(".slip.pending", { hasText: "Sending…" }).waitFor();
  // The app does not change the board before the hub confirms.
  expect(await page.locator(".face.run").count()).toBe(1);
  rig.thawHub();
  await until("board 2 is paused", async () => (await rig.board("2")).state === "paused");
  await page.locator(".slip.done", { hasText: "Pause" }).waitFor();
  const pauses = page.locator(".log li", { hasText: "Doe, Jane" }).filter({ hasText: "Pause" });
  await pauses.first().waitFor();
  expect(await pauses.count()).toBe(1);
});

test("a silent hub is detected; the last state stays with its age, and actions are impossible", { timeout: 120_000 }, async () => {
  await page.goto(`${rig.url}#/hall`);
  await page.waitForSelector(".tile");
  watched.length = 0;
  rig.freezeHub();
  // Detection takes 5.5 s after the last contact: 2.5 s of silence, then 3 s without an answer to a probe. The third step is a safety margin.
  for (let quiet = 0; quiet < 3; quiet += 1) await page.clock.fastForward(3100);
  const strip = page.locator(".urg.offline");
  await strip.filter({ hasText: "Times are estimates" }).waitFor({ timeout: 60_000 });
  // The age counts from the last contact, which may fall after the first steps: the app may still be reading the hub's last message.
  expect(await strip.textContent()).toMatch(/ 0:(0[5-9]|[1-5]\d) old\./);
  await page.clock.fastForward("03:00");
  await strip.filter({ hasText: /Times are estimates, 3:\d\d old\./ }).waitFor();
  expect(await page.locator(".tile").count()).toBe(3);
  expect(await page.locator(".hall[data-offline]").count()).toBe(1);
  expect(await page.locator('.tile[data-board="2"]').textContent()).toContain("Paused");
  await page.goto(`${rig.url}#/board/1`);
  await page.locator(".acts .btn", { hasText: "Pause" }).first().click({ force: true });
  await page.locator(".btn .why", { hasText: /offline|hub/i }).waitFor();
  expect(await page.locator(".slip").count()).toBe(0);
  // These views also show the age of their data.
  for (const view of ["board/1", "round", "standings", "clocks"]) {
    await page.goto(`${rig.url}#/${view}`);
    await page.locator(".live .offline", { hasText: /^\s*Offline [34]:\d\d\s*$/ }).waitFor();
  }
  await page.goto(`${rig.url}#/board/1`);
});

test("the page reconnects and resumes its place in the feed", { timeout: 120_000 }, async () => {
  rig.thawHub();
  // The app must also receive this change, which happens before it reconnects.
  await rig.ctl("pause", "3");
  await page.locator(".live .online").waitFor({ timeout: 60_000 });
  const last = watched.at(-1);
  if (!inWebKit) expect([last?.afterEpoch, last?.afterSeq].every((place) => (place ?? 0n) > 0n)).toBe(true);
  await page.goto(`${rig.url}#/hall`);
  await page.locator('.tile.paused[data-board="3"]').waitFor();
  expect(await page.locator(".urg.offline").count()).toBe(0);
  expect(await page.locator(".hall[data-offline]").count()).toBe(0);
});

test("without the hub no clock's state is shown as known", { timeout: 120_000 }, async () => {
  await page.goto(`${rig.url}#/clocks`);
  const links = page.locator(".inventory tbody tr td:nth-child(3)");
  await links.filter({ hasText: "Live" }).nth(2).waitFor();
  rig.freezeHub();
  for (let quiet = 0; quiet < 3; quiet += 1) await page.clock.fastForward(3100);
  await links.filter({ hasText: "Unknown" }).nth(2).waitFor({ timeout: 60_000 });
  expect(await links.filter({ hasText: "Live" }).count()).toBe(0);
  expect(await page.locator("main .empty").allTextContents()).toEqual(["No connection to the hub."]);
  rig.thawHub();
  await links.filter({ hasText: "Live" }).nth(2).waitFor({ timeout: 60_000 });
});
