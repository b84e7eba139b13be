import { create, toBinary } from "@bufbuild/protobuf";
import { expect, test, vi } from "vitest";
import { CommandReplySchema, LogLineSchema, Outcome, type LogLine } from "$gen/api/arbiter_pb.js";
import { OffenceKind } from "$gen/frames/event_pb.js";
import { Side } from "$gen/frames/side_pb.js";
import { RecordSchema } from "$gen/frames/log_pb.js";
import { Refused, Unreachable, type Transport } from "$lib/transport/transport.js";
import { BoardLog } from "./board-log.svelte.js";
import { Logs } from "./logs.js";

const OFFENCE = { kind: OffenceKind.ILLEGAL_MOVE, side: Side.WHITE };

function given(index: number, id: number, offence: typeof OFFENCE | null = OFFENCE): LogLine {
  const value = {
    id: new Uint8Array([id]),
    actor: "Doe, Jane",
    what: { case: "boardCommand", value: "add black 2m" },
    ...(offence ? { offence } : {}),
  } as const;
  return create(LogLineSchema, { index: BigInt(index), record: toBinary(RecordSchema, create(RecordSchema, { input: { case: "command", value } })) });
}

/** Creates a hub with these records, whose commands have the outcomes in `ends`. */
function hub(records: (LogLine | Error)[], ends: Map<number, Outcome | Error>): { log: BoardLog; queried: number[]; from: bigint[]; transport: Transport } {
  const queried: number[] = [];
  const from: bigint[] = [];
  const transport = {
    async *log(_board: string, first: bigint) {
      from.push(first);
      for (const record of [...records]) {
        await Promise.resolve();
        if (record instanceof Error) {
          records.splice(records.indexOf(record), 1);
          throw record;
        }
        if (record.index >= first) yield record;
      }
    },
    outcome: (id: Uint8Array) => {
      queried.push(id[0] ?? 0);
      const end = ends.get(id[0] ?? 0) ?? Outcome.DONE;
      return end instanceof Error ? Promise.reject(end) : Promise.resolve(create(CommandReplySchema, { outcome: end }));
    },
  } as unknown as Transport;
  return { log: new BoardLog(transport, "1"), queried, from, transport };
}
const counted = (log: BoardLog): number => log.lines.filter((line) => line.offence && !line.refused).length;

test("a penalty stands while it waits for its clock, until the clock refuses it", async () => {
  const records = [given(1, 0xa1), given(2, 0xb1, null)];
  const ends = new Map<number, Outcome | Error>([[0xa1, Outcome.PENDING]]);
  const { log, queried } = hub(records, ends);
  const life = new AbortController();
  const done = log.follow(life.signal);
  await vi.waitFor(() => expect(log.whole).toBe(true));
  expect([counted(log), queried]).toEqual([1, [0xa1]]);
  ends.set(0xa1, Outcome.REFUSED);
  records.push(given(3, 0xb2, null));
  log.more();
  await vi.waitFor(() => expect(counted(log)).toBe(0), { timeout: 3000 });
  expect(log.lines.map((line) => line.refused)).toEqual([true, false, false]);
  // A known outcome is not queried again.
  records.push(given(4, 0xa2));
  log.more();
  await vi.waitFor(() => expect(counted(log)).toBe(1), { timeout: 3000 });
  await vi.waitFor(() => expect(queried.at(-1)).toBe(0xa2));
  expect(queried.filter((id) => id === 0xa1)).toHaveLength(2);
  life.abort();
  await done;
});

test("a command that the hub has forgotten stands as logged", async () => {
  const { log } = hub([given(1, 0xa1)], new Map([[0xa1, new Refused("no command is known")]]));
  const life = new AbortController();
  void log.follow(life.signal);
  await vi.waitFor(() => expect(log.whole).toBe(true));
  expect(counted(log)).toBe(1);
  life.abort();
});

test("a link lost half-way loses no line", async () => {
  const { log } = hub([given(1, 0xa1), new Unreachable("away"), given(2, 0xa2)], new Map());
  const life = new AbortController();
  void log.follow(life.signal);
  await vi.waitFor(() => expect(log.whole).toBe(true), { timeout: 3000 });
  expect(log.lines.map((line) => line.index)).toEqual([1n, 2n]);
  life.abort();
});

test("a reopened log reads on, and counts nothing before that is done", async () => {
  const records = [given(1, 0xa1)];
  const { log, from } = hub(records, new Map());
  const first = new AbortController();
  const gone = log.follow(first.signal);
  await vi.waitFor(() => expect(log.whole).toBe(true));
  first.abort();
  records.push(given(2, 0xa2));
  // The second reader starts before the first one ends.
  const second = new AbortController();
  const done = log.follow(second.signal);
  expect(log.whole).toBe(false);
  await gone;
  await vi.waitFor(() => expect(log.whole).toBe(true));
  expect([counted(log), log.lines.map((line) => line.index), from]).toEqual([2, [1n, 2n], [0n, 2n]]);
  second.abort();
  await done;
});

test("only the logs of the boards opened last are kept", () => {
  const logs = new Logs(hub([], new Map()).transport);
  const first = logs.of("1");
  const second = logs.of("2");
  for (let board = 3; board <= 12; board += 1) logs.of(String(board));
  expect(logs.of("1")).toBe(first);
  logs.of("13");
  expect([logs.of("1") === first, logs.of("2") === second]).toEqual([true, false]);
});
