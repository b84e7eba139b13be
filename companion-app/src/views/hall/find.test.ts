import { expect, test } from "vitest";
import { board, side } from "$lib/testing.js";
import { plain } from "$lib/words/plain.js";
import { NO_SECTOR, STATE_FILTERS, boardsOf, inPlace, isNamed, matches, roundsOf, sorted, type StateFilter } from "./find.js";
import { ahead, layout, towards, visibleRows } from "./grid.js";
import { ages, planOf, rows } from "./floor.js";

const hall = [
  board({ board: "2", white: side({ name: "Þorsteinsdóttir, Sigurbjörg" }), black: side({ name: "Kowalczyk-Wiśniewska, Agnieszka" }) }),
  board({ board: "13", white: side({ name: "Yıldız, Zoë", flag: "fallen" }), phase: "flagged" }),
  board({ board: "26", phase: "over" }),
];
const none: ReadonlySet<string> = new Set();

test("a sector of one board is that board", () => {
  expect([boardsOf({ name: "A", from: 1, to: 1 }), boardsOf({ name: "B", from: 5, to: 6 })]).toEqual(["1", "5–6"]);
});

test("a name is found without accents, a board by number or range", () => {
  const found = (text: string) => hall.filter((one) => isNamed(one, text)).map((one) => one.board);
  expect(found("thorstein")).toEqual(["2"]);
  expect(found("wisniew")).toEqual(["2"]);
  expect(found("YILDIZ")).toEqual(["13"]);
  expect(found("2")).toEqual(["2", "26"]);
  expect(found("13-26")).toEqual(["13", "26"]);
  expect(found("  ")).toHaveLength(3);
  for (const text of ["kowalczyk agnieszka", "Agnieszka Kowalczyk", "wisniewska, a.", "KOWALCZYK A", "thorsteins wisniew"])
    expect(found(text), text).toEqual(["2"]);
  for (const text of ["kowalczyk zoe", "wisniewska b.", "agnieszka x"]) expect(found(text), text).toEqual([]);
  expect(found("zoe yildiz")).toEqual(["13"]);
  expect(plain("Østergård")).toBe("ostergard");
});

test("filters are combined", () => {
  const filter = { sector: { name: "B", from: 13, to: 26 }, round: 0, state: "flag" as const, only: [], text: "" };
  expect(hall.filter((one) => matches(one, filter, 0, none)).map((one) => one.board)).toEqual(["13"]);
  expect(hall.filter((one) => matches(one, { ...filter, state: "over" }, 0, none)).map((one) => one.board)).toEqual(["26"]);
  expect(hall.filter((one) => matches(one, { sector: NO_SECTOR, round: 0, state: "any", only: [], text: "" }, 0, none))).toHaveLength(3);
});

test("every state of a board is a filter", () => {
  const boards = [board({ board: "1", black: side({ flag: "called" }), phase: "flagged" }), board({ board: "2" }), board({ board: "3" })];
  const found = (state: StateFilter, refused: ReadonlySet<string> = none) =>
    boards.filter((one) => matches(one, { sector: NO_SECTOR, round: 0, state, only: [], text: "" }, 0, refused)).map((one) => one.board);
  expect(found("called")).toEqual(["1"]);
  expect(found("refused", new Set(["3"]))).toEqual(["3"]);
  expect([...STATE_FILTERS].sort()).toEqual([
    "any",
    "battery",
    "called",
    "doubt",
    "expected",
    "flag",
    "law",
    "missing",
    "note",
    "over",
    "paused",
    "pending",
    "ready",
    "refused",
    "result",
    "running",
    "short",
    "silent",
    "unserved",
    "wanted",
  ]);
});

test("two rounds in the hall are found separately", () => {
  const boards = [board({ board: "1", round: 3 }), board({ board: "2", round: 4 }), board({ board: "3" })];
  expect(roundsOf(boards)).toEqual([3, 4]);
  const found = (round: number) =>
    boards.filter((one) => matches(one, { sector: NO_SECTOR, round, state: "any", only: [], text: "" }, 0, none)).map((one) => one.board);
  expect(found(4)).toEqual(["2"]);
  expect(found(0)).toEqual(["1", "2", "3"]);
});

test("on the floor plan only a silent clock ages", () => {
  expect([board(), board({ online: false }), board({ online: false, phase: "over" })].map(ages)).toEqual([false, true, false]);
});

test("by urgency flags come first and finished boards last; by board the order is fixed", () => {
  expect(sorted(hall, "urgency", 0, none)).toEqual(["13", "2", "26"]);
  expect(sorted(hall, "board", 0, none)).toEqual(["2", "13", "26"]);
  expect(sorted([board({ board: "1", white: side({ us: 9e6 }) }), board({ board: "2", white: side({ us: 3e6 }) })], "time", 0, none)).toEqual(["2", "1"]);
});

test("between two sorts boards keep their places, and new ones come last", () => {
  const before = ["26", "13", "2"];
  expect(inPlace(before, hall)).toBe(before);
  expect(inPlace(before, hall.slice(0, 2))).toEqual(["13", "2"]);
  expect(inPlace(["26", "2"], hall)).toEqual(["26", "2", "13"]);
  expect(inPlace(["13", "40"], hall.slice(0, 2))).toEqual(["13", "2"]);
});

test("few boards get larger tiles, a thousand small ones, a phone two columns", () => {
  expect(layout(12, 1248, 600)).toMatchObject({ columns: 4, tile: 134 });
  expect(layout(1000, 1248, 600)).toMatchObject({ columns: 6, tile: 94 });
  expect(layout(40, 374, 500).columns).toBe(2);
});

test("arrow keys move in their direction, also in right-to-left languages", () => {
  expect([ahead("ArrowRight", false), ahead("ArrowLeft", false), ahead("ArrowRight", true), ahead("ArrowLeft", true)]).toEqual([1, -1, -1, 1]);
});

test("only visible rows exist, and some to spare", () => {
  expect(visibleRows(0, 600, 100, 167, 2, 2)).toEqual({ first: 0, last: 8 });
  expect(visibleRows(5000, 600, 100, 167, 0, 2)).toEqual({ first: 50, last: 58 });
  expect(visibleRows(99_999, 600, 100, 167, 2, 0)).toEqual({ first: 167, last: 167 });
});

test("boards stand in rows by sector, and none is missing", () => {
  const plan = rows(["1", "2", "3", "40"], [{ name: "A", from: 1, to: 3 }], 300);
  expect(plan.spots.map((spot) => [spot.board, spot.x, spot.y])).toEqual([
    ["1", 24, 48],
    ["2", 104, 48],
    ["3", 184, 48],
    ["40", 24, 136],
  ]);
  expect(plan.labels).toEqual([{ text: "A", x: 24, y: 24 }]);
});

test("placed boards keep their place on every tablet, others stand in rows below", () => {
  const places = new Map([
    ["1", { x: 40, y: 10 }],
    ["3", { x: 3, y: 5 }],
    ["gone", { x: 0, y: 60 }],
  ]);
  for (const width of [300, 1200]) {
    const plan = planOf(["1", "2", "3", "40"], [{ name: "A", from: 1, to: 3 }], width, places);
    expect(plan.spots.slice(0, 2)).toEqual([
      { board: "1", x: 320, y: 80 },
      { board: "3", x: 24, y: 40 },
    ]);
    expect(plan.labels).toEqual([
      { text: "A", x: 24, y: 16 },
      { text: "A", x: 24, y: 568 },
    ]);
    expect(plan.spots.slice(2)).toEqual([
      { board: "2", x: 24, y: 592 },
      { board: "40", x: 24, y: 680 },
    ]);
  }
});

test("tiles are created a few at a time, but visible ones immediately", () => {
  const visible = { from: 12, to: 48 };
  const wanted = { from: 0, to: 60 };
  expect(towards({ from: 0, to: 0 }, wanted, visible, 3)).toEqual({ from: 9, to: 51 });
  expect(towards({ from: 9, to: 51 }, wanted, visible, 3)).toEqual({ from: 6, to: 54 });
  expect(towards({ from: 0, to: 60 }, { from: 6, to: 66 }, { from: 18, to: 54 }, 3)).toEqual({ from: 3, to: 63 });
  // After a jump to the other end, the tiles in between are not created.
  expect(towards({ from: 0, to: 60 }, { from: 900, to: 960 }, { from: 912, to: 948 }, 3)).toEqual({ from: 909, to: 951 });
});

test("the boards of a notification are the only ones shown", () => {
  const boards = ["1", "2", "3", "12"].map((name) => board({ board: name }));
  const found = boards.filter((one) => matches(one, { sector: NO_SECTOR, round: 0, state: "any", only: ["2", "12"], text: "" }, 0, none));
  expect(found.map((one) => one.board)).toEqual(["2", "12"]);
});
