import { expect, test } from "vitest";
import { duration, illegalReason, lossOf, offences, penaltyUnder, sixtyMoves, undoneReason } from "./command.js";

test.each([
  ["90m+30s", 7200e6, "FIDE 7.5.5"],
  ["40/90m+30s : 30m+30s runs on", 9000e6, "FIDE 7.5.5"],
  ["40/2h : 20/1h", 10800e6, "FIDE 7.5.5"],
  ["60m", 3600e6, "FIDE 7.5.5"],
  ["15m+10s", 1500e6, "FIDE A.3"],
  ["3m+2s", 300e6, "FIDE A.3"],
  ["5m vs 4m", 300e6, "FIDE A.3"],
  ["3m delay 2s", 180e6, "FIDE A.3"],
])("%s is %d µs for sixty moves: %s", (control, us, article) => {
  expect(sixtyMoves(control)).toBe(us);
  expect(penaltyUnder(control)).toEqual({ article, us: article === "FIDE A.3" ? 60e6 : 120e6 });
});

test("a control nobody knows is punished as the Laws themselves do", () => {
  expect(sixtyMoves("triple 450")).toBeNull();
  expect(penaltyUnder("triple 450").us).toBe(120e6);
});

test("lengths", () => {
  expect([duration("1h30m"), duration("2.5s"), duration("250ms"), duration("soon")]).toEqual([5400e6, 2.5e6, 250e3, null]);
});

test("illegal moves are counted by side, and those that were undone are not", () => {
  const white = illegalReason("white", "FIDE 7.5.5");
  expect(offences("white", ["", white, illegalReason("black", "FIDE 7.5.5")])).toBe(1);
  expect(offences("white", [white, undoneReason(white)])).toBe(0);
  expect(offences("white", [white, undoneReason(white), white])).toBe(1);
});

test("who loses has lost", () => expect([lossOf("white"), lossOf("black")]).toEqual(["0-1", "1-0"]));
