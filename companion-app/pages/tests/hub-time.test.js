import assert from "node:assert/strict";
import { test } from "vitest";
import { HubTime } from "$lib/hall/hub-time.js";

/** Creates a page whose clock the test controls, and a hub whose clock is `aheadMs` ahead. */
function world(aheadMs = 1e12) {
  let ms = 1000;
  let ahead = aheadMs;
  const time = new HubTime(() => ms);
  return {
    time,
    pass: (by) => (ms += by),
    /** Makes the page's clock run ahead of the hub's. */
    gain: (by) => ((ms += by), (ahead -= by)),
    /** Makes the page's machine sleep; its clock stops meanwhile. */
    sleep: (by) => (ahead += by),
    /** Stamps a message with the hub's time now, and delivers it `delayMs` later. */
    message(delayMs) {
      const stampUs = (ms + ahead) * 1000;
      ms += delayMs;
      return time.sample(stampUs);
    },
    errorMs: () => (time.nowUs() - (ms + ahead) * 1000) / 1000,
  };
}

test("before the first message the time is unknown", () => {
  assert.equal(world().time.nowUs(), null);
});

test("the fastest message counts", () => {
  const w = world();
  w.message(300);
  assert.equal(w.errorMs(), -300);
  w.message(20);
  assert.equal(w.errorMs(), -20);
  w.message(800);
  assert.equal(w.errorMs(), -20);
});

test("a correction worth a redraw is reported", () => {
  const w = world();
  assert.equal(w.message(300), true);
  assert.equal(w.message(297), false);
  assert.equal(w.message(20), true);
});

test("old estimates expire, so that a crystal's drift is followed", () => {
  const w = world();
  w.message(0);
  // The page's clock gains 6 ms each minute, so the hub's stamps seem to fall further and further behind.
  for (let minute = 0; minute < 60; minute += 1) {
    w.pass(60_000);
    w.gain(6);
    w.message(0);
  }
  assert.ok(Math.abs(w.errorMs()) < 15, `${w.errorMs()} ms`);
});

test("after sleep, the next message corrects the time", () => {
  const w = world();
  w.message(5);
  w.sleep(3_600_000);
  assert.equal(w.message(7), true);
  assert.equal(w.errorMs(), -7);
});

test("a reset forgets the timeline of another hub", () => {
  const w = world(5e12);
  w.message(1);
  w.time.reset();
  assert.equal(w.time.nowUs(), null);
});
