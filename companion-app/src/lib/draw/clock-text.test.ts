import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ageText, clockText, lengthText, sideText, untilNextDigit } from "./clock-text.js";

/** The test cases that the agent, the live page and the app share. */
const cases = readFileSync(new URL("../../../../tests/clock-text.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split("\t"));

describe("the digits of every screen", () => {
  test("there are cases", () => expect(cases.length).toBeGreaterThan(30));
  test.each(cases)("%s µs are %s%s", (us, big, small) => {
    expect(clockText(Number(us))).toEqual([big, small]);
  });
});

test("the digits change exactly at the predicted instant", () => {
  for (const us of [1, 99_999, 8_400_001, 9_900_000, 9_900_001, 10_000_000, 59_999_999, 60_000_000, 3_599_000_001, 5_400_000_000]) {
    const due = untilNextDigit(us, -1, "main");
    const shown = clockText(us).join("");
    if (due === Infinity) continue;
    expect(clockText(us - due).join(""), `${us}`).not.toBe(shown);
    if (due > 1) expect(clockText(us - due + 1).join(""), `${us}`).toBe(shown);
  }
});

test("a stopped clock and one at zero have no next digit", () => {
  expect(untilNextDigit(5e6, 0, "main")).toBe(Infinity);
  expect(untilNextDigit(0, -1, "main")).toBe(Infinity);
});

test("overtime counts up with a plus", () => expect(sideText(-42e6, "overtime")).toEqual(["+0:42", ""]));
test("a used time is rounded as it is shown", () => {
  expect(lengthText(8_449_999)).toBe("0:08.4");
  expect(lengthText(72_400_000)).toBe("1:12");
  expect(ageText(1_999_999)).toBe("0:01");
});
