import { expect, test } from "vitest";
import { press } from "$lib/testing.js";
import { moveLines } from "./moves.js";

const shape = (lines: ReturnType<typeof moveLines>) => lines.map((line) => `${line.move}${line.white ? "w" : ""}${line.black ? "b" : ""}`);

test("each move is one line with both sides", () => {
  const lines = moveLines([press(1), press(2), press(3)]);
  expect(shape(lines)).toEqual(["1wb", "2w"]);
  expect(lines[0]?.black?.eventSeq).toBe(2n);
});

test("a list that begins with Black's move has an empty half", () => {
  expect(shape(moveLines([press(4), press(5)]))).toEqual(["2b", "3w"]);
});

test("a move played again after a restore is a line below the first", () => {
  const again = { ...press(3), eventSeq: 9n, move: 1, side: "white" as const };
  expect(shape(moveLines([press(1), press(2), again, { ...press(4), eventSeq: 10n, move: 1, side: "black" as const }]))).toEqual(["1wb", "1wb"]);
  expect(moveLines([])).toEqual([]);
});
