import { beforeEach, expect, test } from "vitest";
import { setLocale } from "$lib/words/catalogue.js";
import { dayTime, setAhead, setZone } from "./day-time.js";

setLocale("en");
const us = (...local: [number, number, number, number, number, number]): number => new Date(...local).getTime() * 1000;
const now = us(2026, 10, 22, 14, 31, 20);
const asRead = (text: string): string => text.replaceAll(/[\u202f\u00a0]/g, " ");
beforeEach(() => {
  setAhead(0);
  setZone("");
});

test("a time of day is the hub's, whatever the device's clock shows", () => {
  // The device's clock is years off, which must not matter.
  expect(dayTime(us(2026, 10, 22, 9, 5, 7), now)).toMatch(/^0?9:05:07/);
  expect(dayTime(us(2026, 10, 22, 9, 5, 7) + 300_000, now, true)).toMatch(/^0?9:05:07\.3/);
});

test("a hub whose clock was set since its first start reports the difference", () => {
  setAhead(3_600_000);
  expect(dayTime(us(2026, 10, 22, 9, 5, 7), now)).toMatch(/^10:05:07/);
});

test("another day shows its date", () => {
  expect(asRead(dayTime(us(2026, 10, 21, 23, 59, 59), now))).toMatch(/21.*11:59:59 PM|21.*23:59:59/);
  expect(dayTime(us(2026, 10, 22, 0, 0, 1), now)).not.toContain("22");
});

test("a time of day is in the hall's time zone", () => {
  const noon = Date.UTC(2026, 10, 22, 12, 0, 0) * 1000;
  const read = (name: string): string => {
    setZone(name);
    return asRead(dayTime(noon, noon));
  };
  expect(["Europe/Berlin", "Asia/Kolkata", "America/New_York"].map(read)).toEqual(["01:00:00 PM", "05:30:00 PM", "07:00:00 AM"]);
  // The day also changes at the hall's midnight: in Auckland it is already the next day.
  setZone("Pacific/Auckland");
  expect(asRead(dayTime(noon - 2 * 3600e6, noon))).toMatch(/22/);
  setZone("Europe/Berlin");
  expect(asRead(dayTime(noon - 2 * 3600e6, noon))).not.toMatch(/22/);
});

test("an unknown time zone falls back to the device's", () => {
  const noon = Date.UTC(2026, 10, 22, 12, 0, 0) * 1000;
  const own = dayTime(noon, noon);
  setZone("Mars/Olympus");
  expect(dayTime(noon, noon)).toBe(own);
});
