import { create, toBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { AgentSchema, CommandReplySchema, LogLineSchema, type Agent, type CommandReply, type LogLine } from "$gen/api/arbiter_pb.js";
import { RecordSchema } from "$gen/frames/log_pb.js";
import { RefusalSchema } from "$gen/frames/refusal_pb.js";
import { Slip, type CommandDraft } from "$lib/commands/ledger.svelte.js";
import { ZeroTest, lastCertificate, testable } from "./zero-test.svelte.js";

const agent = (board: string, changes: { key?: string; online?: boolean; revoked?: boolean } = {}): Agent =>
  create(AgentSchema, { key: `k${board}`, board, online: true, ...changes });

/** Creates a ledger in which the test decides when each board answers. */
function ledger() {
  const requested: string[] = [];
  const put: string[] = [];
  const open = new Map<string, (slip: Slip) => void>();
  return {
    requested,
    put,
    answer(board: string, { reply, refusal }: { reply?: CommandReply; refusal?: string }): Promise<void> {
      const slip = new Slip(0, { board, label: "", reason: "", commands: [] }, 0);
      slip.reply = reply ?? null;
      slip.why = refusal === undefined ? null : create(RefusalSchema, { text: refusal });
      open.get(board)?.(slip);
      return new Promise((done) => setTimeout(done));
    },
    ledger: {
      send: ({ board }: CommandDraft): Promise<Slip> => (requested.push(board), new Promise((done) => open.set(board, done))),
      dismiss: (slip: Slip) => void put.push(slip.draft.board),
    },
  };
}
const reply = (findings: string[]) => create(CommandReplySchema, { certificates: [{ agent: "aa", findings, wallUs: 5_000_000n, errorUs: 120n }] });

test("boards in play are not tested, and one with two clocks is tested once", () => {
  const agents = [
    agent("1"),
    agent("2"),
    agent("3"),
    agent("3", { key: "other" }),
    agent("4", { online: false }),
    agent("5", { revoked: true }),
    agent(""),
    agent("6"),
  ];
  const phases: Record<string, "running" | "over" | "ready"> = { "1": "ready", "2": "running", "3": "over" };
  expect(testable(agents, (board) => phases[board])).toEqual(["1", "3", "6"]);
});

test("every answer dismisses its slip, and no board is tested twice", async () => {
  const hub = ledger();
  const zero = new ZeroTest(["1", "2", "2"]);
  const run = zero.run(hub.ledger);
  expect(hub.requested).toEqual(["1", "2"]);
  await hub.answer("2", { reply: reply([]) });
  await hub.answer("1", { refusal: "A game is in progress on this board. Run the clock test before the round." });
  await run;
  expect(hub.put).toEqual(["2", "1"]);
  expect(zero.rows.map((row) => [row.board, row.certificates.length])).toEqual([
    ["1", 0],
    ["2", 1],
  ]);
  expect(zero.rows[0]?.refusal).toContain("before the round");
  expect([zero.passed, zero.over]).toEqual([1, true]);
});

test("a stopped test asks no further board and keeps pending answers", async () => {
  const hub = ledger();
  const zero = new ZeroTest(["1", "2", "3", "4", "5", "6"]);
  const run = zero.run(hub.ledger);
  zero.stop();
  for (const board of ["1", "2", "3", "4"]) await hub.answer(board, { reply: reply(["slow"]) });
  await run;
  expect(hub.requested).toEqual(["1", "2", "3", "4"]);
  expect([zero.rows.length, zero.passed, zero.over]).toEqual([4, 0, true]);
});

test("the newest certificate of a clock is read from its board's log", async () => {
  const ended = (agent: number, estUs: bigint, index: bigint): LogLine => {
    const value = { agent: Uint8Array.of(agent), name: "swarm 1", wallUs: index * 1_000_000n, askedUs: 1000n, heardUs: 3000n, estUs, ratePpb: 40n };
    return create(LogLineSchema, { index, record: toBinary(RecordSchema, create(RecordSchema, { input: { case: "zeroTestEnded", value } })) });
  };
  const lines = [ended(0xaa, 2000n, 1n), ended(0xaa, 3400n, 2n), ended(0xbb, 0n, 3n)];
  // eslint-disable-next-line @typescript-eslint/require-await
  const log = async function* () {
    yield* lines;
  };
  const found = await lastCertificate({ log }, { key: "aa", board: "7" }, new AbortController().signal);
  expect(found.rows[0]?.certificates).toEqual([{ agent: "aa", name: "swarm 1", firmware: "", findings: [], atMs: 2000, errorUs: 400n, ratePpb: 40n }]);
  expect((await lastCertificate({ log }, { key: "cc", board: "7" }, new AbortController().signal)).rows[0]).toMatchObject({
    certificates: [],
    refusal: expect.stringContaining("7") as string,
  });
});
