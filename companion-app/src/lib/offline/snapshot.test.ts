import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { BoardPhase, BoardSchema, HallSchema, type Board } from "$gen/api/arbiter_pb.js";
import { StandingsSchema } from "$gen/api/tournament_pb.js";
import { TournamentSchema } from "$gen/frames/event_pb.js";
import { decode, MAX_AGE_MS, MAX_BYTES, SnapshotEncoder, type KnownEvent, type Snapshot } from "./snapshot.js";

const HEARD_MS = 1_790_000_000_000;
const noPause = (): Promise<void> => Promise.resolve();
const board = (name: string, control = "60m"): Board => create(BoardSchema, { board: name, seq: 7n, phase: BoardPhase.RUNNING, control });
const event = (): KnownEvent => ({
  version: 12n,
  tournament: create(TournamentSchema, { players: [{ no: 1, name: "Okonkwo, Ada" }] }),
  imports: [],
  standings: create(StandingsSchema, {}),
});
const snapshot = (changes: Partial<Snapshot> = {}): Snapshot => ({
  hall: create(HallSchema, { eventName: "Harbour Cup", epoch: 4n, timeZone: "Europe/Oslo" }),
  boards: [board("1"), board("2")],
  hubUs: 5e12,
  heardAtMs: HEARD_MS,
  aheadMs: -20,
  me: { name: "Doe, Jane", role: "chief" },
  event: event(),
  ...changes,
});
const stored = (one: Snapshot): Promise<unknown> => new SnapshotEncoder().encode(one, noPause);

test("a snapshot is restored unchanged, with the time of the last contact", async () => {
  const before = snapshot();
  // The browser's database copies a snapshot in the same way.
  const after = decode(structuredClone(await stored(before)), HEARD_MS + 1000);
  expect(after).toEqual(before);
});

test("a hall without an event and a device without an arbiter are stored", async () => {
  const before = snapshot({ event: null, me: null, boards: [] });
  expect(decode(await stored(before), HEARD_MS)).toEqual(before);
});

test("a snapshot that is too old or from the future is not shown", async () => {
  const kept = await stored(snapshot());
  expect(decode(kept, HEARD_MS + MAX_AGE_MS)).not.toBeNull();
  expect(decode(kept, HEARD_MS + MAX_AGE_MS + 1)).toBeNull();
  expect(decode(kept, HEARD_MS - 1)).toBeNull();
});

test.each([null, undefined, 7, {}, { form: 2 }])("what is no snapshot of this form is none: %j", (kept) => expect(decode(kept, HEARD_MS)).toBeNull());

test("a damaged snapshot is not shown", async () => {
  const kept = (await stored(snapshot())) as object;
  for (const damage of [{ hall: new Uint8Array([255]) }, { boards: [new Uint8Array([10, 99])] }, { heardAtMs: "yesterday" }, { boards: 3 }, { form: 2 }]) {
    expect(decode({ ...kept, ...damage }, HEARD_MS), Object.keys(damage).join()).toBeNull();
  }
});

test("an unknown role is left out", async () => {
  const kept = (await stored(snapshot())) as object;
  expect(decode({ ...kept, me: { name: "Doe, Jane", role: "admiral" } }, HEARD_MS)?.me).toBeNull();
});

test("an event that is too large is left out, and a hall that is too large is not stored", async () => {
  const large = "x".repeat(MAX_BYTES);
  const tournament = create(TournamentSchema, { players: [{ no: 1, name: large }] });
  const without = decode(await stored(snapshot({ event: { ...event(), tournament } })), HEARD_MS);
  expect(without?.event).toBeNull();
  expect(without?.boards.length).toBe(2);
  expect(await stored(snapshot({ boards: [board("1", large)] }))).toBeNull();
});

test("unchanged boards are not encoded again, and long work leaves room for frames", async () => {
  const encoder = new SnapshotEncoder();
  let pauses = 0;
  const pause = (): Promise<void> => ((pauses += 1), Promise.resolve());
  const boards = Array.from({ length: 200 }, (_, at) => board(`${at}`));
  const first = (await encoder.encode(snapshot({ boards }), pause)) as { boards: Uint8Array[] };
  expect(pauses).toBe(4);
  const second = (await encoder.encode(snapshot({ boards: [board("0", "5m"), ...boards.slice(1)] }), pause)) as { boards: Uint8Array[] };
  expect(pauses).toBe(4);
  expect(second.boards.map((bytes, at) => bytes === first.boards[at])).toEqual(boards.map((_, at) => at > 0));
});
