import { describe, expect, test } from "vitest";
import { PRESETS } from "$gen/presets.js";
import { isFree, isSetUp, kindOf, newBoards, newEvent, nextNumber, presetGroups, presetOf, reportCode } from "./setup.js";

describe("boards", () => {
  test("new boards follow the highest number, whatever other names there are", () => {
    expect(nextNumber([])).toBe(1);
    expect(nextNumber(["1", "20", "A3", "7"])).toBe(21);
    expect(newBoards(21, 3)).toEqual(["21", "22", "23"]);
  });

  test.each([
    [0, 5],
    [1, 0],
    [1, 501],
    [1.5, 2],
    [65_500, 100],
  ])("numbers that make no boards make none: first %d, count %d", (first, count) => {
    expect(newBoards(first, count)).toEqual([]);
  });

  test("a board is free until a game is started or seated there", () => {
    expect(isFree({ phase: "ready", round: 0 })).toBe(true);
    expect(isFree({ phase: "ready", round: 2 })).toBe(false);
    expect(isFree({ phase: "running", round: 0 })).toBe(false);
    expect(isFree({ phase: "over", round: 0 })).toBe(false);
  });

  test("a hall needs an event, boards, and a clock for each", () => {
    expect(isSetUp({ event: true, boards: 20, clocks: 20 })).toBe(true);
    expect(isSetUp({ event: true, boards: 20, clocks: 3 })).toBe(false);
    expect(isSetUp({ event: false, boards: 20, clocks: 20 })).toBe(false);
    expect(isSetUp({ event: true, boards: 0, clocks: 0 })).toBe(false);
  });
});

describe("time controls", () => {
  test("the presets are those of the command line, FIDE's first", () => {
    expect(presetGroups()[0]?.[0]).toBe("FIDE standard");
    expect(PRESETS.find(({ name }) => name === "fide-90-30")?.notation).toBe("90m+30s runs on");
    expect(PRESETS.find(({ name }) => name === "fide-armageddon")?.drawOdds).toBe("black");
  });

  test.each([
    ["90m+30s runs on", "5400+30"],
    ["40/90m+30s : 30m+30s runs on", "40/5400+30:1800+30"],
    ["40/2h : 20/1h runs on", "40/7200:20/3600"],
    ["3m", "180"],
    ["3m delay 2s", null],
    ["1m byo 3x10s", null],
    ["1m500ms", null],
  ])("%s is %s in a report", (notation, code) => {
    expect(reportCode(notation)).toBe(code);
  });
});

describe("a new event", () => {
  const typed = { name: " Harbour Open ", rounds: 7, teamBoards: 4, control: "90m+30s runs on" };

  test.each(["swiss", "round_robin", "teams", "none"] as const)("of the kind %s is one again when it comes back", (kind) => {
    expect(kindOf(newEvent({ ...typed, kind }))).toBe(kind);
  });

  test("has the typed values, and its control is found among the presets", () => {
    const event = newEvent({ ...typed, kind: "teams" });
    expect([event.name, event.rounds, event.teamBoards, event.roundRobinCycles, event.timeControlCode]).toEqual(["Harbour Open", 7, 4, 0, "5400+30"]);
    expect(presetOf(event)?.name).toBe("fide-90-30");
    expect(presetOf(newEvent({ ...typed, kind: "swiss", control: "77m delay 3s" }))).toBeUndefined();
    expect(presetOf(undefined)).toBeUndefined();
  });
});
