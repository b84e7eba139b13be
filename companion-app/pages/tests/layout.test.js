import assert from "node:assert/strict";
import { test } from "vitest";
import { bars, lineStep, longest } from "$lib/draw/time-used.js";
import { moveTo } from "../live/keys.js";
import { chooseStar } from "../live/star.js";
import { gridFor, pageRange } from "../live/wall.js";

test("arrows move by rows and columns and stop at the edges", () => {
  // 7 boards in 3 columns: 0 1 2 / 3 4 5 / 6
  for (const [key, at, to] of [
    ["ArrowRight", 0, 1],
    ["ArrowRight", 6, 6],
    ["ArrowLeft", 0, 0],
    ["ArrowDown", 1, 4],
    ["ArrowDown", 4, 6],
    ["ArrowDown", 6, 6],
    ["ArrowUp", 6, 3],
    ["ArrowUp", 1, 1],
    ["Home", 5, 0],
    ["End", 0, 6],
    ["Enter", 3, -1],
  ]) {
    assert.equal(moveTo(key, at, 7, 3), to, `${key} at ${at}`);
  }
});

test("the wall's pages cover every board once", () => {
  assert.deepEqual(
    [0, 1, 2, 3].map((page) => pageRange(page, 15, 40)),
    [
      [0, 15],
      [15, 30],
      [30, 40],
      [0, 15],
    ],
  );
  assert.deepEqual(pageRange(0, 15, 0), [0, 0]);
});

test("the wall's grid has room for its tiles", () => {
  const room = { width: 1850, height: 560 };
  const least = { width: 420, height: 112 };
  const { columns, rows } = gridFor(room, least, 40);
  assert.ok(columns * least.width <= room.width && rows * least.height <= room.height);
  assert.deepEqual(gridFor(room, least, 40), { columns: 4, rows: 5 });
  assert.deepEqual(gridFor(room, least, 2), { columns: 2, rows: 1 });
  assert.deepEqual(gridFor({ width: 10, height: 10 }, least, 9), { columns: 1, rows: 1 });
});

const press = (move, side, usedUs) => ({ move, side, usedUs, atUs: 0, leftUs: 0 });

test("White's bars stand on the middle, Black's hang from it, the longest fills the height", () => {
  const presses = [press(1, "white", 10e6), press(1, "black", 40e6), press(2, "white", 20e6)];
  const area = { width: 240, half: 40, middle: 50, gap: 1 };
  const [first, second, third] = bars(presses, area, 40e6);
  assert.equal(first.y + first.height, 49);
  assert.equal(second.y, 51);
  assert.deepEqual([first.height, second.height, third.height], [10, 40, 20]);
  assert.equal(first.x, second.x);
  assert.ok(third.x >= first.x + first.width);
  assert.ok(bars([press(60, "black", 1)], area, 40e6)[0].x < 240);
  assert.equal(longest(presses), presses[1]);
});

test("the chart has at most four lines on a side, at round lengths", () => {
  assert.equal(lineStep(988e6), 300e6);
  assert.equal(lineStep(3.4e6), 1e6);
  assert.equal(lineStep(40e6), 10e6);
});

test("the featured board is the first one in play and stays until its game is over", () => {
  const board = (name, phase = "running") => ({ board: name, phase });
  const hall = [board("1", "over"), board("2"), board("3")];
  assert.equal(chooseStar(hall, undefined, null).board, "2");
  assert.equal(chooseStar(hall, "3", null).board, "3");
  assert.equal(chooseStar([board("1"), board("2", "over")], "2", null).board, "1");
  assert.equal(chooseStar(hall, "2", "3").board, "3");
  assert.equal(chooseStar([board("1", "over"), board("2", "over")], "2", null).board, "2");
  assert.equal(chooseStar([], undefined, null), undefined);
});
