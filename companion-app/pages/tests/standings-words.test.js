import assert from "node:assert/strict";
import { test } from "vitest";
import { middle, stateText } from "../event/round.js";
import { afterText, provisionalText } from "../event/standings-words.js";

const counted = (after, open, provisional = open > 0) => ({ after, rounds: 4, open, provisional });

test("a table names its rounds, and is provisional while a game of them is open", () => {
  const said = (data) => [afterText(data), provisionalText(data)];
  assert.deepEqual(said(counted(0, 0)), ["Starting list", ""]);
  assert.deepEqual(said(counted(3, 0)), ["Standings after round 3 of 4", ""]);
  assert.deepEqual(said(counted(2, 0)), ["Standings after round 2 of 4", ""]);
  assert.deepEqual(said(counted(4, 1)), ["Standings during round 4 of 4", "Provisional, 1 game open"]);
  assert.deepEqual(said(counted(3, 12)), ["Standings during round 3 of 4", "Provisional, 12 games open"]);
  assert.deepEqual(said(counted(4, 0)), ["Final standings", ""], "final only when nothing is open");
  assert.deepEqual(said(counted(4, 0, true)), ["Standings after round 4 of 4", "Provisional"], "a match without boards is open");
});

test("a board shows its result, or the state of its game", () => {
  const board = (state, result = null) => middle({ board: 1, white: null, black: null, state, result });
  assert.deepEqual(board("over", { white: "1", black: "0" }), ["1–0", ""]);
  assert.deepEqual(board("over", { white: "1", black: "0", unrated: true }), ["1–0", "unrated"]);
  assert.deepEqual(board("playing"), ["", "playing"]);
  assert.deepEqual(board("adjourned"), ["", "adjourned"]);
  assert.deepEqual(board("paired"), ["", ""], "nothing is said of a game that has not begun");
});

test("the progress of a round", () => {
  assert.equal(stateText({ state: "paired", results: 0, boards: 4 }), "Not started");
  assert.equal(stateText({ state: "playing", results: 3, boards: [1, 2, 3, 4] }), "3 of 4 results");
  assert.equal(stateText({ state: "finished", results: 4, boards: 4 }), "All results are in");
  assert.equal(stateText({ state: "confirmed", results: 4, boards: 4 }), "Results confirmed");
});
