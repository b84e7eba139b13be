import assert from "node:assert/strict";
import { test } from "vitest";
import { Feed } from "../live/feed.js";

/** Creates a feed in a browser whose events the test controls. */
function world() {
  const heard = [];
  const w = {
    heard,
    requests: [],
    sources: [],
    timers: [],
    answers: [],
    random: () => 1,
    fetch: async (url) => {
      w.requests.push(url);
      const answer = w.answers.shift();
      if (!answer) throw new TypeError("not reachable");
      return { ok: answer !== 404, status: answer === 404 ? 404 : 200, json: async () => answer };
    },
    setTimeout: (f, ms) => w.timers.push({ f, ms }) - 1,
    clearTimeout: (id) => {
      if (w.timers[id]) w.timers[id].f = null;
    },
    EventSource: class {
      constructor(url) {
        Object.assign(this, { url, closed: false, listeners: {} });
        w.sources.push(this);
      }
      addEventListener(kind, f) {
        this.listeners[kind] = f;
      }
      close() {
        this.closed = true;
      }
      say(kind, id, data) {
        this.listeners[kind]({ data: JSON.stringify(data), lastEventId: id });
      }
    },
    /** Runs the newest pending timer; with `ms`, the newest one with that delay. Returns the timer's delay. */
    ring(ms) {
      const timer = w.timers.findLast((t) => t.f && (ms === undefined || t.ms === ms));
      assert.ok(timer, `a timer of ${ms} ms is set`);
      const { f } = timer;
      timer.f = null;
      f();
      return timer.ms;
    },
    settle: () => new Promise((resolve) => setImmediate(resolve)),
  };
  const note =
    (kind) =>
    (...values) =>
      heard.push([kind, ...values]);
  const handlers = Object.fromEntries(["snapshot", "board", "event", "gone", "absent", "time", "link"].map((kind) => [kind, note(kind)]));
  w.feed = new Feed("/live/boards.json", "/live/events", handlers, w);
  w.kinds = () => heard.map(([kind]) => kind);
  return w;
}

const snapshot = (epoch, seq) => ({ epoch, seq, hub_us: 5, boards: [] });

async function live() {
  const w = world();
  w.answers.push(snapshot(7, 3));
  w.feed.start();
  await w.settle();
  w.sources[0].say("hub", "7-3", { epoch: 7, seq: 3, hub_us: 6 });
  return w;
}

test("the feed takes a snapshot and follows from there", async () => {
  const w = await live();
  assert.deepEqual(w.requests, ["/live/boards.json"]);
  assert.equal(w.sources[0].url, "/live/events?after=7-3");
  w.sources[0].say("board", "7-4", { epoch: 7, seq: 4, hub_us: 9, board: { board: "1" } });
  assert.deepEqual(w.kinds(), ["time", "snapshot", "time", "link", "time", "board"]);
  assert.deepEqual(w.heard[0], ["time", 5, true]);
  assert.deepEqual(w.heard[2], ["time", 6, false]);
});

test("the feed resumes after a loss", async () => {
  const w = await live();
  w.sources[0].say("board", "7-4", { epoch: 7, seq: 4, hub_us: 9, board: { board: "1" } });
  w.sources[0].onerror();
  assert.deepEqual(w.heard.at(-1), ["link", false]);
  assert.ok(w.sources[0].closed);
  w.ring(500);
  assert.equal(w.sources[1].url, "/live/events?after=7-4");
  assert.equal(w.requests.length, 1, "no new snapshot");
  w.sources[1].say("hub", "7-4", { epoch: 7, seq: 4, hub_us: 10 });
  assert.deepEqual(w.heard.at(-1), ["link", true]);
});

test("a resynchronisation takes a new snapshot and resets the time", async () => {
  const w = await live();
  w.answers.push(snapshot(8, 1));
  w.sources[0].say("hub", "8-0", { epoch: 8, seq: 0, hub_us: 70 });
  assert.deepEqual(w.heard.at(-1), ["time", 70, true]);
  w.sources[0].say("resync", "8-1", { epoch: 8, seq: 1, hub_us: 71 });
  await w.settle();
  assert.equal(w.requests.length, 2);
  assert.equal(w.sources[1].url, "/live/events?after=8-1");
});

test("the delays between attempts grow up to a limit", async () => {
  const w = world();
  w.feed.start();
  const waits = [];
  for (let n = 0; n < 8; n += 1) {
    await w.settle();
    waits.push(w.ring());
  }
  assert.deepEqual(waits, [500, 1000, 2000, 4000, 8000, 15000, 15000, 15000]);
});

test("an unknown board is absent, and asked for again", async () => {
  const w = await live();
  w.answers.push(404, snapshot(8, 2));
  w.sources[0].say("resync", "8-1", { epoch: 8, seq: 1, hub_us: 71 });
  await w.settle();
  assert.deepEqual(w.kinds().slice(-1), ["absent"]);
  assert.ok(!w.heard.some(([kind, live]) => kind === "link" && !live));
  w.ring(15_000);
  await w.settle();
  assert.equal(w.sources[1].url, "/live/events?after=8-2");
});

test("a silent connection is dead", async () => {
  const w = await live();
  w.ring(25_000);
  assert.deepEqual(w.heard.at(-1), ["link", false]);
  assert.ok(w.sources[0].closed);
});

test("messages of a closed connection are ignored", async () => {
  const w = await live();
  const [old] = w.sources;
  old.onerror();
  const before = w.heard.length;
  old.say("board", "7-9", { epoch: 7, seq: 9, hub_us: 9, board: { board: "1" } });
  old.onerror();
  assert.equal(w.heard.length, before);
});

test("an outdated snapshot is ignored", async () => {
  const w = world();
  let late;
  w.fetch = () => new Promise((resolve) => (late = resolve));
  w.feed.start();
  w.fetch = async () => ({ ok: true, json: async () => snapshot(9, 1) });
  w.feed.start();
  await w.settle();
  late({ ok: true, json: async () => snapshot(1, 1) });
  await w.settle();
  assert.deepEqual(
    w.heard.filter(([kind]) => kind === "snapshot").map(([, s]) => s.epoch),
    [9],
  );
});

const changes = (seq, list, block = 0) => ({ epoch: 7, seq, hub_us: 9, size: 64, block, changes: list });

async function withoutStreams() {
  const w = world();
  w.answers.push(snapshot(7, 3));
  w.feed.start();
  await w.settle();
  for (let n = 0; n < 2; n += 1) {
    w.sources.at(-1).onerror();
    if (n === 0) w.ring();
  }
  return w;
}

test("where no stream comes through, the feed asks for the changes", async () => {
  const w = await withoutStreams();
  w.answers.push(
    changes(5, [
      { seq: 3, board: { board: "0" } },
      { seq: 4, board: { board: "1" } },
      { seq: 5, gone: "2" },
    ]),
  );
  w.ring();
  await w.settle();
  assert.equal(w.sources.length, 2, "no third stream");
  assert.equal(w.requests.at(-1), "/live/changes.json");
  assert.deepEqual(w.heard.slice(-3), [
    ["board", { board: "1" }],
    ["gone", "2"],
    ["link", true],
  ]);
  w.answers.push(changes(5, []));
  assert.equal(w.ring(2000), 2000);
});

test("the feed fetches full blocks that it missed, and begins again if they are gone", async () => {
  const w = await withoutStreams();
  const block = (no) => ({ epoch: 7, block: no, changes: [{ seq: 64 * no + 10, event: { name: `${no}` } }] });
  w.answers.push(changes(130, [], 2), block(0), block(1));
  w.ring();
  await w.settle();
  assert.deepEqual(w.requests.slice(-3), ["/live/changes.json", "/live/changes/7/0.json", "/live/changes/7/1.json"]);
  assert.deepEqual(
    w.heard.filter(([kind]) => kind === "event").map(([, event]) => event.name),
    ["0", "1"],
  );
  w.answers.push(changes(330, [], 5), 404, snapshot(7, 330), changes(331, [{ seq: 331, gone: "3" }], 5));
  w.ring(2000);
  await w.settle();
  assert.deepEqual(w.requests.slice(-4), ["/live/changes.json", "/live/changes/7/2.json", "/live/boards.json", "/live/changes.json"]);
  assert.deepEqual(w.kinds().slice(-4), ["time", "snapshot", "time", "gone"]);
});

test("a stream is tried again after a minute, and taken if it comes through", async () => {
  const w = await withoutStreams();
  for (let n = 0; n < 30; n += 1) {
    w.answers.push(changes(3, []));
    w.ring();
    await w.settle();
  }
  w.ring(2000);
  assert.equal(w.sources.length, 3);
  w.sources[2].say("hub", "7-3", { epoch: 7, seq: 3, hub_us: 6 });
  w.sources[2].onerror();
  w.ring();
  assert.equal(w.sources.length, 4, "a stream that spoke is followed again");
});
