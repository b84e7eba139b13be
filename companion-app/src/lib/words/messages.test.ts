import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { m } from "$gen/words/messages.js";
import { locales, setLocale } from "$lib/words/catalogue.js";
import { directionOf } from "./languages.js";

type Messages = Record<string, unknown>;
const read = (locale: string): Messages => JSON.parse(readFileSync(new URL(`../../../messages/${locale}.json`, import.meta.url), "utf8")) as Messages;
const english = Object.keys(read("en"));

test("every language has the same messages", () => {
  for (const locale of locales) expect(Object.keys(read(locale)).sort(), locale).toEqual([...english].sort());
});

test("every language names the same slots", () => {
  const slots = (message: unknown): string[] => [...new Set(JSON.stringify(message).match(/\{\w+\}/g) ?? [])].sort();
  const base = read("en");
  for (const locale of locales) {
    const own = read(locale);
    for (const key of english) expect(slots(own[key]), `${locale} ${key}`).toEqual(slots(base[key]));
  }
});

test("short words fit their chip", () => {
  for (const locale of locales) {
    setLocale(locale);
    for (const word of [m.state_unconfirmed(), m.state_no_signal(), m.state_wanted(), m.state_missing(), m.state_called(), m.short_time({ limit: "0:10" })]) {
      expect(word.length, `${locale}: ${word}`).toBeLessThanOrEqual(16);
    }
  }
});

test("one board and two boards differ", () => {
  setLocale("en");
  expect(m.boards_n({ n: 1 })).toBe("1 board");
  expect(m.boards_n({ n: 2 })).toBe("2 boards");
});

test("the languages are written from left to right, others may not be", () => {
  for (const locale of locales) expect(directionOf(locale)).toBe("ltr");
  expect(["ar", "he", "fa-IR", "de-AT"].map(directionOf)).toEqual(["rtl", "rtl", "rtl", "ltr"]);
});
