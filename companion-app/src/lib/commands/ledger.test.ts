import { create } from "@bufbuild/protobuf";
import { expect, test, vi } from "vitest";
import { BoardSchema, CommandReplySchema, HallSchema, Outcome, WatchUpdateSchema, type CommandReply, type CommandRequest } from "$gen/api/arbiter_pb.js";
import { Side } from "$gen/frames/side_pb.js";
import { hex } from "$lib/hall/board.js";
import { HallStore } from "$lib/hall/hall.svelte.js";
import { HubTime } from "$lib/hall/hub-time.js";
import { NotEnrolled, Refused, Unreachable, type Transport } from "$lib/transport/transport.js";
import { addTime, pause, resume, setTime } from "./command.js";
import { Ledger } from "./ledger.svelte.js";

const reply = (outcome: Outcome, seq = 0n): CommandReply =>
  create(CommandReplySchema, { outcome, ...(seq ? { board: create(BoardSchema, { board: "7", seq }) } : {}) });

function hub(answers: (CommandReply | Promise<CommandReply> | Error)[]) {
  const requests: { send?: CommandRequest; outcome?: string; signal: AbortSignal }[] = [];
  const next = (): Promise<CommandReply> => {
    const answer = answers.shift() ?? new Error("asked too often");
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const transport = {
    send: (request: CommandRequest, signal: AbortSignal) => (requests.push({ send: request, signal }), next()),
    outcome: (id: Uint8Array, signal: AbortSignal) => (requests.push({ outcome: hex(id), signal }), next()),
  } as unknown as Transport;
  const hall = new HallStore(new HubTime(() => 0), undefined, (flush) => flush());
  hall.heard(create(WatchUpdateSchema, { update: { case: "snapshot", value: create(HallSchema, { boards: [{ board: "7", seq: 40n }] }) } }));
  // All delays end immediately, except the one before a completed slip is removed: it never ends, so that tests can inspect the slip.
  const ledger = new Ledger(hall, transport, (ms) => (ms > 5000 ? new Promise(() => undefined) : Promise.resolve()));
  return { requests, ledger, hall };
}
const draft = (...commands: ReturnType<typeof pause>[]) => ({ board: "7", label: "Pause", reason: "why", commands });

test("a command carries what the arbiter saw, and is done once the hub says so", async () => {
  const { requests, ledger, hall } = hub([reply(Outcome.DONE, 41n)]);
  const sent = ledger.send(draft(pause()));
  expect(ledger.slips[0]?.state).toBe("sending");
  expect((await sent).state).toBe("done");
  expect(requests[0]?.send).toMatchObject({ board: "7", seenSeq: 40n, reason: "why", command: { case: "pause" } });
  expect(hall.cell("7")?.state.seq).toBe(41n);
});

test("a refusal keeps the hub's reason and stops the rest", async () => {
  const { requests, ledger } = hub([reply(Outcome.DONE, 41n), new Refused("FIDE 6.8: that flag is not down")]);
  const slip = await ledger.send(draft(setTime("white", 1e6), pause(), resume(null)));
  expect([slip.state, slip.rule, slip.done]).toEqual(["refused", "FIDE 6.8: that flag is not down", 1]);
  expect(requests.length).toBe(2);
  expect(requests[1]?.send?.seenSeq).toBe(41n);
  expect(ledger.refused()).toEqual(new Set(["7"]));
});

test("a lost reply is retried with the same id", async () => {
  const { requests, ledger } = hub([new Unreachable(), new Unreachable(), reply(Outcome.DONE)]);
  expect((await ledger.send(draft(pause()))).state).toBe("done");
  const ids = requests.map((one) => hex(one.send?.id ?? new Uint8Array()));
  expect(new Set(ids).size).toBe(1);
  expect(ids[0]).toMatch(/^[0-9a-f]{32}$/);
});

test("a request that is never answered is sent again with the same id", async () => {
  vi.useFakeTimers();
  try {
    const silent = new Promise<CommandReply>(() => undefined);
    const { requests, ledger } = hub([silent, reply(Outcome.PENDING), silent, reply(Outcome.DONE)]);
    const sent = ledger.send(draft(pause()));
    await vi.advanceTimersByTimeAsync(4999);
    expect(requests.length).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(requests.length).toBe(3);
    await vi.advanceTimersByTimeAsync(5000);
    const slip = await sent;
    expect(slip.state).toBe("done");
    expect(requests.map((one) => one.outcome ?? hex(one.send?.id ?? new Uint8Array()))).toEqual([slip.id, slip.id, slip.id, slip.id]);
    expect(requests.map((one) => one.signal.aborted)).toEqual([true, false, true, false]);
  } finally {
    vi.useRealTimers();
  }
});

test("a command for a silent clock is pending and polled by its id", async () => {
  const { requests, ledger } = hub([reply(Outcome.PENDING), reply(Outcome.PENDING), reply(Outcome.WITHDRAWN)]);
  const slip = await ledger.send(draft(pause()));
  expect(slip.state).toBe("withdrawn");
  expect(requests.map((one) => one.outcome)).toEqual([undefined, slip.id, slip.id]);
});

test("only the first command names the older state", async () => {
  const { requests, ledger } = hub([reply(Outcome.DONE, 41n), reply(Outcome.DONE, 42n)]);
  await ledger.send({ ...draft(setTime("white", 1e6), resume(null)), seenSeq: 38n });
  expect(requests.map((one) => one.send?.seenSeq)).toEqual([38n, 41n]);
  expect([ledger.ownSeq("7"), ledger.ownSeq("8")]).toEqual([42n, 0n]);
});

test("two quick taps are sent one after the other, the second based on what the first produced", async () => {
  const { requests, ledger } = hub([reply(Outcome.DONE, 41n), reply(Outcome.DONE, 42n)]);
  const [first, second] = [ledger.send(draft(pause())), ledger.send({ ...draft(resume(null)), seenSeq: 40n })];
  expect(requests.length).toBe(1);
  expect([(await first).state, (await second).state]).toEqual(["done", "done"]);
  expect(requests.map((one) => one.send?.seenSeq)).toEqual([40n, 41n]);
});

test("a tap that waits for a slow command is sent after it, however long that takes", async () => {
  const { requests, ledger } = hub([new Unreachable(), reply(Outcome.DONE, 41n), reply(Outcome.DONE, 42n)]);
  // Each reading of the page's clock is ten seconds after the previous one, so the first command seems slow.
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 10_000));
  const [first, second] = [ledger.send(draft(addTime("black", 1e6))), ledger.send(draft(pause()))];
  expect([(await first).state, (await second).state]).toEqual(["done", "done"]);
  vi.restoreAllMocks();
  expect(requests.map((one) => one.send?.command.case)).toEqual(["addTime", "addTime", "pause"]);
});

test("after a refusal a second tap is based on what the arbiter saw", async () => {
  const { requests, ledger } = hub([new Refused("no"), reply(Outcome.DONE, 41n)]);
  const [first, second] = [ledger.send(draft(pause())), ledger.send(draft(resume(null)))];
  expect([(await first).state, (await second).state]).toEqual(["refused", "done"]);
  expect(requests.map((one) => one.send?.seenSeq)).toEqual([40n, 40n]);
});

test("a command that waits for a silent clock delays no other", async () => {
  const { requests, ledger } = hub([...Array<CommandReply>(4).fill(reply(Outcome.PENDING)), reply(Outcome.DONE), reply(Outcome.DONE)]);
  const [pending, other] = [ledger.send(draft(pause())), ledger.send(draft(addTime("black", 1e6)))];
  expect([(await pending).state, (await other).state]).toEqual(["done", "done"]);
  expect(requests.findLastIndex((one) => one.send)).toBeLessThan(3);
});

test("after minutes of waiting the rest is not sent until the arbiter asks", async () => {
  const { requests, ledger } = hub([reply(Outcome.PENDING), reply(Outcome.PENDING), reply(Outcome.DONE, 41n), reply(Outcome.DONE, 42n)]);
  // Each reading of the page's clock is one minute after the previous one.
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 60_000));
  const slip = await ledger.send({ ...draft(setTime("white", 1e6), resume("white")), steps: ["White 0:01", "Resume, White"] });
  expect([slip.state, slip.done, slip.left, requests.filter((one) => one.send).length]).toEqual(["late", 1, "Resume, White", 1]);
  expect(ledger.refused()).toEqual(new Set(["7"]));
  const rest = await ledger.sendRest(slip);
  vi.restoreAllMocks();
  expect([rest.state, rest.draft.label, ledger.slips.length]).toEqual(["done", "Resume, White", 1]);
  expect(requests.at(-1)?.send).toMatchObject({ seenSeq: 41n, command: { case: "resume" } });
});

test("a command is under way until it is answered or no longer pending", async () => {
  const { ledger } = hub([reply(Outcome.PENDING), reply(Outcome.DONE)]);
  const sent = ledger.send(draft(pause()));
  expect([ledger.underWay("7"), ledger.underWay("7", "pause"), ledger.underWay("7", "resume"), ledger.underWay("8")]).toEqual([true, true, false, false]);
  await sent;
  expect([ledger.underWay("7"), ledger.underWay("7", "pause")]).toEqual([false, false]);
});

test("undo is a command of its own", async () => {
  const { requests, ledger } = hub([reply(Outcome.DONE, 41n), reply(Outcome.DONE, 42n)]);
  const back = { label: "Undone", commands: [addTime("black", -120e6)], reason: "Undone: it" };
  const slip = await ledger.send({ ...draft(addTime("black", 120e6)), back });
  await ledger.undo(slip);
  expect(requests[1]?.send).toMatchObject({ seenSeq: 41n, reason: "Undone: it", command: { case: "addTime", value: { byUs: -120_000_000n } } });
  await ledger.undo(await hub([reply(Outcome.DONE)]).ledger.send(draft(pause())));
  expect(requests.length).toBe(2);
});

test("only the newest change of a board can be undone", async () => {
  const refused = new Refused("the board is running");
  const { requests, ledger } = hub([reply(Outcome.DONE), reply(Outcome.DONE), reply(Outcome.DONE), refused]);
  const back = { label: "Undone", commands: [addTime("black", -120e6)], reason: "" };
  const older = await ledger.send({ ...draft(addTime("black", 120e6)), back });
  const elsewhere = await ledger.send({ ...draft(addTime("black", 120e6)), board: "8", back });
  expect([ledger.undoable(older), ledger.undoable(elsewhere)]).toEqual([true, true]);
  const newer = ledger.send({ ...draft(addTime("white", 60e6)), back });
  expect(ledger.undoable(older)).toBe(false);
  await ledger.undo(older);
  expect(requests.length).toBe(3);
  await ledger.send(draft(pause()));
  expect([ledger.undoable(older), ledger.undoable(await newer), ledger.undoable(elsewhere)]).toEqual([false, true, true]);
});

test("a hub that has revoked this device refuses, and the first screen appears", async () => {
  const { requests, ledger, hall } = hub([new NotEnrolled("this device was shut out"), new NotEnrolled("this device was shut out")]);
  const slip = await ledger.send(draft(pause(), resume(null)));
  expect([slip.state, slip.rule, requests.length]).toEqual(["refused", "this device was shut out", 2]);
  expect(hall.enrolled).toBe(false);
});

test("a session survives one denial", async () => {
  const { ledger, hall } = hub([new NotEnrolled(), reply(Outcome.DONE)]);
  expect((await ledger.send(draft(pause()))).state).toBe("done");
  expect(hall.enrolled).toBe(true);
});

test("a draft that is given up is not sent again, and its outcome is unknown", async () => {
  const { requests, ledger } = hub([new Unreachable()]);
  const sent = ledger.send(draft(pause(), resume(null)));
  const [slip] = ledger.slips;
  if (slip) ledger.giveUp(slip);
  expect((await sent).state).toBe("unknown");
  expect(requests.length).toBe(1);
});

test("a double tap counts one offence", async () => {
  const { requests, ledger } = hub([reply(Outcome.DONE), reply(Outcome.DONE)]);
  const offence = { side: "white" } as const;
  const sent = ledger.send({ ...draft(pause(), resume(null)), offence });
  expect([ledger.justSent("7", "white"), ledger.justSent("7", "black"), ledger.justSent("8", "white")]).toEqual([true, false, false]);
  await sent;
  expect(ledger.justSent("7", "white")).toBe(true);
  expect(requests.map(({ send }) => [send?.offence?.side, send?.reason])).toEqual([
    [Side.WHITE, "why"],
    [undefined, ""],
  ]);
});

test("a request that is not a command is retried until answered, and its undo is a new request", async () => {
  const { ledger } = hub([]);
  const asks = (...answers: (Error | null)[]) => {
    const id = {};
    const heard: object[] = [];
    const ask = (): Promise<void> => {
      const answer = answers[heard.length] ?? null;
      heard.push(id);
      return answer ? Promise.reject(answer) : Promise.resolve();
    };
    return { heard, ask };
  };
  const there = asks(new Unreachable(), new NotEnrolled(), null);
  const back = asks(new Unreachable(), null);
  const slip = await ledger.run({ ...draft(), back: { label: "Undone", commands: [], reason: "", ask: () => back.ask } }, there.ask);
  expect([slip.state, there.heard.length, back.heard.length]).toEqual(["done", 3, 0]);
  await ledger.undo(slip);
  expect([back.heard.length, ledger.slips[0]?.state]).toEqual([2, "done"]);
  const refused = await ledger.run(draft(), asks(new Unreachable(), new Refused("round 1 is confirmed")).ask);
  expect([refused.state, refused.rule]).toEqual(["refused", "round 1 is confirmed"]);
});

test("a draft without a board is found by its subject, in every language", async () => {
  const { ledger } = hub([]);
  const refusal = (): Promise<void> => Promise.reject(new Refused("a game is not finished"));
  await ledger.run({ ...draft(), board: "", subject: "round 1", label: "Confirm round 1" }, refusal);
  await ledger.run({ ...draft(), board: "", subject: "round 2", label: "Runde 1 bestätigen" }, refusal);
  expect(ledger.about("round 1").map((slip) => slip.draft.label)).toEqual(["Confirm round 1"]);
  expect(ledger.about("round 3")).toEqual([]);
});

test("a request that is given up has an unknown outcome", async () => {
  const { ledger } = hub([]);
  let attempts = 0;
  const sent = ledger.run(draft(), () => ((attempts += 1), Promise.reject(new Unreachable())));
  const [slip] = ledger.slips;
  if (slip) ledger.giveUp(slip);
  expect([(await sent).state, attempts]).toEqual(["unknown", 1]);
});
