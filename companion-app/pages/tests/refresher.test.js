import assert from "node:assert/strict";
import { test } from "vitest";
import { Refresher } from "../event/refresher.js";

function world(act = async () => {}) {
  const w = {
    ms: 10_000,
    timers: [],
    acts: 0,
    async pass(ms) {
      const until = w.ms + ms;
      for (;;) {
        w.timers.sort((one, other) => one.at - other.at);
        if (!w.timers.length || w.timers[0].at > until) break;
        const timer = w.timers.shift();
        w.ms = timer.at;
        timer.f();
        await new Promise((resolve) => setImmediate(resolve));
      }
      w.ms = until;
    },
  };
  w.refresher = new Refresher(
    async () => {
      w.acts += 1;
      await act();
    },
    { now: () => w.ms, setTimeout: (f, ms) => w.timers.push({ f, at: w.ms + ms }), random: () => 1 },
  );
  return w;
}

test("the first fetch is immediate, later ones are spread", async () => {
  const w = world();
  w.refresher.want();
  await w.pass(0);
  assert.equal(w.acts, 1);
  await w.pass(5000);
  w.refresher.want();
  await w.pass(199);
  assert.equal(w.acts, 1);
  await w.pass(1);
  assert.equal(w.acts, 2);
});

test("twenty changes in a second are three fetches, the last one after the last change", async () => {
  const w = world();
  for (let n = 0; n < 20; n += 1) {
    w.refresher.want();
    await w.pass(50);
  }
  assert.equal(w.acts, 2);
  await w.pass(5000);
  assert.equal(w.acts, 3, "the last one after the last change, and then it is quiet");
});

test("a change never waits a second", async () => {
  const w = world();
  w.refresher.want();
  await w.pass(201);
  w.refresher.want();
  await w.pass(800);
  assert.equal(w.acts, 2);
});

test("a change during a fetch leads to another fetch", async () => {
  let done = () => {};
  const w = world(() => new Promise((resolve) => (done = resolve)));
  w.refresher.want();
  await w.pass(200);
  assert.equal(w.acts, 1);
  w.refresher.want();
  await w.pass(3000);
  assert.equal(w.acts, 1, "not two at once");
  done();
  await w.pass(400);
  assert.equal(w.acts, 2);
});
