import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { RoundStateSchema, type RoundState } from "$gen/frames/event_pb.js";
import type { Slip } from "$lib/commands/ledger.svelte.js";
import { ADJOURNED, resultOf, type SentResult } from "$lib/event/results.js";
import { board, note } from "$lib/testing.js";
import { backTo } from "../board/result.js";
import { whyAnswered } from "./answered.js";
import { plays, todos } from "./todos.js";

const round = (no: number, ...results: (SentResult | null)[]): RoundState =>
  create(RoundStateSchema, {
    round: no,
    boards: results.map((result, at) => ({ pairing: { board: at + 1, white: at * 2 + 1, black: at * 2 + 2 }, ...(result ? { result } : {}) })),
  });
const listed = (list: { board: string }[]): string => list.map((row) => row.board).join();

test("a board has the game of the round its clock is set for, else of the present round", () => {
  expect([plays(board({ round: 2 }), 2, 3), plays(board({ round: 2 }), 3, 3), plays(board({ round: 0 }), 3, 3), plays(board({ round: 0 }), 4, 3)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

test("a stopped game needs its result in its own round only", () => {
  const boards = [board({ board: "1", round: 1, phase: "stopped" }), board({ board: "2", round: 1, phase: "running" })];
  expect(listed(todos(round(1, null, null), null, boards, 1).results)).toBe("1");
  expect(listed(todos(round(2, null, null), null, boards, 1).results)).toBe("");
});

test("an unfinished game needs its result although its board plays the next round", () => {
  const boards = [
    board({ board: "1", round: 2, phase: "running" }),
    board({ board: "2", round: 2, phase: "running" }),
    board({ board: "3", round: 2, phase: "running" }),
  ];
  const { results, adjourned } = todos(round(1, null, resultOf("1-0"), ADJOURNED), null, boards, 1);
  expect([listed(results), results[0]?.playsNow, listed(adjourned)]).toEqual(["1", 2, "3"]);
});

test("only the round being played has late players", () => {
  const late = [board({ board: "1", round: 1, notes: [note("default_time", { text: "the player has not come" })] })];
  expect([listed(todos(round(1, null), null, late, 1).late), listed(todos(round(2, null), null, late, 1).late)]).toEqual(["1", ""]);
});

test("an answered row takes no second answer unless the first was refused, lost or undone", () => {
  const slip = (state: Slip["state"], back = true): Pick<Slip, "state" | "draft"> => ({
    state,
    draft: { board: "1", label: "", reason: "", commands: [], ...(back ? { back: { label: "", commands: [], reason: "" } } : {}) },
  });
  const blocks = (one: Pick<Slip, "state" | "draft"> | undefined): boolean => whyAnswered(one) !== "";
  expect([blocks(undefined), blocks(slip("sending")), blocks(slip("pending")), blocks(slip("done")), blocks(slip("done", false))]).toEqual([
    false,
    true,
    true,
    true,
    false,
  ]);
  expect([blocks(slip("refused")), blocks(slip("unknown")), blocks(slip("late"))]).toEqual([false, false, false]);
});

test("undo on a clock restores the previous result", () => {
  const endings = (stood: string | null, stands: string | null): unknown[] =>
    backTo(stood, stands).map((one) => (one.case === "endGame" ? one.value.ending : one.case));
  expect(endings(null, "1-0")).toEqual(["result *"]);
  expect(endings("0-1", "1-0")).toEqual(["result *", "result 0-1"]);
  expect(endings("0-1", null)).toEqual(["result 0-1"]);
});
