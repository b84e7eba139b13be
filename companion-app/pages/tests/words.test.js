import assert from "node:assert/strict";
import { test } from "vitest";
import { besideTime, moveText } from "$lib/words/beside.js";
import { isolated } from "$lib/words/isolated.js";
import { scores } from "$lib/words/results.js";
import { boardOf } from "../live/board-view.js";
import { boardInWords, oddsInWords, statesOf, withOdds, announcementOf } from "../live/words.js";

const side = (name, more = {}) => ({ name, us: 60e6, phase: "main", moves: 39, period: 1, flag: "none", ...more });
const board = (more = {}) =>
  boardOf({
    board: "17",
    white: side("Okonkwo"),
    black: side("Lindqvist"),
    running: "white",
    paused: false,
    online: true,
    state: "running",
    control: "90m+30s",
    plan: [],
    seq: 1,
    ...more,
  });
const keys = (view) => statesOf(view).map((state) => state.key);

test("a healthy running board has no state", () => {
  assert.deepEqual(keys(board()), []);
});

test("the most urgent state comes first", () => {
  const view = board({
    online: false,
    paused: true,
    state: "flagged",
    running: "none",
    black: side("Lindqvist", { flag: "fallen" }),
    white: side("Okonkwo", { flag: "called" }),
  });
  assert.deepEqual(keys(view), ["flag", "silent", "called", "paused"]);
  assert.deepEqual(keys(board({ white: side("Okonkwo", { flag: "expected" }), online: false })), ["expected", "silent"]);
});

test("the public is not told what stopped clocks wait for", () => {
  const stopped = board({ state: "stopped", running: "none", next: "white" });
  assert.deepEqual(keys(stopped), []);
  assert.equal(announcementOf(board(), stopped), null);
});

test("a board without a clock is not silent", () => {
  assert.deepEqual(keys(board({ state: "ready", running: "none", online: false, no_clock: true })), ["ready"]);
});

test("of two clocks the silent one is named", () => {
  const silent = (clocks) => statesOf(board({ online: false, clocks })).map((state) => [state.key, state.side]);
  assert.deepEqual(silent({ white: true, black: false }), [["silent", "black"]]);
  assert.deepEqual(silent({ white: false, black: false }), [
    ["silent", "white"],
    ["silent", "black"],
  ]);
  assert.deepEqual(statesOf(board({ clocks: { white: true, black: true } })), []);
});

test("a finished game has its result and no other state", () => {
  assert.deepEqual(keys(board({ state: "over", result: "1-0", online: false, white: side("Okonkwo", { flag: "called" }) })), []);
});

test("a board's accessible name is one short text", () => {
  const drawn = { white: { us: 0, allotment: "flagged" }, black: { us: 276e6, allotment: "main" } };
  const view = board({ state: "flagged", running: "none", white: side("Okonkwo", { flag: "fallen" }) });
  assert.equal(boardInWords(view, drawn), "Board 17. White Okonkwo 0:00. Black Lindqvist 4:36. Move 39. Flag.");
  assert.equal(
    boardInWords(board({ state: "over", running: "none", result: "1/2-1/2" }), drawn),
    "Board 17. White Okonkwo ½. Black Lindqvist ½. Move 39. Game over.",
  );
});

test("flags are loud, presses and short time are never announced", () => {
  const fallen = board({ state: "flagged", running: "none", white: side("Okonkwo", { flag: "fallen" }) });
  assert.deepEqual(announcementOf(board(), fallen), { text: "Board 17: Flag, White Okonkwo.", loud: true });
  assert.equal(announcementOf(fallen, fallen), null, "once");
  assert.equal(announcementOf(undefined, fallen), null, "not what was so before the page opened");
  assert.equal(announcementOf(board(), board({ running: "black", white: side("Okonkwo", { us: 5e6, moves: 40 }) })), null);
  assert.equal(announcementOf(board(), board({ online: false })).loud, false);
  assert.deepEqual(announcementOf(board(), board({ state: "over", result: "0-1" })), { text: "Board 17: Result 0–1.", loud: false });
});

test("the text beside the time, in the app and here", () => {
  const beside = (player, allotment = "main", waitUs = undefined) => besideTime(player, allotment, waitUs);
  const DAY = 86_400e6;
  for (const [said, shown] of [
    [beside({ delayUs: 3e6 }), "d 3"],
    [beside({ delayUs: 5e6 }, "main", 2_000_001), "d 3"],
    [beside({ delayUs: 5e6 }, "main", 0), ""],
    [beside({ byoLeft: 3 }, "byo"), "×3"],
    [beside({ byoLeft: 3 }), ""],
    [beside({ bankUs: 372e6 }), "bank 6:12"],
    [beside({ bankUs: DAY - 1e6 }), "bank 23:59:59"],
    [beside({ bankUs: DAY }), "bank 1 d"],
    [beside({ bankUs: 9.75 * DAY }), "bank 9 d 18 h"],
    [beside({ bankUs: 67.75 * DAY }), "bank 67 d"],
    [beside({ bankUs: 100 * DAY }), "bank 100 d"],
    [beside({}, "extra"), "extra"],
    [beside({ stones: 14 }, "canadian"), "14 moves to go"],
    [beside({ points: -10 }, "overtime"), "−10 points"],
    [beside({ points: 5 }, "overtime"), "+5 points"],
    [beside({ delayUs: 3e6, bankUs: DAY }), "d 3 · bank 1 d"],
  ])
    assert.equal(said, shown);
});

test("results and forfeits", () => {
  assert.deepEqual(scores("1-0"), ["1", "0"]);
  assert.deepEqual(scores("1/2-1/2"), ["½", "½"]);
  assert.deepEqual(scores("0-1f"), ["–", "+"]);
  assert.deepEqual(scores("0-0f"), ["–", "–"]);
  assert.equal(scores("*"), null);
  assert.equal(scores(undefined), null);
});

test("the move number in chess notation", () => {
  assert.equal(moveText(board({ white: side("a", { moves: 30 }), black: side("b", { moves: 30 }) })), "31.");
  assert.equal(moveText(board({ running: "black", white: side("a", { moves: 31 }), black: side("b", { moves: 30 }) })), "31…");
});

test("draw odds are shown beside a draw, which stays a draw", () => {
  const armageddon = board({ draw_odds: "black" });
  assert.equal(withOdds(armageddon, "black", "d 3"), "draw odds · d 3");
  assert.equal(withOdds(armageddon, "white", "d 3"), "d 3");
  assert.equal(oddsInWords(armageddon), "Draw odds: Black");
  assert.equal(oddsInWords(board()), "");
  const drawn = board({ draw_odds: "black", state: "over", result: "1/2-1/2", running: "none" });
  assert.deepEqual(scores(drawn.result), ["½", "½"]);
  assert.equal(announcementOf(armageddon, drawn).text, "Board 17: Result ½–½, Draw odds: Black.");
  assert.match(boardInWords(drawn, { white: drawn.white, black: drawn.black }), /Game over\. Draw odds: Black\.$/);
});

test("a right-to-left name is isolated in a sentence, any other is unchanged", () => {
  for (const name of ["", "Müller, Jörg", "Гаприндашвили", "诸宸"]) assert.equal(isolated(name), name);
  for (const name of ["כהן, נועה", "محمد صلاح", "Ada\u202e"]) assert.equal(isolated(name), `\u2068${name}\u2069`);
  const drawn = { white: { us: 0, allotment: "main" }, black: { us: 276e6, allotment: "main" } };
  assert.match(boardInWords(board({ white: side("כהן, נועה") }), drawn), /White \u2068כהן, נועה\u2069 0:00\./);
});
