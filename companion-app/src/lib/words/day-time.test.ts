import { afterEach, expect, test } from "vitest";
import { overwriteGetLocale } from "$gen/words/runtime.js";
import { dayTime, setAhead } from "./day-time.js";

overwriteGetLocale(() => "en");
const us = (...local: [number, number, number, number, number, number]): number => new Date(...local).getTime() * 1000;
const now = us(2026, 10, 22, 14, 31, 20);
const asRead = (text: string): string => text.replaceAll(/[\u202f\u00a0]/g, " ");
afterEach(() => setAhead(0));

test("a time of day is the hub's, whatever the device's clock shows", () => {
  // The device is years away from the hub's present.
  expect(dayTime(us(2026, 10, 22, 9, 5, 7), now)).toMatch(/^0?9:05:07/);
  expect(dayTime(us(2026, 10, 22, 9, 5, 7) + 300_000, now, true)).toMatch(/^0?9:05:07\.3/);
});

test("a hub whose clock was set since its first start says by how much", () => {
  setAhead(3_600_000);
  expect(dayTime(us(2026, 10, 22, 9, 5, 7), now)).toMatch(/^10:05:07/);
});

test("another day's has its date", () => {
  expect(asRead(dayTime(us(2026, 10, 21, 23, 59, 59), now))).toMatch(/21.*11:59:59 PM|21.*23:59:59/);
  expect(dayTime(us(2026, 10, 22, 0, 0, 1), now)).not.toContain("22");
});
