import { describe, expect, test } from "vitest";
import { board, note, side } from "$lib/testing.js";
import { callOfState, cardKey, grouped, isQuiet, queue, seenKey, statesOf, urgency, type StateKey } from "./states.js";
import { callOf } from "./alarm.js";

const NOW = 100e6;
const keys = (one: Parameters<typeof statesOf>[0], refused = false): StateKey[] => statesOf(one, { nowUs: NOW, refused }).map((state) => state.key);

describe("the states of a board", () => {
  test("a healthy board has none", () => expect(keys(board())).toEqual([]));
  test("a flag comes before everything else", () => {
    const one = board({ phase: "flagged", running: null, online: false, white: side({ flag: "fallen" }), notes: [note("low_battery", { text: "8 %" })] });
    expect(keys(one)).toEqual(["flag", "silent", "battery"]);
  });
  test("of two flags the first to fall comes first", () => {
    const both = { white: side({ flag: "fallen" as const }), black: side({ flag: "fallen" as const }), phase: "flagged" as const };
    expect(statesOf(board({ ...both, firstFlag: "black" }), { nowUs: NOW, refused: false })[0]?.side).toBe("black");
  });
  test("a short silence is no state", () => {
    expect(keys(board({ online: false, silentSinceUs: NOW - 4e6 }))).toEqual([]);
    expect(keys(board({ online: false, silentSinceUs: NOW - 6e6 }))).toEqual(["silent"]);
  });
  test("with a clock on each side, the silent one is named", () => {
    const one = board({ online: false, clocks: { white: true, black: false } });
    expect(statesOf(one, { nowUs: NOW, refused: false })).toEqual([{ key: "silent", side: "black" }]);
  });
  test("a board with a result needs no arbiter", () => expect(keys(board({ phase: "over", online: false, result: "1-0" }))).toEqual([]));
  test("a board without a clock is not silent", () => {
    expect(keys(board({ phase: "ready", online: false, agent: "" }))).toEqual(["unserved"]);
    expect(keys(board({ online: false, agent: "" }))).toEqual(["unserved"]);
    expect(keys(board({ phase: "over", online: false, agent: "" }))).toEqual([]);
  });
  test("a clock on each side counts as having a clock", () => {
    expect(keys(board({ agent: "", online: false, clocks: { white: true, black: false } }))).toEqual(["silent"]);
  });
  test("a claim that waits for a decision comes before the pause that it brought", () => {
    const claimed = board({ phase: "paused", running: null, sinceUs: 50e6, claim: { kind: "fifty-moves", side: "black" } });
    const [first, second] = statesOf(claimed, { nowUs: NOW, refused: false });
    expect(first).toEqual({ key: "law", side: "black", claim: "fifty-moves", sinceUs: 50e6 });
    expect(second?.key).toBe("paused");
    expect(keys(board({ phase: "over", result: "1-0", claim: { kind: "fifty-moves", side: "black" } }))).toEqual([]);
  });
  test("stopped clocks ask for a result; only a call is a call", () => {
    const stopped = board({ phase: "stopped", running: null, sinceUs: 50e6 });
    expect(statesOf(stopped, { nowUs: NOW, refused: false })).toEqual([{ key: "result", sinceUs: 50e6 }]);
    expect(statesOf({ ...stopped, arbiterCalledUs: 60e6 }, { nowUs: NOW, refused: false })).toEqual([{ key: "wanted", sinceUs: 60e6 }]);
    expect(keys({ ...stopped, notes: [note("stopped")] })).toEqual(["missing"]);
  });
});

describe("the queue of calls", () => {
  const flag = (name: string, sinceUs: number) => board({ board: name, phase: "flagged", sinceUs, white: side({ flag: "fallen" }) });
  const wanted = board({ board: "8", phase: "stopped", sinceUs: 50e6, arbiterCalledUs: 50e6 });
  const none: ReadonlySet<string> = new Set();

  test("flags come first, the oldest before newer ones", () => {
    const found = queue([wanted, flag("17", 90e6), board({ board: "2" }), flag("14", 80e6)], NOW, none, none);
    expect(found.map((one) => one.board.board)).toEqual(["14", "17", "8"]);
  });
  test("an acknowledged flag comes after others", () => {
    const seen = new Set([seenKey(flag("14", 80e6), { key: "flag", side: "white", sinceUs: 80e6 })]);
    const found = queue([flag("14", 80e6), flag("17", 90e6)], NOW, none, seen);
    expect(found.map((one) => [one.board.board, one.seen])).toEqual([
      ["17", false],
      ["14", true],
    ]);
  });
  test("the next flag on the same board is a new one", () => {
    const seen = new Set([seenKey(flag("14", 80e6), { key: "flag", side: "white", sinceUs: 80e6 })]);
    expect(queue([flag("14", 95e6)], NOW, none, seen)[0]?.seen).toBe(false);
  });
  test("a paused board is a card until it resumes, with who paused it and when", () => {
    const paused = board({ phase: "paused", sinceUs: 60e6, pausedBy: "Anna" });
    expect(queue([paused], NOW, none, none)).toMatchObject([{ state: { key: "paused", by: "Anna", sinceUs: 60e6 } }]);
    expect(queue([board()], NOW, none, none)).toEqual([]);
    // A low battery does not take precedence over the pause.
    const low = { ...paused, notes: [note("low_battery")] };
    expect(queue([low], NOW, none, none)[0]?.state.key).toBe("paused");
    // Three paused boards share a card.
    const many = ["1", "2", "3"].map((name) => ({ ...paused, board: name }));
    expect(grouped(queue(many, NOW, none, none)).map(cardKey)).toEqual(["*paused"]);
  });
  test("a ready board and a short silence raise no call", () => {
    const calm = [board({ phase: "ready" }), board({ online: false, silentSinceUs: NOW - 10e6 })];
    expect(queue(calm, NOW, none, none)).toEqual([]);
  });
  test("twenty silent clocks are one card at the place of the first; two are two cards", () => {
    const silent = (name: number) => board({ board: String(name), online: false, silentSinceUs: NOW - 30e6 });
    const many = Array.from({ length: 20 }, (_, at) => silent(at + 20));
    const cards = grouped(queue([...many, wanted, flag("17", 90e6)], NOW, none, none));
    expect(cards.map(cardKey)).toEqual(["17", "8", "*silent"]);
    expect(cards[2]).toMatchObject({ key: "silent", seen: false, boards: { length: 20 } });
    expect(grouped(queue(many.slice(0, 2), NOW, none, none)).map(cardKey)).toEqual(["20", "21"]);
    const seen = new Set(many.map((one) => seenKey(one, { key: "silent", sinceUs: NOW - 30e6 })));
    expect(grouped(queue(many, NOW, none, seen))).toMatchObject([{ seen: true }]);
    expect(grouped(queue([...many, silent(99)], NOW, none, seen))).toMatchObject([{ seen: false }]);
  });
  test("games that end together share a card at the end", () => {
    const ended = Array.from({ length: 5 }, (_, at) => board({ board: String(at + 1), phase: "stopped", sinceUs: 10e6 }));
    expect(grouped(queue([...ended, wanted], NOW, none, none)).map(cardKey)).toEqual(["8", "*result"]);
  });
  test("a refused command calls the arbiter who sent it", () => {
    expect(queue([board({ board: "26" })], NOW, new Set(["26"]), none)[0]?.state.key).toBe("refused");
  });
});

test("urgency sorts trouble first and finished games last", () => {
  const order = [board({ phase: "over" }), board(), board({ phase: "paused" }), board({ white: side({ flag: "expected" }) })].map((one) =>
    urgency(one, NOW, false),
  );
  expect(order).toEqual([...order].sort((a, b) => b - a));
});

test("only news raises a call", () => {
  const before = board();
  const fallen = board({ phase: "flagged", white: side({ flag: "fallen" }) });
  expect(callOf(fallen, before)).toBe("flag");
  expect(callOf(fallen, fallen)).toBeNull();
  const stopped = board({ phase: "stopped" });
  expect(callOf(stopped, before)).toBeNull();
  expect(callOf({ ...stopped, arbiterCalledUs: 5 }, stopped)).toBe("wanted");
  expect(callOf(board({ white: side({ moves: 3 }) }), before)).toBeNull();
});

test("doubts about a clock are one state, quieter than an expected flag, which begins again with another note", () => {
  const two = [note("rebase", { count: 3, sinceUs: 5e6 }), note("broken_promise", { count: 1, sinceUs: 9e6 })];
  const one = board({ white: side({ flag: "expected" }), notes: [...two, note("low_battery")] });
  expect(statesOf(one, { nowUs: NOW, refused: false }).map((state) => state.key)).toEqual(["expected", "doubt", "battery"]);
  const state = statesOf(board({ notes: two }), { nowUs: NOW, refused: false });
  expect(state).toEqual([{ key: "doubt", sinceUs: 9e6 }]);
  expect(isQuiet(board({ notes: two }))).toBe(false);
  expect(callOfState("doubt")).toBe("note");
});
