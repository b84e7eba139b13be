import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { BoardWork, RoundReplySchema } from "$gen/api/tournament_pb.js";
import { Outcome, ResultSchema, RoundPhase, RoundStateSchema, TournamentSchema, type Change } from "$gen/frames/event_pb.js";
import type { EventCalls } from "$lib/transport/event.js";
import { Refused, type Transport } from "$lib/transport/transport.js";
import { ADJOURNED, asBefore, codeOf, counted, enterResult, resultOf, seatOf, type SentResult } from "./results.js";
import { EventStore, joined } from "./event.svelte.js";
import { RoundBook } from "./round-book.svelte.js";
import { controlsOf, inState, reportFrom, wireScope } from "./round-work.js";

test.each(["1-0", "1/2-1/2", "0-1", "1/2-0", "0-1/2", "0-0", "1-0f", "0-1f", "0-0f"] as const)("%s is told and read back the same", (code) => {
  expect(codeOf(create(ResultSchema, resultOf(code)))).toBe(code);
});

test("an adjourned game has no final result", () => {
  expect(codeOf(create(ResultSchema, ADJOURNED))).toBe("*");
  expect(codeOf(undefined)).toBeNull();
});

test("the larger count wins", () => {
  expect(counted(412, 388)).toMatchObject({ kind: { value: { white: Outcome.WIN, black: Outcome.LOSS, tally: { white: 412, black: 388 } } } });
  expect(counted(32, 32)).toMatchObject({ kind: { value: { white: Outcome.DRAW, black: Outcome.DRAW } } });
  expect(codeOf(create(ResultSchema, counted(20, 44)))).toBe("20:44");
});

test("a scope is a round, a sector or a board", () => {
  expect(wireScope({ round: 5, only: null })).toEqual({ round: 5, which: { case: undefined } });
  expect(wireScope({ round: 5, only: { sector: "B" } })).toEqual({ round: 5, which: { case: "sector", value: "B" } });
  expect(wireScope({ round: 5, only: { board: 7 } })).toEqual({ round: 5, which: { case: "board", value: 7 } });
});

const reply = (...states: BoardWork[]) =>
  create(RoundReplySchema, { control: "90m+30s", boards: states.map((state, at) => ({ board: at + 1, state, words: "" })) });

test("each state of a board has one word", () => {
  const report = reportFrom(reply(BoardWork.OPEN, BoardWork.SILENT, BoardWork.DIFFERS, BoardWork.NO_GAME));
  expect(report.boards.map((one) => one.state)).toEqual(["open", "silent", "differs", "no_game"]);
  expect(inState(report, "silent", "differs").map((one) => one.board)).toEqual(["2", "3"]);
  expect(inState(null, "open")).toEqual([]);
  expect(controlsOf(report)).toEqual(["90m+30s"]);
  const two = create(RoundReplySchema, {
    boards: [
      { board: 1, control: "5m" },
      { board: 2, control: "90m+30s" },
      { board: 3, control: "5m" },
    ],
  });
  expect(controlsOf(reportFrom(two))).toEqual(["5m", "90m+30s"]);
});

/** Creates a hub that records whether each request is a dry run, and answers with `answer`. */
function recordingHub(answer: () => Promise<ReturnType<typeof reply>>) {
  const dry: boolean[] = [];
  const ask = ({ dryRun }: { dryRun: boolean }) => (dry.push(dryRun), answer());
  return { dry, calls: { preset: ask, start: ask } as unknown as EventCalls };
}
const settled = async (holds: () => boolean): Promise<void> => {
  for (let turn = 0; !holds() && turn < 100; turn += 1) await Promise.resolve();
  expect(holds()).toBe(true);
};

test("the round book sends only dry runs, one for each change, and forgets the previous round", async () => {
  const { dry, calls } = recordingHub(() => Promise.resolve(reply(BoardWork.SET)));
  const book = new RoundBook(calls, () => Promise.resolve());
  const life = new AbortController();
  void book.follow(life.signal);
  book.look(3);
  await settled(() => book.set !== null);
  expect(dry).toEqual([true, true]);
  book.look(null);
  expect(book.set).toBeNull();
  life.abort();
});

test("the round book keeps the hub's refusal", async () => {
  const { calls } = recordingHub(() => Promise.reject(new Refused("the event names no control")));
  const book = new RoundBook(calls, () => new Promise(() => undefined));
  const life = new AbortController();
  void book.follow(life.signal);
  book.look(1);
  await settled(() => book.refusal !== "");
  expect(book.refusal).toBe("the event names no control");
  life.abort();
});

test("a changed round replaces the known one, and a removed round disappears", () => {
  const round = (no: number, phase = RoundPhase.PAIRED) => create(RoundStateSchema, { round: no, phase });
  const after = joined([round(1), round(2), round(3)], [round(4), round(2, RoundPhase.RUNNING)], [3]);
  expect(after.map((one) => [one.round, one.phase])).toEqual([
    [1, RoundPhase.PAIRED],
    [2, RoundPhase.RUNNING],
    [4, RoundPhase.PAIRED],
  ]);
});

/** Creates an event with three rounds paired in advance. `currentRound` is the round that the hub names as being played. */
function event(currentRound: string, result?: SentResult) {
  const requests: { id: Uint8Array; seen: bigint; reason: string; what: Change["what"] }[] = [];
  const apply = (id: Uint8Array, seen: bigint, reason: string, [change]: Change[]) => (
    requests.push({ id, seen, reason, what: change?.what ?? { case: undefined } }),
    Promise.resolve({ version: 0n })
  );
  const store = new EventStore({ event: { apply } } as unknown as Transport, () => currentRound);
  const boards = [{ pairing: { board: 3, white: 1, black: 2 }, ...(result ? { result } : {}) }];
  store.tournament = create(TournamentSchema, { rounds: [1, 2, 3].map((round) => ({ round, boards })) });
  store.version = 7n;
  return { store, requests };
}

test("the round is the one the hub names, not the last paired", () => {
  expect(event("1").store.round?.round).toBe(1);
  expect(event("2").store.round?.round).toBe(2);
  // Without a round from the hub, the last round counts.
  expect(event("").store.round?.round).toBe(3);
});

test("a board's result belongs to the round its clock is set for, else to the round being played", () => {
  const { store } = event("2");
  expect(seatOf(store, { board: "3", round: 1 })?.round).toBe(1);
  expect(seatOf(store, { board: "3", round: 0 })?.round).toBe(2);
  expect(seatOf(store, { board: "4", round: 1 })).toBeNull();
  // A round that this device does not know must not be mistaken for a different round.
  expect(seatOf(store, { board: "3", round: 4 })).toBeNull();
});

test("a repeated request keeps its id and the version the arbiter saw", async () => {
  const { store, requests } = event("1");
  const seat = seatOf(store, { board: "3", round: 1 });
  if (!seat) throw new Error("board 3 has a game");
  const draft = enterResult(store, seat, resultOf("1-0"), "");
  await draft();
  store.version = 9n;
  await draft();
  expect(requests.map(({ seen }) => seen)).toEqual([7n, 7n]);
  expect(requests[0]?.id).toEqual(requests[1]?.id);
  await enterResult(store, seat, resultOf("1-0"), "")();
  expect(requests[2]?.id).not.toEqual(requests[0]?.id);
});

test.each([
  ["none", undefined, "takeBack", null],
  ["a win", resultOf("1-0"), "enter", "1-0"],
  ["a forfeit", resultOf("0-0f"), "enter", "0-0f"],
  ["a count", counted(412, 388), "enter", "412:388"],
  ["an adjourned game", ADJOURNED, "enter", "*"],
])("the way back leads to %s where that stood", async (_, stood, what, code) => {
  const { store, requests } = event("1", stood);
  const seat = seatOf(store, { board: "3", round: 1 });
  if (!seat) throw new Error("board 3 has a game");
  const back = asBefore(store, seat, "Undone: result");
  // The undo is based on the event's version after the entry.
  store.version = 8n;
  await back()();
  expect(requests).toMatchObject([{ seen: 8n, reason: "Undone: result", what: { case: what, value: { round: 1, board: 3, reason: "Undone: result" } } }]);
  const told = requests[0]?.what;
  expect(told?.case === "enter" ? codeOf(told.value.result) : null).toBe(code);
});
