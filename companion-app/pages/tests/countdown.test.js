import assert from "node:assert/strict";
import { test } from "vitest";
import { Countdown, startsIn } from "../live/countdown.js";

const S = 1_000_000;

test("the time until the start is rounded up and ends with the start", () => {
  assert.equal(startsIn(252 * S), "Starts in 4:12");
  assert.equal(startsIn(251 * S + 1), "Starts in 4:12");
  assert.equal(startsIn(1), "Starts in 0:01");
  assert.equal(startsIn(3600 * S), "Starts in 1:00:00");
  assert.equal(startsIn(0), "");
  assert.equal(startsIn(-5 * S), "");
});

test("the countdown is drawn at every second, and disappears at the start", () => {
  const node = { textContent: "", hidden: true };
  const countdown = new Countdown(node);
  assert.equal(countdown.draw(0), Infinity, "nothing is scheduled");
  countdown.set(10 * S);
  assert.equal(countdown.draw(7.25 * S), 8 * S);
  assert.deepEqual([node.textContent, node.hidden], ["Starts in 0:03", false]);
  assert.equal(countdown.draw(8 * S), 9 * S);
  assert.equal(node.textContent, "Starts in 0:02");
  assert.equal(countdown.draw(10 * S), Infinity);
  assert.deepEqual([node.textContent, node.hidden], ["", true]);
  countdown.set(20 * S);
  countdown.draw(11 * S);
  countdown.set(undefined);
  assert.deepEqual([node.textContent, node.hidden], ["", true], "the hub has taken it back");
});
