import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { BoardPhase, BoardSchema, WatchUpdateSchema, type WatchUpdate } from "$gen/api/arbiter_pb.js";
import { press } from "$lib/testing.js";
import { NotEnrolled, type Identity, type Place, type Transport } from "$lib/transport/transport.js";
import { delay, follow, sleep, type Device, type Follower } from "./follow.js";
import { HallStore, inHallOrder, merged } from "./hall.svelte.js";
import { HubTime } from "./hub-time.js";

type BoardInit = MessageInitShape<typeof BoardSchema>;
const delta = (seq: bigint, board: BoardInit): WatchUpdate =>
  create(WatchUpdateSchema, { epoch: 1n, seq, hubUs: 10n, update: { case: "board", value: create(BoardSchema, board) } });
const snapshot = (seq: bigint, boards: BoardInit[], epoch = 1n): WatchUpdate =>
  create(WatchUpdateSchema, { epoch, seq, hubUs: 10n, update: { case: "snapshot", value: { epoch, seq, hubUs: 10n, eventName: "Cup", boards } } });
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
const store = (): HallStore => new HallStore(new HubTime(() => 0), undefined, (flush) => flush());

describe("the hall", () => {
  test("a snapshot is followed by changes", () => {
    const hall = store();
    hall.heard(
      snapshot(5n, [
        { board: "1", seq: 1n },
        { board: "2", seq: 1n },
      ]),
    );
    hall.heard(delta(6n, { board: "2", seq: 2n, control: "3m" }));
    expect(hall.boards().map((board) => [board.board, board.control])).toEqual([
      ["1", ""],
      ["2", "3m"],
    ]);
    expect(hall.place()).toEqual({ epoch: 1n, seq: 6n });
    expect(hall.link).toBe("live");
  });
  test("notes about the hub come and go with the snapshots", () => {
    const hall = store();
    const noted = (seq: bigint, kinds: string[]): WatchUpdate =>
      create(WatchUpdateSchema, {
        epoch: 1n,
        seq,
        update: { case: "snapshot", value: { epoch: 1n, seq, notes: kinds.map((kind) => ({ kind, text: "full" })) } },
      });
    hall.heard(noted(1n, ["log_stopped", "low_space"]));
    expect(hall.hubNotes.map((note) => note.kind)).toEqual(["log_stopped", "low_space"]);
    hall.heard(noted(2n, []));
    expect(hall.hubNotes).toEqual([]);
  });
  test("an older state of a board does not replace a newer one", () => {
    const hall = store();
    hall.heard(snapshot(5n, [{ board: "1", seq: 7n, control: "5m" }]));
    hall.board(create(BoardSchema, { board: "1", seq: 6n, control: "3m" }));
    expect(hall.boards()[0]?.control).toBe("5m");
  });
  test("a snapshot removes missing boards and resets the order", () => {
    const hall = store();
    hall.heard(snapshot(5n, [{ board: "1", seq: 9n, control: "5m" }, { board: "2" }]));
    hall.heard(snapshot(1n, [{ board: "1", seq: 1n, control: "3m" }], 2n));
    expect(hall.boards().map((board) => [board.board, board.control])).toEqual([["1", "3m"]]);
    expect(hall.cell("2")).toBeUndefined();
  });
  test("a new board is inserted in the hub's order", () => {
    const hall = store();
    hall.heard(snapshot(5n, [{ board: "2" }, { board: "10" }]));
    hall.heard(delta(6n, { board: "9" }));
    expect(hall.order).toEqual(["2", "9", "10"]);
    hall.heard(create(WatchUpdateSchema, { epoch: 1n, seq: 7n, update: { case: "removed", value: { board: "9" } } }));
    expect(hall.order).toEqual(["2", "10"]);
  });
  test("boards in some state, and named ones, are found without scanning all", () => {
    const hall = store();
    const quiet = { phase: BoardPhase.RUNNING, online: true, agent: "aa" };
    const names = (named: string[] = []): string[] => hall.boardsInState(new Set(named)).map((board) => board.board);
    hall.heard(
      snapshot(5n, [
        { board: "1", ...quiet },
        { board: "2", phase: BoardPhase.READY, online: true, agent: "aa" },
        { board: "3", ...quiet },
      ]),
    );
    expect(names()).toEqual(["2"]);
    expect(names(["3", "2", "gone"])).toEqual(["2", "3"]);
    hall.heard(delta(6n, { board: "2", seq: 2n, ...quiet }));
    hall.heard(delta(7n, { board: "1", seq: 2n, phase: BoardPhase.RUNNING, online: false }));
    expect(names()).toEqual(["1"]);
    hall.heard(create(WatchUpdateSchema, { epoch: 1n, seq: 8n, update: { case: "removed", value: { board: "1" } } }));
    expect(names()).toEqual([]);
  });
  test("a lost link keeps the boards and their age since the last contact", () => {
    vi.useFakeTimers();
    const hall = new HallStore(new HubTime(() => 0), undefined, (flush) => flush());
    hall.heard(snapshot(5n, [{ board: "1" }]));
    expect(hall.ageUs()).toBeNull();
    vi.advanceTimersByTime(8000);
    hall.answered();
    vi.advanceTimersByTime(5500);
    hall.lost();
    expect([hall.link, hall.boards().length, hall.offlineSinceUs, hall.ageUs()]).toEqual(["offline", 1, 10 - 5.5e6, 5.5e6]);
    vi.advanceTimersByTime(1000);
    hall.lost();
    expect([hall.offlineSinceUs, hall.ageUs()]).toEqual([10 - 5.5e6, 6.5e6]);
    hall.heard(delta(6n, { board: "1" }));
    expect([hall.link, hall.offlineSinceUs, hall.ageUs()]).toEqual(["live", null, null]);
  });
  test("after sleep the age follows the clock of day", () => {
    vi.useFakeTimers();
    const hall = store();
    hall.heard(snapshot(5n, [{ board: "1" }]));
    hall.lost();
    vi.setSystemTime(Date.now() + 600_000);
    expect(hall.ageUs()).toBe(600e6);
  });
  test("an answer without a snapshot is no hall", () => {
    const hall = store();
    hall.answered();
    expect(hall.link).toBe("connecting");
  });
  test("a removed board is reported once, and a failing watcher affects nothing else", () => {
    const complained = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const hall = store();
    const heard: string[] = [];
    hall.onChange(() => {
      throw new TypeError("Illegal constructor");
    });
    hall.onChange((state) => heard.push(state.board));
    hall.onRemoved((board) => heard.push(`-${board}`));
    hall.heard(snapshot(5n, [{ board: "1" }, { board: "2" }]));
    hall.heard(create(WatchUpdateSchema, { epoch: 1n, seq: 6n, update: { case: "removed", value: { board: "2" } } }));
    hall.heard(snapshot(7n, [{ board: "3" }]));
    expect(heard).toEqual(["1", "2", "-2", "-1", "3"]);
    expect(hall.order).toEqual(["3"]);
    expect(complained).toHaveBeenCalledOnce();
  });
  test("every change is reported once, with the previous state", () => {
    const hall = store();
    const heard: [string, boolean][] = [];
    hall.onChange((state, before) => heard.push([state.board, before !== undefined]));
    hall.heard(snapshot(5n, [{ board: "1" }]));
    hall.heard(delta(6n, { board: "1", seq: 2n }));
    expect(heard).toEqual([
      ["1", false],
      ["1", true],
    ]);
  });
});

describe("presses of a game", () => {
  const run = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => press(from + at));
  test("new presses are appended to known ones", () => expect(merged(run(1, 12), run(5, 16))).toEqual(run(1, 16)));
  test("fewer presses than the hub sends are all there are", () => expect(merged(run(1, 30), run(1, 1))).toEqual(run(1, 1)));
  test("a game that was put back continues from there", () => expect(merged(run(1, 30), run(9, 10))).toEqual(run(1, 10)));
  test("presses of another game are not appended", () => {
    const other = run(31, 42).map((one, at) => ({ ...one, move: Math.ceil((at + 1) / 2) }));
    expect(merged(run(1, 30), other)).toEqual(other);
  });
  test("two missed presses are a gap", () => {
    expect(merged(run(1, 19), run(22, 23))).toEqual(run(22, 23));
    expect(merged(run(1, 20), run(23, 24))).toEqual(run(23, 24));
    expect(merged(run(1, 19), run(20, 21))).toEqual(run(1, 21));
    expect(merged(run(1, 20), run(21, 22))).toEqual(run(1, 22));
  });
  test("a gap is not bridged", () => expect(merged(run(1, 12), run(21, 32))).toEqual(run(21, 32)));
});

test("boards are sorted by number", () => {
  expect(["10", "A2", "9", "A10", "1"].sort(inHallOrder)).toEqual(["1", "9", "10", "A2", "A10"]);
});

describe("following a hub", () => {
  beforeEach(() => void vi.useFakeTimers());
  /** Creates a hub that plays one script for each connection. */
  function hub(scripts: (WatchUpdate[] | Error)[]): { transport: Transport; places: (Place | null)[] } {
    const places: (Place | null)[] = [];
    const watch = async function* (after: Place | null): AsyncIterable<WatchUpdate> {
      places.push(after);
      const script = scripts.shift() ?? new NotEnrolled();
      if (script instanceof Error) throw script;
      yield* script;
      await Promise.resolve();
    };
    // The hub knows the device as long as scripts are left.
    const identity = (): Promise<Identity> => (scripts.length > 0 ? Promise.resolve({ name: "J. Doe", role: "floor" }) : Promise.reject(new NotEnrolled()));
    return { transport: { watch, identity } as unknown as Transport, places };
  }

  const device = (nudges = new Set<() => void>()): Device => ({
    rest: sleep,
    nowMs: () => performance.now(),
    onNudge: (nudge) => (nudges.add(nudge), () => nudges.delete(nudge)),
  });
  const over = async (following: Promise<void>): Promise<void> => {
    await vi.runAllTimersAsync();
    await following;
  };

  test("the follower resumes, backs off, and stops when the device is unknown", async () => {
    const hall = store();
    const waits: number[] = [];
    const follower: Follower = {
      place: () => hall.place(),
      heard: (update) => hall.heard(update),
      answered: () => hall.answered(),
      lost: (_, againInMs) => void waits.push(againInMs),
      unknown: (why) => hall.unknown(why),
    };
    const { transport, places } = hub([
      [snapshot(5n, [{ board: "1" }]), delta(6n, { board: "1" })],
      new Error("gone"),
      new Error("gone"),
      [delta(7n, { board: "1" })],
    ]);
    await over(follow(transport, follower, new AbortController().signal, device()));
    expect(places).toEqual([null, { epoch: 1n, seq: 6n }, { epoch: 1n, seq: 6n }, { epoch: 1n, seq: 6n }, { epoch: 1n, seq: 7n }]);
    expect(waits).toEqual([250, 500, 1000, 250]);
    expect(hall.enrolled).toBe(false);
  });
  test("an expired session is renewed, and the hall continues", async () => {
    const hall = store();
    let unknown = 0;
    const follower: Follower = {
      place: () => hall.place(),
      heard: (update) => hall.heard(update),
      answered: () => hall.answered(),
      lost: () => undefined,
      unknown: () => (unknown += 1),
    };
    const { transport, places } = hub([[snapshot(5n, [{ board: "1" }])], new NotEnrolled("the session is over"), [delta(6n, { board: "1" })]]);
    await over(follow(transport, follower, new AbortController().signal, device()));
    expect([places.length, unknown]).toEqual([4, 1]);
    expect(hall.place()?.seq).toBe(6n);
  });
  test("the back-off never exceeds five seconds", () => expect(delay(1000)).toBe(5000));

  /** Follows a hub that sends an update only at each `say`. While `mute`, it answers neither probes nor requests for updates. */
  function quiet(place: Place | null = { epoch: 1n, seq: 1n }) {
    const at = { mute: false, requested: [] as number[], told: [] as string[], watched: [] as number[] };
    const nudges = new Set<() => void>();
    const life = new AbortController();
    const began = performance.now();
    const now = (): number => performance.now() - began;
    let tell: (update: WatchUpdate) => void = () => undefined;
    const watch = async function* (_: Place | null, signal: AbortSignal, opened: () => void): AsyncIterable<WatchUpdate> {
      at.watched.push(now());
      if (!at.mute) opened();
      while (!signal.aborted) {
        const update = await new Promise<WatchUpdate | null>((done) => {
          tell = done;
          signal.addEventListener("abort", () => done(null));
        });
        if (update) yield update;
      }
    };
    const identity = (): Promise<Identity> => {
      at.requested.push(now());
      return at.mute ? new Promise(() => undefined) : Promise.resolve({ name: "J. Doe", role: "floor" });
    };
    const follower: Follower = {
      place: () => place,
      heard: () => at.told.push(`heard ${now()}`),
      answered: () => at.told.push(`answered ${now()}`),
      lost: (_, againInMs) => at.told.push(`lost ${now()}, again in ${againInMs}`),
      unknown: () => at.told.push("unknown"),
    };
    const following = follow({ watch, identity } as unknown as Transport, follower, life.signal, device(nudges));
    const end = async (): Promise<void> => {
      life.abort();
      await vi.runAllTimersAsync();
      await following;
    };
    return { at, end, say: () => tell(delta(1n, { board: "1" })), nudge: () => nudges.forEach((nudge) => nudge()) };
  }

  test("a silent hub is probed every 2.5 s, and an answer keeps the link", async () => {
    const { at, end } = quiet();
    await vi.advanceTimersByTimeAsync(7600);
    expect(at.requested).toEqual([2500, 5000, 7500]);
    expect(at.told).toEqual(["answered 0", "answered 2500", "answered 5000", "answered 7500"]);
    await end();
  });
  test("a hub that sends updates is never probed", async () => {
    const { at, end, say } = quiet();
    for (let told = 0; told < 20; told += 1) {
      await vi.advanceTimersByTimeAsync(1000);
      say();
    }
    await vi.advanceTimersByTimeAsync(0);
    expect([at.requested, at.told.length]).toEqual([[], 21]);
    await end();
  });
  test("a link without an answer is lost 5.5 s after the last message", async () => {
    const { at, end, say } = quiet();
    await vi.advanceTimersByTimeAsync(2400);
    say();
    at.mute = true;
    await vi.advanceTimersByTimeAsync(5600);
    expect([at.requested, at.told]).toEqual([[4900], ["answered 0", "heard 2400", "lost 7900, again in 250"]]);
    await end();
  });
  test("an update during a probe keeps the link", async () => {
    const { at, end, say } = quiet();
    at.mute = true;
    await vi.advanceTimersByTimeAsync(4000);
    say();
    await vi.advanceTimersByTimeAsync(2000);
    expect(at.told).toEqual(["answered 0", "heard 4000"]);
    await end();
  });
  test("a snapshot in transit gets more time", async () => {
    const { at, end } = quiet(null);
    at.mute = true;
    await vi.advanceTimersByTimeAsync(2500 + 11_999);
    expect(at.told).toEqual(["answered 0"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(at.told).toEqual(["answered 0", "lost 14500, again in 250"]);
    await end();
  });
  test("a device that wakes or changes network probes and reconnects immediately", async () => {
    const { at, end, nudge } = quiet();
    await vi.advanceTimersByTimeAsync(1000);
    at.mute = true;
    nudge();
    await vi.advanceTimersByTimeAsync(3000);
    expect([at.requested, at.told]).toEqual([[1000], ["answered 0", "lost 4000, again in 250"]]);
    await vi.advanceTimersByTimeAsync(100);
    nudge();
    await vi.advanceTimersByTimeAsync(0);
    expect(at.watched).toEqual([0, 4100]);
    await end();
  });
});
