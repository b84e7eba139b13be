import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AFTER_MS, Hold, LONGEST_MS } from "./hold.svelte.js";

let hold: Hold;
beforeEach(() => {
  vi.useFakeTimers();
  hold = new Hold();
});
afterEach(() => {
  vi.useRealTimers();
});
const pass = (ms: number): boolean => {
  vi.advanceTimersByTime(ms);
  return hold.held;
};

test("the list keeps still while it is touched, and until the tap has arrived", () => {
  expect(hold.held).toBe(false);
  hold.down();
  expect(pass(LONGEST_MS - 1)).toBe(true);
  hold.up();
  expect(pass(AFTER_MS - 1)).toBe(true);
  expect(pass(1)).toBe(false);
});

test("a pan and its flick prolong the hold", () => {
  hold.down();
  for (let moved = 0; moved < 3 * LONGEST_MS; moved += 100) {
    expect(pass(100)).toBe(true);
    hold.prolong();
  }
  hold.up();
  for (let run = 0; run < 2000; run += 100) {
    expect(pass(100)).toBe(true);
    hold.prolong();
  }
  expect(pass(AFTER_MS)).toBe(false);
});

test("a touch whose end was lost does not hold for long", () => {
  hold.down();
  expect(pass(LONGEST_MS - 1)).toBe(true);
  expect(pass(1)).toBe(false);
  // Late events of the first touch must not start a new hold.
  hold.prolong();
  hold.up();
  expect(pass(0)).toBe(false);
});

test("a second touch soon after the first holds as long", () => {
  hold.down();
  hold.up();
  expect(pass(AFTER_MS / 2)).toBe(true);
  hold.down();
  expect(pass(LONGEST_MS - 1)).toBe(true);
  expect(pass(1)).toBe(false);
});

test("scrolling with a wheel does not hold", () => {
  hold.prolong();
  expect(pass(0)).toBe(false);
});
