import assert from "node:assert/strict";
import { test } from "vitest";
import { setLocale } from "$lib/words/catalogue.js";
import { inQuarters, ownColumns, points, quarters, scoreText } from "$lib/event/score.js";
import { halvesText, resultText, scores } from "$lib/words/results.js";
import { dayText } from "../event/day.js";

test("a score is written with its fraction", () => {
  for (const [text, shown] of [
    ["2.5", "2½"],
    ["3.0", "3"],
    ["0.5", "½"],
    ["0.0", "0"],
    ["12.25", "12¼"],
    ["8.75", "8¾"],
    ["-0.5", "−½"],
    ["-12.0", "−12"],
    ["3.67", "3.67"],
    ["2431", "2431"],
    ["–", "–"],
  ]) {
    assert.equal(scoreText(text), shown, text);
  }
  assert.deepEqual(quarters("10.50"), ["10", "½"]);
  assert.equal(quarters("2431"), null);
});

test("hundredths are formatted as the hub's decimals", () => {
  for (const [hundredths, shown] of [
    [350n, "3½"],
    [300n, "3"],
    [50n, "½"],
    [0n, "0"],
    [1225n, "12¼"],
    [-50n, "−½"],
    [-150n, "−1½"],
    [-1000n, "−10"],
    [367n, "3.67"],
  ])
    assert.equal(points(hundredths), shown);
});

test("a column has one format", () => {
  assert.equal(inQuarters(["3.0", "3.25", "–"]), true);
  assert.equal(inQuarters(["3.00", "3.67"]), false, "averages keep their decimals");
  assert.equal(inQuarters(["2431", "–"]), true);
});

test("a result has a dash between halves, or a colon if a half may be a dash", () => {
  for (const [white, black, text] of [
    ["1", "0", "1–0"],
    ["½", "½", "½–½"],
    ["+", "–", "+:–"],
    ["–", "–", "–:–"],
    ["½", "0", "½–0"],
  ]) {
    assert.equal(halvesText([white, black]), text);
  }
});

test("a result has FIDE's marks for its code", () => {
  const codes = {
    "1-0": "1–0",
    "0-1": "0–1",
    "1/2-1/2": "½–½",
    "1/2-0": "½–0",
    "0-1/2": "0–½",
    "0-0": "0–0",
    "1-1": "1–1",
    "1-1/2": "1–½",
    "1-0f": "+:–",
    "0-1f": "–:+",
    "0-0f": "–:–",
    "*": "*",
    "412:388": "412:388",
  };
  for (const [code, shown] of Object.entries(codes)) assert.equal(resultText(code), shown, code);
  // Half a forfeit does not exist, and a forfeit cannot be won by both sides.
  for (const code of ["2-0", "1-1f", "1/2-0f", "", null, undefined]) assert.equal(scores(code), null, String(code));
});

test("the score named among the tie-breaks has no second column", () => {
  const list = (...codes) => codes.map((code) => ({ code }));
  assert.deepEqual(ownColumns(list("PTS", "BH", "DE")), [1, 2]);
  assert.deepEqual(ownColumns(list("MPTS", "GPTS")), [1]);
  assert.deepEqual(ownColumns(list("BH/C1", "PS")), [0, 1]);
  assert.deepEqual(ownColumns([]), []);
});

test("dates are in the reader's language", () => {
  for (const [tag, day] of [
    ["en", "20 November 2026"],
    ["de", "20. November 2026"],
    ["es", "20 de noviembre de 2026"],
    ["fr", "20 novembre 2026"],
  ]) {
    setLocale(tag);
    assert.equal(dayText("2026-11-20"), day);
  }
  setLocale("en");
  assert.equal(dayText("soon"), "soon");
});
