// Standings beside the boards, and the event's details about the players at them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { stage, tile } from "./stage.mjs";

const OPEN = ["--players", "60"];

test("the wall shows the standings beside the boards, as many whole lines as fit", async () => {
  await stage({ boards: 30, event: OPEN, size: [1920, 1080] }, async ({ hall, page, open }) => {
    await open("/?wall");
    await page.locator("#side td").first().waitFor();
    const table = await (await fetch(`${hall.url}/live/event/standings.json`)).json();
    const names = await page.locator("#side .pl bdi").allInnerTexts();
    assert.ok(names.length >= 8 && names.length < table.rows.length, `${names.length} lines`);
    assert.deepEqual(names, table.rows.slice(0, names.length).map((row) => row.name));
    assert.equal(await page.locator("#side h2 .q").innerText(), `1–${names.length}`);
    const [side, games, foot] = await Promise.all(["#side", "#games", "#side tbody tr:last-child"].map((name) => page.locator(name).boundingBox()));
    assert.ok(side.x >= games.x + games.width, "beside the boards");
    assert.ok(foot.y + foot.height <= side.y + side.height, "no line is cut");
    assert.ok(!(await page.locator("#side").innerText()).includes(".5"), "halves are ½");
    assert.ok((await page.locator("#side .score .h").allInnerTexts()).includes("½"));
  });
});

test("the standings change with a result, and titles stand at the names", async () => {
  await stage({ boards: 30, event: OPEN }, async ({ hall, page, open }) => {
    await open("/");
    await page.locator("#side td").first().waitFor();
    const before = await (await fetch(`${hall.url}/live/event/standings.json`)).json();
    const titled = before.rows.find((row) => row.title && row.rating);
    assert.ok(titled, "somebody has a title");
    const round = await (await fetch(`${hall.url}/live/event.json`)).json().then(({ present }) => fetch(`${hall.url}/live/event/rounds/${present}.json`)).then((data) => data.json());
    const open_ = round.boards.find((board) => !board.result && board.white && board.black);
    hall.say(`score ${open_.board} 1-0`);
    await page.waitForFunction(
      async (no) => {
        const now = await (await fetch("/live/event/standings.json")).json();
        const rows = now.rows.slice(0, 20).map((row) => row.name).join();
        return rows === [...document.querySelectorAll("#side .pl bdi")].map((name) => name.textContent).join();
      },
      open_.white.no,
    );
    const white = await page.evaluate(() => fetch("/live/boards.json").then((data) => data.json()).then(({ boards }) => boards.map(({ board, white }) => [board, white.name])));
    const known = new Map(before.rows.map((row) => [row.name, row]));
    const [board, name] = white.find(([, name]) => known.get(name)?.title) ?? [];
    assert.ok(board, "a player with a title sits at a board");
    const { title, rating, federation } = known.get(name);
    assert.equal(await tile(page, board).locator(".p .title").first().innerText(), title);
    await page.goto(`${hall.url}/board/${board}`);
    await page.locator(".face.white .nm small").filter({ hasText: title }).waitFor();
    assert.equal(await page.locator(".face.white .nm small").innerText(), [title, rating, federation].filter(Boolean).join(" "));
  });
});

test("without an event there are no standings, and the boards have the whole page", async () => {
  await stage({ boards: 12 }, async ({ page, open }) => {
    await open("/");
    assert.equal(await page.locator("#side").isVisible(), false);
    assert.equal(await page.getAttribute("html", "data-side"), null);
  });
});
