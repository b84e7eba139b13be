// The hall in the screenshots: forty boards of an open in round 5, three time controls in three sectors, and examples of the calls for an
// arbiter. Clocks and games are real; commands replace hours of play.
//
// Owns the staged hall.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page, Route } from "playwright-core";
import { cup } from "./cup.js";
import { Rig, each, until, type Alone } from "./hall/rig.js";

const SECTORS = [
  { name: "A", from: 1, to: 24, control: "90m+30s" },
  { name: "B", from: 25, to: 34, control: "15m+10s" },
  { name: "C", from: 35, to: 40, control: "3m+2s" },
];
/** The times of White and Black, and the number of moves of each side, for boards whose screenshots need them. */
const GAMES: Record<string, [white: string, black: string, moves: number]> = {
  "1": ["17m5s", "23m41s", 0],
  "2": ["1h4m12s", "58m40s", 12],
  "4": ["31m18s", "29m2s", 33],
  "5": ["1h11m9s", "1h2m40s", 11],
  "8": ["18m51s", "9m31s", 36],
  "9": ["1s", "3m12s", 38],
  "11": ["35m52s", "40m41s", 30],
  "14": ["2m31s", "1s", 37],
  "17": ["1s", "4m36s", 39],
  "19": ["38m50s", "36m14s", 30],
  "21": ["1h30m", "1h30m", 0],
  "22": ["28m16s", "24m9s", 32],
  "29": ["5m14s", "20s", 38],
};
const FINISHED: readonly (readonly [string, string])[] = [
  ["3", "1-0"],
  ["13", "1/2-1/2"],
  ["24", "0-1"],
  ["27", "1-0"],
  ["32", "1/2-1/2"],
  ["36", "0-1"],
];
/** Boards that start with Black to move. */
const BLACK = ["2", "5", "10", "14", "16", "20", "22", "25", "29", "30"];
const QUICK = ["35", "37", "38", "39", "40"];

/** Returns the script of a long game for the chart: most moves are quick and some are slow. */
function game(moves: number): string {
  const lines = ["from game"];
  let at = 0;
  for (let ply = 0; ply < moves * 2; ply += 1) {
    at += 0.25 + ((ply * 37) % 23) / 40 + (THINKS[ply] ?? 0);
    lines.push(`at ${at.toFixed(2)} press ${ply % 2 === 0 ? "left" : "right"}`);
  }
  return lines.join("\n");
}

/** Additional time used on each slow ply, in seconds. */
const THINKS: Record<number, number> = { 11: 2, 16: 4.5, 22: 3, 25: 6.5, 30: 2.5, 41: 11, 46: 5, 53: 3.5, 58: 2 };

const still: Alone = {};
const ALONE: Record<string, Alone> = {
  "1": { script: game(34) },
  // The player stops both clocks and then calls the arbiter (FIDE 6.11.2).
  "8": { script: "at 2 stop\nat 5 stop" },
  // A finished game: both clocks are stopped, and the result is missing.
  "12": { script: "at 2 stop" },
  "9": still,
  "11": { battery: 8 },
  "14": still,
  "17": still,
  "19": still,
  "22": still,
  "29": still,
};

export interface Stage {
  rig: Rig;
  page: Page;
}

export async function stage(): Promise<Stage> {
  const names = Array.from({ length: 40 }, (_, at) => String(at + 1));
  const controlOf = (board: string): string => SECTORS.find(({ from, to }) => Number(board) >= from && Number(board) <= to)?.control ?? "";
  const serve = ["--default-time", "30m", "--note-not-started", "15s", "--note-other-control", "off"];
  const rig = await Rig.start({
    boards: Object.fromEntries(names.map((board) => [board, controlOf(board)])),
    pace: "classical",
    quick: QUICK,
    alone: ALONE,
    spares: 2,
    serve,
    event: "The evening before",
  });
  try {
    await prepare(rig, names);
    await begin(rig, names);
    const page = await rig.page({ hasTouch: true });
    await raiseCalls(rig, page);
    return { rig, page };
  } catch (error) {
    await rig.stop();
    throw error;
  }
}

/** Opens the event, sets the times and move counts of every board except those of `QUICK`, and starts board 1. */
async function prepare(rig: Rig, names: string[]): Promise<void> {
  const file = join(rig.dir, "cup.trf");
  writeFileSync(file, cup({ name: "Harbour Cup 2026", control: "5400+30", rounds: 9, played: 4 }));
  await rig.event("open", file);
  await rig.event(
    "set",
    ...SECTORS.flatMap(({ name, from, to }) => ["--sector", `${name}=${from}-${to}`]),
    ...SECTORS.slice(1).flatMap(({ name, control }) => ["--sector-control", `${name}=${control}`]),
  );
  await rig.event("preset", "5");
  await until("every clock is set", async () =>
    (await rig.boards()).every((board) => board.white.name !== "" && !board.white.name.startsWith("Okonkwo, Board")),
  );
  await each(
    names.filter((board) => !QUICK.includes(board)),
    async (board) => {
      const at = Number(board);
      const scale = at > 24 ? 6 : 1;
      const [white, black, moves] = GAMES[board] ?? [
        `${Math.floor((20 + ((at * 37) % 61)) / scale)}m${(at * 7) % 59}s`,
        `${Math.floor((18 + ((at * 29) % 67)) / scale)}m${(at * 11) % 59}s`,
        9 + ((at * 5) % 12),
      ];
      await rig.ctl("set", board, "white", white);
      await rig.ctl("set", board, "black", black);
      if (moves > 0) for (const side of ["white", "black"]) await rig.ctl("moves", board, side, String(moves));
      // Starts this game before all others, because it takes the longest.
      if (board === "1") await rig.ctl("start", board);
    },
  );
}

/** Starts every board except 1, which runs already, and 21. Enters the results of the finished games. */
async function begin(rig: Rig, names: string[]): Promise<void> {
  await rig.ctl("start", BLACK.join(), "--side", "black");
  await rig.ctl("start", names.filter((board) => !BLACK.includes(board) && !["1", "21"].includes(board)).join());
  await each([...FINISHED], ([board, result]) => rig.event("result", board, result));
}

async function raiseCalls(rig: Rig, page: Page): Promise<void> {
  for (const board of ["29", "19", "22"]) await rig.stopAlone(board);
  await rig.ctl("pause", "4", "--reason", "Claim of threefold repetition, FIDE 9.2");
  await rig.ctl("add-time", "1", "black", "2m", "--offence", "illegal-move", "--reason", "Illegal move by White, FIDE 7.5.5");
  await until("flags are down", async () =>
    (await Promise.all(["9", "14", "17"].map((board) => rig.board(board)))).every((board) => board.state === "flagged"),
  );
  await rig.ctl("flag", "9", "white");
  await until("a clock is silent", async () => !(await rig.board("19")).online);
  await rig.ctl("pause", "19").catch(() => undefined);
  await refuse(rig, page);
  await goTo14(rig);
  await until("a flag is expected", async () => (await rig.board("29")).black.flag === "expected", 60_000);
  await until("a game of some length", async () => (await rig.board("1")).black.moves >= 34, 90_000);
}

/** Sends a correction for a board that resumes play before the hub receives it, so that the hub refuses it. */
async function refuse(rig: Rig, page: Page): Promise<void> {
  await rig.ctl("pause", "26");
  await page.goto(`${rig.url}#/board/26`);
  await page.locator(".acts .btn", { hasText: "Resume" }).waitFor();
  await page.locator(".acts .btn", { hasText: "Correct" }).click();
  await page.keyboard.type("530");
  const overtaken = async (route: Route): Promise<void> => {
    await rig.ctl("resume", "26");
    await route.continue();
  };
  await page.route("**/flagfall.api.v1.Arbiter/Send", overtaken, { times: 1 });
  await page.locator("dialog footer .btn").first().click();
  await page.locator(".slip.refused").waitFor();
}

/** Lets a second arbiter tap “On my way” for the flag on board 14. */
async function goTo14(rig: Rig): Promise<void> {
  const other = await rig.page({}, "floor", "Keller, Maria");
  const card = other.locator(".now .urg.flag", { hasText: "14" });
  await card.getByRole("button", { name: "On my way" }).click();
  // The card may be one of those that are only counted and not shown.
  await card.locator(".going").waitFor({ state: "attached" });
  await other.context().close();
}
