import { expect, test } from "vitest";
import { add, begin, changed, commandsOf, longTime, next, press, shortTime, signed, type Key } from "./correct.js";

const was = { white: { time: 44, moves: 39 }, black: { time: 276, moves: 39 } };
const typed = (...keys: Key[]) => keys.reduce(press, begin(was, "white")).now.white.time;

test("digits fill from the right: 5 3 0 is five and a half minutes", () => {
  expect(typed("5", "3", "0")).toBe(330);
  expect(typed("1", "3", "00", "0")).toBe(4800 + 600);
  expect(typed("9", "9", "1", "2", "0", "4", "4")).toBe(longSeconds(1, 20, 44));
  expect(typed("5", "3", "0", "back")).toBe(53);
  expect(typed("back")).toBe(4);
});
function longSeconds(h: number, m: number, s: number): number {
  return h * 3600 + m * 60 + s;
}

test("only what differs is sent, in microseconds", () => {
  let work = add(begin(was, "white"), { side: "black", field: "time" }, 120);
  work = add(work, { side: "white", field: "moves" }, -1);
  expect(commandsOf(work).map((command) => [command.case, command.value])).toMatchObject([
    ["setMoves", { moves: 38 }],
    ["setTime", { toUs: 396_000_000n }],
  ]);
  expect(changed(work, { side: "black", field: "time" })).toBe(120);
  expect(commandsOf(begin(was, "white"))).toEqual([]);
});

test("nothing goes below nothing", () => {
  expect(add(begin(was, "white"), { side: "white", field: "time" }, -60).now.white.time).toBe(0);
});

test("the next field is the side's moves, then the other side", () => {
  const once = next(begin(was, "white"));
  expect([once.at, next(once).at, next(next(next(once))).at]).toEqual([
    { side: "white", field: "moves" },
    { side: "black", field: "time" },
    { side: "white", field: "time" },
  ]);
});

test("times are always h:mm:ss, and short without noughts", () => {
  expect([longTime(330), shortTime(330), shortTime(44), shortTime(3600), signed(-60, "time"), signed(30, "time"), signed(-1, "moves")]).toEqual(["0:05:30", "5:30", "0:44", "1:00:00", "−1:00", "+0:30", "−1"]);
});
