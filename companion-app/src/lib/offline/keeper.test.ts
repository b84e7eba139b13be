import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { WatchUpdateSchema, type BoardSchema } from "$gen/api/arbiter_pb.js";
import { TournamentSchema } from "$gen/frames/event_pb.js";
import { EventStore } from "$lib/event/event.svelte.js";
import { HallStore } from "$lib/hall/hall.svelte.js";
import { HubTime } from "$lib/hall/hub-time.js";
import type { Identity, Transport } from "$lib/transport/transport.js";
import { EVERY_MS, HallKeeper, SHOW_AFTER_MS } from "./keeper.js";
import type { SnapshotStore } from "./store.js";

const MINUTE_MS = 60_000;
const HUB_US = 7e12;
let page: EventTarget & { hidden: boolean };
beforeEach(() => {
  vi.useFakeTimers();
  page = Object.assign(new EventTarget(), { hidden: false });
  vi.stubGlobal("document", page);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Creates a store that outlives the page. */
function disk(): SnapshotStore & { kept: unknown; times: number } {
  const store = {
    kept: undefined as unknown,
    times: 0,
    read: () => Promise.resolve(store.kept),
    keep: (one: unknown) => ((store.kept = structuredClone(one)), (store.times += 1), Promise.resolve()),
    forget: () => ((store.kept = undefined), Promise.resolve()),
  };
  return store;
}

function opened(store: SnapshotStore) {
  const hall = new HallStore(new HubTime(), undefined, (flush) => flush());
  const event = new EventStore({} as Transport, () => "");
  const at = { me: null as Identity | null };
  const keeper = new HallKeeper({ hall, event, me: () => at.me, restoreArbiter: (me) => (at.me = me) }, store);
  const life = new AbortController();
  const hear = (boards: MessageInitShape<typeof BoardSchema>[], seq = 1n): void =>
    hall.heard(
      create(WatchUpdateSchema, {
        epoch: 1n,
        seq,
        hubUs: BigInt(HUB_US),
        update: { case: "snapshot", value: { epoch: 1n, seq, hubUs: BigInt(HUB_US), eventName: "Cup", boards } },
      }),
    );
  const lose = (): void => hall.lost();
  return { hall, event, at, keeper, life, hear, lose, run: () => keeper.run(life.signal) };
}
const names = (hall: HallStore): string[] => hall.boards().map(({ board }) => board);
const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1);

async function visited(store: SnapshotStore): Promise<void> {
  const { hear, lose, life, run, at, event } = opened(store);
  void run();
  at.me = { name: "Doe, Jane", role: "chief" };
  event.restore({ version: 3n, tournament: create(TournamentSchema, { players: [{ no: 1, name: "Okonkwo" }] }), imports: [], standings: null });
  hear([{ board: "1", control: "60m" }, { board: "2" }]);
  lose();
  await settled();
  life.abort();
}

test("without the hub the stored hall is shown with its age", async () => {
  const store = disk();
  await visited(store);
  await vi.advanceTimersByTimeAsync(4 * MINUTE_MS);
  const { hall, at, event, lose, run } = opened(store);
  void run();
  await settled();
  expect(names(hall)).toEqual([]);
  lose();
  await settled();
  expect(names(hall)).toEqual(["1", "2"]);
  expect([hall.link, hall.event.name, at.me?.name, event.tournament?.players[0]?.name]).toEqual(["offline", "Cup", "Doe, Jane", "Okonkwo"]);
  // The hub's time continues, and the age counts from the last contact.
  expect(hall.offlineSinceUs).toBeCloseTo(HUB_US, -4);
  expect((hall.ageUs() ?? 0) / 6e7).toBeCloseTo(4, 2);
  expect(((hall.time.nowUs() ?? 0) - HUB_US) / 6e7).toBeCloseTo(4, 2);
});

test("a silent hub is waited for, but not long", async () => {
  const store = disk();
  await visited(store);
  const { hall, run } = opened(store);
  void run();
  await vi.advanceTimersByTimeAsync(SHOW_AFTER_MS - 10);
  expect(names(hall)).toEqual([]);
  await vi.advanceTimersByTimeAsync(20);
  expect(names(hall)).toEqual(["1", "2"]);
});

test("the hub's data replace the stored hall without an alarm", async () => {
  const store = disk();
  await visited(store);
  const told = opened(store);
  void told.run();
  told.hear([{ board: "7" }]);
  await vi.advanceTimersByTimeAsync(2 * SHOW_AFTER_MS);
  expect([names(told.hall), told.hall.link]).toEqual([["7"], "live"]);

  const late = opened(store);
  const calls: [string, unknown][] = [];
  late.hall.onChange((state, before) => calls.push([state.board, before]));
  void late.run();
  late.lose();
  await settled();
  expect([names(late.hall), calls]).toEqual([["1", "2"], []]);
  late.hear([{ board: "1", control: "5m" }], 9n);
  expect([late.hall.link, late.hall.ageUs(), late.hall.cell("1")?.state.control, names(late.hall)]).toEqual(["live", null, "5m", ["1"]]);
  expect(calls).toEqual([["1", undefined]]);
});

test("the hall is stored now and then and when the page is hidden, and only if it is newer", async () => {
  const store = disk();
  const { hear, run, life } = opened(store);
  void run();
  hear([{ board: "1" }]);
  await vi.advanceTimersByTimeAsync(EVERY_MS + 10);
  expect(store.times).toBe(1);
  await vi.advanceTimersByTimeAsync(3 * EVERY_MS);
  expect(store.times).toBe(1);
  hear([{ board: "1" }, { board: "2" }], 2n);
  page.hidden = true;
  page.dispatchEvent(new Event("visibilitychange"));
  await settled();
  expect(store.times).toBe(2);
  life.abort();

  const restored = opened(store);
  void restored.run();
  restored.lose();
  await vi.advanceTimersByTimeAsync(3 * EVERY_MS);
  expect([names(restored.hall).length, store.times]).toEqual([2, 2]);
});

test("a revoked device stores nothing, even if it was just storing", async () => {
  const store = disk();
  await visited(store);
  const { hear, run, keeper, hall, lose } = opened(store);
  void run();
  hear(Array.from({ length: 200 }, (_, at) => ({ board: `${at}` })));
  const storing = keeper.store();
  const forgotten = keeper.forget();
  await vi.advanceTimersByTimeAsync(10);
  await Promise.all([storing, forgotten]);
  expect(store.kept).toBeUndefined();
  lose();
  await vi.advanceTimersByTimeAsync(2 * EVERY_MS);
  expect([store.kept, hall.link]).toEqual([undefined, "offline"]);
});

test("a browser without storage works otherwise", async () => {
  const broken: SnapshotStore = {
    read: () => Promise.reject(new Error("no")),
    keep: () => Promise.reject(new Error("no")),
    forget: () => Promise.reject(new Error("no")),
  };
  const { hear, run, hall, lose, keeper } = opened(broken);
  const ran = run();
  hear([{ board: "1" }]);
  lose();
  await settled();
  await ran;
  await keeper.forget();
  expect(names(hall)).toEqual(["1"]);
});
