import { expect, test } from "vitest";
import { covers, isSamePerson } from "./deciders.js";

test("a sector covers its boards only", () => {
  for (const [board, covered] of [
    ["1", true],
    ["20", true],
    ["A3", true],
    ["21", false],
    ["07", false],
    ["A4", false],
    ["", false],
  ] as const) {
    expect(covers("1-20, A3", board), board).toBe(covered);
    expect(covers("", board)).toBe(true);
  }
});

test("letter case and spaces make no other arbiter", () => {
  expect(isSamePerson("Anna Berg", " anna  BERG")).toBe(true);
  expect(isSamePerson("Anna Berg", "Anna Bergh")).toBe(false);
});
