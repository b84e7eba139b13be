import { expect, test } from "vitest";
import { resume } from "$lib/commands/command.js";
import { add, begin, changed, commandsOf, follow, longTime, next, onlyTimePassed, press, shortTime, signed, typedIn, withTyped, type Key } from "./correct.js";

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

test("only differences are sent, in microseconds", () => {
  let work = add(begin(was, "white"), { side: "black", field: "time" }, 120);
  work = add(work, { side: "white", field: "moves" }, -1);
  expect(commandsOf(work).map((command) => [command.case, command.value])).toMatchObject([
    ["setMoves", { moves: 38 }],
    ["setTime", { toUs: 396_000_000n }],
  ]);
  expect(changed(work, { side: "black", field: "time" })).toBe(120);
  expect(commandsOf(begin(was, "white"))).toEqual([]);
});

test("values never become negative", () => {
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

test("times are h:mm:ss, and short ones have no leading zeros", () => {
  expect([longTime(330), shortTime(330), shortTime(44), shortTime(3600), signed(-60, "time"), signed(30, "time"), signed(-1, "moves")]).toEqual([
    "0:05:30",
    "5:30",
    "0:44",
    "1:00:00",
    "−1:00",
    "+0:30",
    "−1",
  ]);
});

test("when the board changes, typed values stay and others follow", () => {
  const typed = press(press(press(begin(was, "white"), "5"), "3"), "0");
  const now = follow(typed, { white: { time: 164, moves: 39 }, black: { time: 276, moves: 40 } });
  expect([now.was.white.time, now.now, now.typed]).toEqual([164, { white: { time: 330, moves: 39 }, black: { time: 276, moves: 40 } }, "530"]);
  // The digits typed so far may happen to equal the previous value.
  expect(follow(press(press(begin(was, "white"), "4"), "4"), { ...was, white: { time: 164, moves: 39 } }).now.white.time).toBe(44);
});

test("only the running clock's lost time is no change", () => {
  const at = (white: number, black: number, moves = 39) => ({ white: { time: white, moves }, black: { time: black, moves: 39 } });
  const passed = (now: typeof was, ran: "white" | null) => onlyTimePassed(was, now, ran);
  expect([passed(at(41, 276), "white"), passed(at(45, 276), "white"), passed(was, null)]).toEqual([true, true, true]);
  expect([passed(at(164, 276), "white"), passed(at(44, 275), "white"), passed(at(44, 276, 40), "white"), passed(at(43, 276), null)]).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test("a refused correction can be applied to the present clocks", () => {
  let work = add(begin(was, "white"), { side: "black", field: "time" }, 120);
  work = add(work, { side: "white", field: "moves" }, -1);
  const typed = typedIn([...commandsOf(work), resume("white")]);
  expect(typed).toEqual({ time: { black: 396 }, moves: { white: 38 } });
  const again = withTyped(begin({ ...was, black: { time: 300, moves: 41 } }, "white"), typed);
  expect([changed(again, { side: "black", field: "time" }), again.now.black.moves, again.now.white]).toEqual([96, 41, { time: 44, moves: 38 }]);
});
