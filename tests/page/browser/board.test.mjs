import assert from "node:assert/strict";
import { test } from "node:test";
import { stage, startHall, waitForClass } from "./stage.mjs";

const face = (page, side) => page.locator(`.face.${side}`);

test("a board has its players, its moves and its neighbours", () =>
  stage({ boards: 4 }, async ({ page, open }) => {
    await open("/board/2");
    assert.equal(await page.title(), "Board 2 · Harbour Cup 2026 · Round 5");
    assert.match(await face(page, "white").innerText(), /Østergård, Maja[^]*\d+ moves/);
    assert.equal(await page.locator("#log li").count(), 12);
    assert.match(await page.locator("#log li").first().innerText(), /14:30:4\d\.\d[^]*(White|Black)[^]*\d+(\.|…) in \d+:\d\d(\.\d)?, \d+:\d\d(\.\d)? left/);
    const bars = await page.locator("#chart rect").count();
    assert.ok(bars > 30, `${bars} bars`);
    await page.keyboard.press("ArrowRight");
    await page.waitForURL("**/board/3");
    await page.locator("#previous:visible").waitFor();
    await page.keyboard.press("ArrowLeft");
    await page.waitForURL("**/board/2");
    await page.locator("#previous:visible").waitFor();
    await page.keyboard.press("Escape");
    await page.waitForURL(/:\d+\/$/);
  }));

test("a press turns the board and becomes the newest move", () =>
  stage({ boards: 6 }, async ({ hall, page, open }) => {
    await open("/board/6");
    await waitForClass(face(page, "white"), "run");
    const bars = await page.locator("#chart rect").count();
    const moves = parseInt(await face(page, "white").locator(".mvs").innerText(), 10);
    hall.say("press 6");
    await waitForClass(face(page, "black"), "run");
    assert.equal(await page.locator("#chart rect").count(), bars + 1);
    assert.equal(await face(page, "white").locator(".mvs").innerText(), `${moves + 1} moves`);
    assert.match(await page.locator("#log li").first().innerText(), new RegExp(`White[^]*${moves + 1}\\. in 0:0\\d\\.\\d, 0:5\\d[^]* left`));
    assert.match(await face(page, "black").innerText(), /To move, 0:0\d used/);
    // This page must not react to events on other boards.
    hall.say("press 2");
    hall.say("press 6");
    await waitForClass(face(page, "white"), "run");
    assert.equal(await page.locator("#chart rect").count(), bars + 2);
  }));

test("a flag fills its side, and its age and words are there", () =>
  stage({ boards: 17 }, async ({ hall, page, open }) => {
    await open("/board/6");
    hall.say("set 6 1");
    await waitForClass(face(page, "white"), "fell");
    assert.equal(await face(page, "white").locator(".clk").innerText(), "0:00");
    assert.equal(await face(page, "white").locator(".chip.flag").innerText(), "FLAG");
    assert.equal(await page.locator("#loud").innerText(), "Board 6: Flag, White Sørensen, Bo.");
    await open("/board/17");
    assert.match(await face(page, "black").locator(".chip.silent").innerText(), /^No signal 0:[45]\d$/);
    await open("/board/4");
    assert.match(await page.locator(".chip.paused").innerText(), /^Paused 3:1\d$/);
  }));

/** Replaces the feed with one that the test fills. */
const SILENT_FEED = "globalThis.EventSource = class extends EventTarget { constructor() { super(); globalThis.feed = this; } close() {} };";
const MOVES = [
  { san: "e4", uci: "e2e4", fen: "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1" },
  { san: "e5", uci: "e7e5", fen: "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2" },
  { san: "Nf3", uci: "g1f3", fen: "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2" },
  { san: "Nc6", uci: "b8c6", fen: "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3" },
];

test("moves that the feed left out are fetched and listed", () =>
  stage({ boards: 2, before: SILENT_FEED }, async ({ page, open }) => {
    let snapshot;
    let count = 1;
    await page.route("**/live/boards/2.json", async (route) => {
      const response = await route.fetch();
      snapshot = await response.json();
      snapshot.score = MOVES.slice(0, count).map((move) => move.san);
      snapshot.board.written = { count, ...MOVES[count - 1] };
      await route.fulfill({ response, json: snapshot });
    });
    await open("/board/2");
    const listed = page.locator("#score b");
    await page.waitForFunction(() => globalThis.feed);
    assert.deepEqual(await listed.allInnerTexts(), ["e4"]);
    count = 4;
    const { epoch, hub_us, board } = snapshot;
    const data = JSON.stringify({ epoch, hub_us, board: { ...board, written: { count, ...MOVES[count - 1] } } });
    await page.evaluate((data) => globalThis.feed.dispatchEvent(new MessageEvent("board", { data, lastEventId: "1-2" })), data);
    await listed.nth(3).waitFor();
    assert.deepEqual(await listed.allInnerTexts(), MOVES.map((move) => move.san));
  }));

test("a board that leaves the hall says so", () =>
  stage({ boards: 3 }, async ({ hall, page, open, complaints }) => {
    await open("/board/2");
    hall.say("gone 2");
    await page.locator("#empty", { hasText: "Board 2 is no longer part of this round." }).waitFor();
    await page.goto(`${hall.url}/board/2`);
    assert.equal(await page.locator("h1").innerText(), "No board 2 in this hall");
    await page.locator("a", { hasText: "All boards" }).click();
    await page.waitForURL(/:\d+\/$/);
    complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes("404")));
  }));

test("a restarted hub that does not have the board is no lost connection", () =>
  stage({ boards: 3 }, async ({ hall, page, open, complaints }) => {
    await open("/board/3");
    await hall.kill();
    await page.locator(".live .offline").waitFor();
    const again = await startHall({ boards: 2, epoch: 2, http: hall.address });
    try {
      await page.locator("#empty", { hasText: "Board 3 is no longer part of this round." }).waitFor({ timeout: 20_000 });
      await page.locator(".live .online").waitFor();
      complaints.length = 0;
    } finally {
      await again.kill();
    }
  }));

test("on a wall there are two clocks and nothing a player must not see", () =>
  stage({ boards: 2, size: [1920, 1080] }, async ({ page, open }) => {
    await open("/board/2?wall");
    const shown = await page.locator("main").innerText();
    assert.doesNotMatch(shown, /moves|used|took|Thinking/);
    assert.match(shown, /To move/);
    const boxes = await Promise.all(["white", "black"].map((side) => face(page, side).boundingBox()));
    assert.ok(boxes.every((box) => box.height > 900 && box.y + box.height <= 1080), JSON.stringify(boxes));
    assert.ok(await face(page, "white").evaluate((node) => node.classList.contains("long")), "more than an hour is left");
    const gaps = await page.locator(".face").evaluateAll((all) => all.map((face) => {
      const [inner, outer] = [face.querySelector(".clk").getBoundingClientRect(), face.getBoundingClientRect()];
      return Math.min(inner.left - outer.left, outer.right - inner.right);
    }));
    assert.ok(gaps.every((gap) => gap >= 16), `no digit comes near the edge: ${gaps}`);
  }));

test("a name of forty letters stands whole on its board's page", () =>
  stage({ boards: 4 }, async ({ page, open }) => {
    for (const [width, height] of [[1024, 768], [320, 640]]) {
      await page.setViewportSize({ width, height });
      await open("/board/4");
      const name = face(page, "white").locator("bdi");
      assert.equal(await name.innerText(), "van der Wijngaarden-Achterberg, Pieter-Jan");
      const inside = await name.evaluate((node) => {
        const text = node.getBoundingClientRect();
        const face = node.closest(".face").getBoundingClientRect();
        const digits = node.closest(".face").querySelector(".clk").getBoundingClientRect();
        return text.left >= face.left && text.right <= face.right && text.bottom <= digits.top + 4;
      });
      assert.ok(inside, `at ${width}`);
    }
  }));
