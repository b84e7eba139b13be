import assert from "node:assert/strict";
import { test } from "vitest";
import { drawAt } from "$lib/draw/plan.js";

const S = 1_000_000;
const segment = (from_s, white_s, black_s, white_rate, black_rate, white_phase = "main", black_phase = "main") => ({
  fromUs: from_s * S,
  whiteUs: white_s * S,
  blackUs: black_s * S,
  whiteRate: white_rate,
  blackRate: black_rate,
  whiteAllotment: white_phase,
  blackAllotment: black_phase,
});
const view = (running, ...plan) => ({ plan, running, white: { us: 7 * S, allotment: "main" }, black: { us: 8 * S, allotment: "main" } });

test("a running clock counts down and the other does not move", () => {
  const board = view("white", segment(100, 60, 50, -1, 0), segment(160, 0, 50, 0, 0, "flagged"));
  const drawing = drawAt(board, 110.25 * S);
  assert.equal(drawing.white.us, 49.75 * S);
  assert.equal(drawing.black.us, 50 * S);
  assert.equal(drawing.untilUs, 160 * S);
  assert.equal(drawing.waitUs, 0);
});

test("the plan ends with a flag, and no time is negative", () => {
  const board = view("white", segment(100, 60, 50, -1, 0), segment(160, 0, 50, 0, 0, "flagged"));
  assert.deepEqual(drawAt(board, 999 * S).white, { us: 0, rate: 0, allotment: "flagged" });
  assert.equal(drawAt(view("white", segment(100, 1, 50, -1, 0)), 200 * S).white.us, 0);
});

test("a delay passes before time runs", () => {
  const board = view("black", segment(100, 60, 50, 0, 0), segment(105, 60, 50, 0, -1), segment(155, 60, 0, 0, 0, "main", "flagged"));
  assert.equal(drawAt(board, 102 * S).waitUs, 3 * S);
  assert.equal(drawAt(board, 102 * S).black.us, 50 * S);
  assert.equal(drawAt(board, 106 * S).waitUs, 0);
  assert.equal(drawAt(board, 106 * S).black.us, 49 * S);
});

test("byo-yomi resets to a full period", () => {
  const board = view("white", segment(0, 5, 9, -1, 0), segment(5, 30, 9, -1, 0, "byo"), segment(35, 30, 9, -1, 0, "byo"));
  assert.deepEqual(drawAt(board, 6 * S).white, { us: 29 * S, rate: -1, allotment: "byo" });
  assert.deepEqual(drawAt(board, 36 * S).white, { us: 29 * S, rate: -1, allotment: "byo" });
});

test("an hourglass fills the other side", () => {
  const drawing = drawAt(view("white", segment(0, 60, 60, -1, 1)), 10 * S);
  assert.deepEqual([drawing.white.us, drawing.black.us], [50 * S, 70 * S]);
});

test("overtime is negative", () => {
  assert.equal(drawAt(view("white", segment(0, 0, 60, -1, 0, "overtime")), 42 * S).white.us, -42 * S);
});

test("before a plan begins its first values hold; without a plan the view's", () => {
  assert.equal(drawAt(view("white", segment(100, 60, 50, -1, 0)), 90 * S).white.us, 60 * S);
  const bare = drawAt(view(null), 5 * S);
  assert.deepEqual([bare.white.us, bare.black.us, bare.untilUs], [7 * S, 8 * S, Infinity]);
});
