import { expect, test } from "vitest";
import { board, side } from "$lib/testing.js";
import { Sight, decided } from "./sight.svelte.js";

function before(first = board({ seq: 5n })) {
  const at = { now: first, made: 0n, underWay: false };
  return { at, own: { made: () => at.made, underWay: () => at.underWay }, now: () => at.now };
}

test("a sheet keeps the state of the board at its opening", () => {
  const { at, own, now } = before();
  const sight = new Sight(own, now);
  expect([sight.seq, sight.changed]).toEqual([5n, false]);
  at.now = board({ seq: 6n });
  expect([sight.seq, sight.changed]).toEqual([5n, true]);
  sight.renew();
  expect([sight.seq, sight.changed]).toEqual([6n, false]);
});

test("this arbiter's own command is no change, and while one is under way nothing is", () => {
  const { at, own, now } = before();
  const sight = new Sight(own, now);
  Object.assign(at, { now: board({ seq: 6n }), underWay: true });
  expect(sight.changed).toBe(false);
  Object.assign(at, { made: 6n, underWay: false });
  expect([sight.seq, sight.changed]).toEqual([6n, false]);
  at.now = board({ seq: 7n });
  expect([sight.seq, sight.changed]).toEqual([6n, true]);
});

test("a press or a pause leaves a result sheet unchanged; a flag or another result changes it", () => {
  const { at, own, now } = before();
  const sight = new Sight(own, now, decided);
  at.now = board({ seq: 6n, running: "black", white: side({ moves: 1 }) });
  expect([sight.seq, sight.changed]).toEqual([6n, false]);
  at.now = board({ seq: 7n, phase: "paused", running: null });
  expect([sight.seq, sight.changed]).toEqual([7n, false]);
  at.now = board({ seq: 8n, white: side({ flag: "fallen" }) });
  expect(sight.changed).toBe(true);
  at.now = board({ seq: 8n, phase: "over", result: "1-0" });
  expect(sight.changed).toBe(true);
});
