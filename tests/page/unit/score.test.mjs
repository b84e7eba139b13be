import assert from "node:assert/strict";
import { test } from "node:test";
import { dayText, inQuarters, ordinal, ownColumns, quarters, resultText, scoreText } from "../../../hub/assets/event/score.js";

test("a score is written with its fraction", () => {
  for (const [text, shown] of [["2.5", "2½"], ["3.0", "3"], ["0.5", "½"], ["0.0", "0"], ["12.25", "12¼"], ["8.75", "8¾"], ["-0.5", "−½"], ["-12.0", "−12"], ["3.67", "3.67"], ["2431", "2431"], ["–", "–"]]) {
    assert.equal(scoreText(text), shown, text);
  }
  assert.deepEqual(quarters("10.50"), ["10", "½"]);
  assert.equal(quarters("2431"), null);
});

test("a column is written one way", () => {
  assert.equal(inQuarters(["3.0", "3.25", "–"]), true);
  assert.equal(inQuarters(["3.00", "3.67"]), false, "averages keep their decimals");
  assert.equal(inQuarters(["2431", "–"]), true);
});

test("a result is a dash between halves, and a colon where a half may be a dash", () => {
  for (const [white, black, text] of [["1", "0", "1–0"], ["½", "½", "½–½"], ["+", "–", "+:–"], ["–", "–", "–:–"], ["½", "0", "½–0"]]) {
    assert.equal(resultText({ white, black }), text);
  }
});

test("a score that the list of tie-breaks names has its column already", () => {
  const list = (...codes) => codes.map((code) => ({ code }));
  assert.deepEqual(ownColumns(list("PTS", "BH", "DE")), [1, 2]);
  assert.deepEqual(ownColumns(list("MPTS", "GPTS")), [1]);
  assert.deepEqual(ownColumns(list("BH/C1", "PS")), [0, 1]);
  assert.deepEqual(ownColumns([]), []);
});

test("places and days are said as one says them", () => {
  assert.deepEqual([1, 2, 3, 4, 11, 12, 13, 21, 22, 103, 111].map(ordinal), ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "103rd", "111th"]);
  assert.equal(dayText("2026-11-20"), "20 November 2026");
  assert.equal(dayText("soon"), "soon");
});
