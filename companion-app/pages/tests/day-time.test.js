import assert from "node:assert/strict";
import { test, vi } from "vitest";
import { dayTime as inHall, hourMinute, setZone } from "$lib/words/day-time.js";

vi.stubGlobal("navigator", { languages: ["en-GB"] });
const dayTime = (at, now, zone) => (setZone(zone ?? ""), inHall(at, now, true));
const hourAndMinute = (at, zone) => (setZone(zone ?? ""), hourMinute(at));

const NOON = Date.UTC(2026, 10, 22, 12, 0, 0) * 1000;

test("a time of day is the hall's, whatever the reader's zone", () => {
  assert.deepEqual(
    ["Europe/Berlin", "Asia/Kolkata", "America/New_York"].map((zone) => hourAndMinute(NOON, zone)),
    ["13:00", "17:30", "07:00"],
  );
  assert.equal(dayTime(NOON + 500_000, NOON, "Europe/Berlin"), "13:00:00.5");
});

test("a time of another day in the hall has its date", () => {
  assert.equal(dayTime(NOON - 2 * 3600e6, NOON, "Pacific/Auckland"), "22 Nov, 23:00:00.0");
  assert.equal(dayTime(NOON - 2 * 3600e6, NOON, "Europe/Berlin"), "11:00:00.0");
});

test("an unknown zone falls back to the reader's", () => {
  assert.equal(hourAndMinute(NOON, "Mars/Olympus"), hourAndMinute(NOON, undefined));
});
