import assert from "node:assert/strict";
import { test } from "vitest";
import { clockText, lengthText, sideText, untilNextDigit } from "$lib/draw/clock-text.js";

const S = 1_000_000;
const M = 60 * S;
const H = 60 * M;

test("the digits agree with every other clock of the hall", () => {
  for (const [us, digits] of [
    [-1, "0:00"],
    [0, "0:00"],
    [1, "0:00.1"],
    [100_000, "0:00.1"],
    [100_001, "0:00.2"],
    [8.4 * S, "0:08.4"],
    [9.9 * S, "0:09.9"],
    [9.9 * S + 1, "0:10"],
    [10 * S, "0:10"],
    [16.2 * S, "0:17"],
    [17 * S, "0:17"],
    [59 * S + 1, "1:00"],
    [M, "1:00"],
    [M + 1, "1:01"],
    [43 * M + 7 * S, "43:07"],
    [20 * M, "20:00"],
    [59 * M + 59 * S, "59:59"],
    [H - 1, "1:00:00"],
    [H, "1:00:00"],
    [H + 2 * M + 33 * S, "1:02:33"],
    [90 * M, "1:30:00"],
    [10 * H, "10:00:00"],
  ]) {
    assert.equal(clockText(us).join(""), digits, `${us} µs`);
  }
});

test("an hour and a half is shown for its first second", () => {
  assert.equal(clockText(90 * M - S + 1)[0], "1:30:00");
  assert.equal(clockText(90 * M - S)[0], "1:29:59");
});

test("overtime is shown as the time used beyond the end", () => {
  assert.equal(sideText(-42 * S, "overtime").join(""), "+0:42");
  assert.equal(sideText(-5.2 * S, "overtime").join(""), "+0:05.2");
  assert.equal(sideText(42 * S, "main").join(""), "0:42");
});

test("the next digit is due exactly when the text changes", () => {
  const text = (us, phase) => sideText(us, phase).join("");
  for (const phase of ["main", "overtime"]) {
    for (const rate of [-1, 1]) {
      for (const start of [1, 99_999, 100_000, 9.85 * S, 9.9 * S, 9.9 * S + 1, 10 * S, 10.4 * S, 61 * S, 61 * S + 1, H, H + 1, -42 * S, -1, 0]) {
        if (phase === "main" && start < 0) continue;
        const wait = untilNextDigit(start, rate, phase);
        if (wait === Infinity) {
          assert.equal(text(start + rate * H, phase), text(start, phase), `${start} ${rate} ${phase} never changes`);
          continue;
        }
        assert.ok(wait > 0);
        assert.equal(text(start + rate * (wait - 1), phase), text(start, phase), `${start} ${rate} ${phase}: not before`);
        assert.notEqual(text(start + rate * wait, phase), text(start, phase), `${start} ${rate} ${phase}: then`);
      }
    }
  }
  assert.equal(untilNextDigit(5 * S, 0, "main"), Infinity);
});

test("a time used is rounded to the tenth, then to the second", () => {
  assert.equal(lengthText(380_000), "0:00.4");
  assert.equal(lengthText(9.94 * S), "0:09.9");
  assert.equal(lengthText(9.95 * S), "0:10");
  assert.equal(lengthText(37.6 * S), "0:38");
  assert.equal(lengthText(988 * S), "16:28");
});
