import { expect, test } from "vitest";
import { still } from "./still.js";

const rows = (text: string): { board: string }[] =>
  text
    .split(" ")
    .filter((board) => board !== "")
    .map((board) => ({ board }));
const shown = (before: string, now: string, answered = "", held = false): string =>
  still(rows(before), rows(now), (board) => answered.split(" ").includes(board), held)
    .map((row) => row.board)
    .join(" ");

test.each([
  ["the first look is the list's own order", "", "3 5 9", "", false, "3 5 9"],
  ["what was answered keeps its place, so that the next tap is not another board's", "3 5 9", "5 9", "3", false, "3 5 9"],
  ["it goes when its slip is gone", "3 5 9", "5 9", "", false, "5 9"],
  ["what has gone by itself goes", "3 5 9", "3 9", "", false, "3 9"],
  ["but not from under a finger", "3 5 9", "3 9", "", true, "3 5 9"],
  ["what is new comes last", "3 5 9", "1 3 4 5 9", "", false, "3 5 9 1 4"],
  ["and not while the list is held", "3 5 9", "1 3 5 9", "", true, "3 5 9"],
  ["a list that was empty is shown all the same", "", "1", "", true, "1"],
])("%s", (_, before, now, answered, held, after) => expect(shown(before, now, answered, held)).toBe(after));

test("a row that is still in the list shows its newest state", () => {
  const [row] = still([{ board: "3", what: "old" }], [{ board: "3", what: "new" }], () => true, true);
  expect(row?.what).toBe("new");
});
