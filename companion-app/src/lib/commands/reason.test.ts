import { expect, test } from "vitest";
import { setLocale } from "$lib/words/catalogue.js";
import { joined, reasonFault, splitReason } from "./reason.js";

test("a typed reason is limited in bytes, as at the hub", () => {
  setLocale("en");
  expect(reasonFault("é".repeat(150))).toBe("");
  expect(reasonFault("é".repeat(151))).toBe("The reason is too long: 302 bytes, at most 300.");
});

test("hidden characters are refused as at the hub; joiners only where they join nothing", () => {
  for (const [reason, name] of [
    ["a\u202eb", "U+202E"],
    ["a\nb", "U+000A"],
    ["\u{e0041}", "U+E0041"],
    ["a\u200db", "U+200D"],
    ["نمی\u200c", "U+200C"],
  ] as const) {
    expect(reasonFault(reason), name).toContain(name);
  }
  expect(reasonFault("نمی\u200cخواهم")).toBe("");
  expect(reasonFault("Wrong side, see protest №3 – 👍")).toBe("");
});

test("chosen and typed words join into one reason, and can be separated again", () => {
  const known = ["Irregularity, FIDE 7.1", "Penalty, FIDE 12.9"];
  const both = joined("Irregularity, FIDE 7.1", "  king and queen swapped ");
  expect(both).toBe("Irregularity, FIDE 7.1: king and queen swapped");
  expect(splitReason(both, known)).toEqual({ chosen: "Irregularity, FIDE 7.1", own: "king and queen swapped" });
  for (const reason of ["", "own words: only", "Penalty, FIDE 12.9"]) {
    const { chosen, own } = splitReason(reason, known);
    expect(joined(chosen, own)).toBe(reason);
  }
});
