import { expect, test } from "vitest";
import { board, side } from "$lib/testing.js";
import { SeenBoard, decided } from "./seen-board.svelte.js";

function before(first = board({ seq: 5n })) {
  const at = { now: first, ownSeq: 0n, underWay: false };
  return { at, own: { ownSeq: () => at.ownSeq, underWay: () => at.underWay }, now: () => at.now };
}

test("a sheet keeps the state of the board at its opening", () => {
  const { at, own, now } = before();
  const seenBoard = new SeenBoard(own, now);
  expect([seenBoard.seq, seenBoard.changed]).toEqual([5n, false]);
  at.now = board({ seq: 6n });
  expect([seenBoard.seq, seenBoard.changed]).toEqual([5n, true]);
  seenBoard.renew();
  expect([seenBoard.seq, seenBoard.changed]).toEqual([6n, false]);
});

test("this arbiter's own command is no change, and while one is under way nothing is", () => {
  const { at, own, now } = before();
  const seenBoard = new SeenBoard(own, now);
  Object.assign(at, { now: board({ seq: 6n }), underWay: true });
  expect(seenBoard.changed).toBe(false);
  Object.assign(at, { ownSeq: 6n, underWay: false });
  expect([seenBoard.seq, seenBoard.changed]).toEqual([6n, false]);
  at.now = board({ seq: 7n });
  expect([seenBoard.seq, seenBoard.changed]).toEqual([6n, true]);
});

test("a press or a pause leaves a result sheet unchanged; a flag or another result changes it", () => {
  const { at, own, now } = before();
  const seenBoard = new SeenBoard(own, now, decided);
  at.now = board({ seq: 6n, running: "black", white: side({ moves: 1 }) });
  expect([seenBoard.seq, seenBoard.changed]).toEqual([6n, false]);
  at.now = board({ seq: 7n, phase: "paused", running: null });
  expect([seenBoard.seq, seenBoard.changed]).toEqual([7n, false]);
  at.now = board({ seq: 8n, white: side({ flag: "fallen" }) });
  expect(seenBoard.changed).toBe(true);
  at.now = board({ seq: 8n, phase: "over", result: "1-0" });
  expect(seenBoard.changed).toBe(true);
});
