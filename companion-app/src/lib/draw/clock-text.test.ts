import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ageText, clockText, lengthText, sideText, untilNextDigit, widthOf } from "./clock-text.js";

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
test("the width class changes with the digits", () => {
  for (const [us, allotment, text, width] of [
    [3_599_000_000, "main", "59:59", ""],
    [3_599_000_001, "main", "1:00:00", "hours"],
    [359_999_000_000, "main", "99:59:59", "hours"],
    [359_999_000_001, "main", "100:00:00", "days"],
    [-3_600_000_000, "overtime", "+1:00:00", "hours"],
    [-3_600_000_000, "main", "0:00", ""],
  ] as const) {
    expect([sideText(us, allotment)[0], widthOf(us, allotment)], `${us} ${allotment}`).toEqual([text, width]);
  }
});
test("a used time is rounded as it is shown", () => {
  expect(lengthText(8_449_999)).toBe("0:08.4");
  expect(lengthText(72_400_000)).toBe("1:12");
  expect(ageText(1_999_999)).toBe("0:01");
});
