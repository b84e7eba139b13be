import { expect, test } from "vitest";
import { movedRows } from "./aim.js";

test.each([
  ["nothing has moved", "3 5 9", "3 5 9", ""],
  ["what follows a row that has gone has moved up", "3 5 9", "3 9", "9"],
  ["what follows a new row has moved down", "3 5 9", "1 3 5 9", "1 3 5 9"],
  ["a new row at the end moves no other", "3 5", "3 5 9", "9"],
  ["a row that has gone from the end moves none", "3 5 9", "3 5", ""],
  ["rows that have changed places have moved", "3 5 9", "3 9 5", "9 5"],
])("%s", (_, before, now, moved) => {
  expect(movedRows(before.split(" "), now.split(" ")).join(" ")).toBe(moved);
});
