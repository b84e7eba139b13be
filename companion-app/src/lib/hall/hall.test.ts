import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { BoardSchema, WatchUpdateSchema, type WatchUpdate } from "$gen/api/arbiter_pb.js";
import { press } from "$lib/testing.js";
import { NotEnrolled, type Identity, type Place, type Transport } from "$lib/transport/transport.js";
import { delay, follow, type Follower } from "./follow.js";
import { HallStore, inHallOrder, merged } from "./hall.svelte.js";
import { HubTime } from "./hub-time.js";

type BoardInit = MessageInitShape<typeof BoardSchema>;
const delta = (seq: bigint, board: BoardInit): WatchUpdate =>
  create(WatchUpdateSchema, { epoch: 1n, seq, hubUs: 10n, update: { case: "board", value: create(BoardSchema, board) } });
const snapshot = (seq: bigint, boards: BoardInit[], epoch = 1n): WatchUpdate =>
  create(WatchUpdateSchema, { epoch, seq, hubUs: 10n, update: { case: "snapshot", value: { epoch, seq, hubUs: 10n, eventName: "Cup", boards } } });
const store = (): HallStore => new HallStore(new HubTime(() => 0), undefined, (flush) => flush());

describe("the hall", () => {
  test("a snapshot, then what changes", () => {
    const hall = store();
    hall.heard(snapshot(5n, [{ board: "1", seq: 1n }, { board: "2", seq: 1n }]));
    hall.heard(delta(6n, { board: "2", seq: 2n, control: "3m" }));
    expect(hall.boards().map((board) => [board.board, board.control])).toEqual([["1", ""], ["2", "3m"]]);
    expect(hall.place()).toEqual({ epoch: 1n, seq: 6n });
    expect(hall.link).toBe("live");
  });
  test("an older picture of a board does not replace a newer one", () => {
    const hall = store();
    hall.heard(snapshot(5n, [{ board: "1", seq: 7n, control: "5m" }]));
    hall.board(create(BoardSchema, { board: "1", seq: 6n, control: "3m" }));
    expect(hall.boards()[0]?.control).toBe("5m");
  });
  test("a snapshot takes away what is gone and counts as it stands", () => {
    const hall = store();
    hall.heard(snapshot(5n, [{ board: "1", seq: 9n, control: "5m" }, { board: "2" }]));
    hall.heard(snapshot(1n, [{ board: "1", seq: 1n, control: "3m" }], 2n));
    expect(hall.boards().map((board) => [board.board, board.control])).toEqual([["1", "3m"]]);
    expect(hall.cell("2")).toBeUndefined();
  });
  test("a board that is added stands where the hub would have it", () => {
    const hall = store();
    hall.heard(snapshot(5n, [{ board: "2" }, { board: "10" }]));
    hall.heard(delta(6n, { board: "9" }));
    expect(hall.order).toEqual(["2", "9", "10"]);
    hall.heard(create(WatchUpdateSchema, { epoch: 1n, seq: 7n, update: { case: "removed", value: { board: "9" } } }));
    expect(hall.order).toEqual(["2", "10"]);
  });
  test("a lost link keeps the boards and says since when", () => {
    const hall = store();
    hall.heard(snapshot(5n, [{ board: "1" }]));
    hall.lost();
    expect([hall.link, hall.boards().length, hall.offlineSince !== null]).toEqual(["offline", 1, true]);
    hall.heard(delta(6n, { board: "1" }));
    expect([hall.link, hall.offlineSince]).toEqual(["live", null]);
  });
  test("every change is told once, with what was before", () => {
    const hall = store();
    const heard: [string, boolean][] = [];
    hall.onChange((state, before) => heard.push([state.board, before !== undefined]));
    hall.heard(snapshot(5n, [{ board: "1" }]));
    hall.heard(delta(6n, { board: "1", seq: 2n }));
    expect(heard).toEqual([["1", false], ["1", true]]);
  });
});

describe("presses of a game", () => {
  const run = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => press(from + at));
  test("new ones are joined to what was known", () => expect(merged(run(1, 12), run(5, 16))).toEqual(run(1, 16)));
  test("fewer than the hub sends are all there are", () => expect(merged(run(1, 30), run(1, 1))).toEqual(run(1, 1)));
  test("a game that was put back goes on from there", () => expect(merged(run(1, 30), run(9, 10))).toEqual(run(1, 10)));
  test("another game's are not joined", () => {
    const other = run(31, 42).map((one, at) => ({ ...one, move: Math.ceil((at + 1) / 2) }));
    expect(merged(run(1, 30), other)).toEqual(other);
  });
  test("two presses that were missed are a gap, whoever pressed", () => {
    expect(merged(run(1, 19), run(22, 23))).toEqual(run(22, 23));
    expect(merged(run(1, 20), run(23, 24))).toEqual(run(23, 24));
    expect(merged(run(1, 19), run(20, 21))).toEqual(run(1, 21));
    expect(merged(run(1, 20), run(21, 22))).toEqual(run(1, 22));
  });
  test("a gap is not drawn over", () => expect(merged(run(1, 12), run(21, 32))).toEqual(run(21, 32)));
});

test("boards stand in the order of their numbers", () => {
  expect(["10", "A2", "9", "A10", "1"].sort(inHallOrder)).toEqual(["1", "9", "10", "A2", "A10"]);
});

describe("following a hub", () => {
  /** A hub that plays one script for each connection. */
  function hub(scripts: (WatchUpdate[] | Error)[]): { transport: Transport; places: (Place | null)[] } {
    const places: (Place | null)[] = [];
    const watch = async function* (after: Place | null): AsyncIterable<WatchUpdate> {
      places.push(after);
      const script = scripts.shift() ?? new NotEnrolled();
      if (script instanceof Error) throw script;
      yield* script;
      await Promise.resolve();
    };
    // A script that ended was of a session that is over; who has no script left is nobody.
    const identity = (): Promise<Identity> => (scripts.length > 0 ? Promise.resolve({ name: "J. Doe", role: "floor" }) : Promise.reject(new NotEnrolled()));
    return { transport: { watch, identity } as unknown as Transport, places };
  }

  test("it comes back where it left off, waits longer each time, and stops when it is unknown", async () => {
    const hall = store();
    const waits: number[] = [];
    const follower: Follower = {
      place: () => hall.place(),
      heard: (update) => hall.heard(update),
      lost: (_, againInMs) => void waits.push(againInMs),
      unknown: () => hall.unknown(),
    };
    const { transport, places } = hub([[snapshot(5n, [{ board: "1" }]), delta(6n, { board: "1" })], new Error("gone"), new Error("gone"), [delta(7n, { board: "1" })]]);
    const rest = (ms: number, signal: AbortSignal): Promise<void> => (ms > 7000 ? new Promise((done) => signal.addEventListener("abort", () => done())) : Promise.resolve());
    await follow(transport, follower, new AbortController().signal, rest);
    expect(places).toEqual([null, { epoch: 1n, seq: 6n }, { epoch: 1n, seq: 6n }, { epoch: 1n, seq: 6n }, { epoch: 1n, seq: 7n }]);
    expect(waits).toEqual([250, 500, 1000, 250]);
    expect(hall.enrolled).toBe(false);
  });
  test("a session that is over is begun anew, and the hall goes on", async () => {
    const hall = store();
    let unknown = 0;
    const follower: Follower = { place: () => hall.place(), heard: (update) => hall.heard(update), lost: () => undefined, unknown: () => (unknown += 1) };
    const { transport, places } = hub([[snapshot(5n, [{ board: "1" }])], new NotEnrolled("the session is over"), [delta(6n, { board: "1" })]]);
    const rest = (ms: number, signal: AbortSignal): Promise<void> => (ms > 7000 ? new Promise((done) => signal.addEventListener("abort", () => done())) : Promise.resolve());
    await follow(transport, follower, new AbortController().signal, rest);
    expect([places.length, unknown]).toEqual([4, 1]);
    expect(hall.place()?.seq).toBe(6n);
  });
  test("it never waits longer than five seconds", () => expect(delay(1000)).toBe(5000));
});
