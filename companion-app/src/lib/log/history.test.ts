import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { LogLineSchema } from "$gen/api/arbiter_pb.js";
import { Button, EventBodySchema } from "$gen/frames/frames_pb.js";
import { ChangedSchema, RecordSchema, type Record as LogRecord } from "$gen/frames/log_pb.js";
import { Side } from "$gen/frames/side_pb.js";
import { setLocale } from "$lib/words/catalogue.js";
import { setZone } from "$lib/words/day-time.js";
import { differenceWords, lineWords } from "$lib/words/log.js";
import { gamesOf, ofGame, pressesOf, shownFirst } from "./games.js";
import { joined, linesFrom, type Line } from "./lines.js";

setLocale("en");
setZone("Europe/Berlin");
/** 14:00:00 on 22 November 2026 in Berlin. */
const AT = BigInt(Date.UTC(2026, 10, 22, 13, 0, 0)) * 1000n;
const around = { nowUs: Number(AT), command: () => undefined };
type Init = MessageInitShape<typeof ChangedSchema>;

function read(index: number, input: LogRecord["input"], changed: Init, game = 1, round = 1): Line[] {
  const record = create(RecordSchema, {
    hubUs: AT,
    board: "7",
    input,
    changed: create(ChangedSchema, changed),
    after: { whiteUs: 60_000_000n, blackUs: 90_000_000n },
  });
  return linesFrom(create(LogLineSchema, { index: BigInt(index), hubUs: AT, board: "7", game, round, record: toBinary(RecordSchema, record) }));
}
const settled = { case: "settled", value: { $typeName: "flagfall.log.v1.Settled", atUs: 0n } } as const;
const command = (id: number, text: string): LogRecord["input"] => ({
  case: "command",
  value: create(RecordSchema, {
    input: { case: "command", value: { id: new Uint8Array([id]), actor: "Doe, Jane", what: { case: "boardCommand", value: text } } },
  }).input.value as never,
});
const pressed = (seq: bigint): LogRecord["input"] => {
  const body = toBinary(EventBodySchema, create(EventBodySchema, { seq, fact: { case: "press", value: { button: Button.LEFT } } }));
  return create(RecordSchema, { input: { case: "agentEvent", value: { body } } }).input;
};
const taken = (): LogRecord["input"] => {
  const body = toBinary(EventBodySchema, create(EventBodySchema, { fact: { case: "orderTaken", value: {} } }));
  return create(RecordSchema, { input: { case: "agentEvent", value: { body } } }).input;
};
const move = (side: Side, n: number, seq: bigint, atUs = AT): NonNullable<Init["moves"]>[number] => ({
  side,
  move: n,
  usedUs: 2_000_000n,
  leftUs: 60_000_000n,
  atUs,
  eventSeq: seq,
});
const values = (white: bigint, black: bigint, moves = 12) => ({
  white: { timeUs: white, moves, period: 1 },
  black: { timeUs: black, moves, period: 1 },
  phase: "paused",
  turn: Side.WHITE,
});

test("a flag fall is a line at its instant, with the time of confirmation", () => {
  const lines = read(1, settled, { flags: [{ side: Side.BLACK, atUs: AT - 700_000n }] });
  expect(lines.map((line) => line.kind)).toEqual(["quiet", "flag"]);
  const [, fell] = lines;
  expect(fell).toMatchObject({ atUs: Number(AT) - 700_000, flag: { side: "black" }, part: 1 });
  expect(lineWords(fell as Line, around)).toMatch(/^Flag fell; confirmed at 0?2:00:00\.0.*PM|^Flag fell; confirmed at 14:00:00\.0/);
});

test("an unconfirmed flag and lost and restored links are lines of their own", () => {
  const [expected] = read(
    1,
    { case: "flagExpected", value: create(RecordSchema, { input: { case: "flagExpected", value: { side: Side.WHITE, atUs: AT - 5n } } }).input.value as never },
    {},
  );
  expect(expected).toMatchObject({ kind: "flag", atUs: Number(AT) - 5, flag: { side: "white" } });
  expect(lineWords(expected as Line, around)).toBe("Time used up; the clock has not confirmed the flag");
  const link = (online: boolean): string => {
    const input = create(RecordSchema, { input: { case: "linkChanged", value: { online, ...(online ? {} : { heardUs: AT }) } } }).input;
    const [line] = read(2, input, {});
    expect(line?.kind).toBe("link");
    return lineWords(line as Line, around);
  };
  expect(link(true)).toBe("Clock connected");
  expect(link(false)).toContain("Clock connection lost; last signal");
});

test("a press is the line of its move; with two clocks the move comes in a later record", () => {
  const [own, ...more] = read(1, pressed(9n), { moves: [move(Side.WHITE, 31, 9n, AT - 3n)] });
  expect(more).toEqual([]);
  expect(own).toMatchObject({ kind: "press", atUs: Number(AT) - 3, made: { side: "white", move: 31 } });
  expect(lineWords(own as Line, around)).toBe("31. in 0:02.0, 1:00 left");
  const both = read(2, settled, { moves: [move(Side.WHITE, 1, 1n), move(Side.BLACK, 1, 2n)] });
  expect(both.map((line) => line.made?.side)).toEqual([undefined, "white", "black"]);
});

test("a correction shows every changed value on the arbiter's own line", () => {
  const requested = read(1, command(0xa1, "set black 7m30s"), {});
  expect(requested[0]?.effect).toBeUndefined();
  const done = read(2, taken(), {
    commands: [new Uint8Array([0xa1])],
    before: { ...values(60_000_000n, 300_000_000n), control: "5m" },
    after: { ...values(60_000_000n, 450_000_000n, 13), control: "5m+10s", turn: Side.BLACK },
  });
  const [line] = joined(requested, done);
  const words = (line?.effect?.differences ?? []).map(differenceWords);
  expect(words.map((one) => `${one?.name}: ${one?.from} → ${one?.to}`)).toEqual([
    "White, moves: 12 → 13",
    "Black: 5:00 → 7:30",
    "Black, moves: 12 → 13",
    "To move: White → Black",
    "Time control: 5 min → 5 min + 10 s per move",
  ]);
});

test("a clock's refusal is shown on the line of the request", () => {
  const requested = read(1, command(0xa1, "pause"), {});
  const [line] = joined(requested, read(2, taken(), { commands: [new Uint8Array([0xa1])], refused: "the clocks are stopped" }));
  expect(line).toMatchObject({ refused: true, effect: { refusal: { text: "the clocks are stopped" } } });
});

test("stopping the clocks is a stop, and calling the arbiter is a call", () => {
  const stop = (changed: Init): Line => {
    const body = toBinary(EventBodySchema, create(EventBodySchema, { fact: { case: "stop", value: {} } }));
    return read(1, create(RecordSchema, { input: { case: "agentEvent", value: { body } } }).input, changed)[0] as Line;
  };
  expect(lineWords(stop({ stopped: true }), around)).toBe("Both clocks stopped");
  expect(lineWords(stop({ arbiterCalled: true }), around)).toBe("Arbiter called (FIDE 6.11.2)");
  expect(stop({}).kind).toBe("quiet");
});

test("a finished game keeps its moves until the next one begins", () => {
  const first = [...read(1, pressed(1n), { moves: [move(Side.WHITE, 1, 1n)] }), ...read(2, pressed(2n), { moves: [move(Side.BLACK, 1, 2n)] })];
  const next = read(3, taken(), { newGame: { round: 2 } }, 2, 2);
  const lines = [...first, ...next];
  const games = gamesOf(lines);
  expect(games).toEqual([
    { game: 1, round: 1, moves: 2 },
    { game: 2, round: 2, moves: 0 },
  ]);
  expect([shownFirst(games, false), shownFirst(games, true)]).toEqual([1, 2]);
  expect(pressesOf(ofGame(lines, 1)).map((press) => [press.side, press.move, press.eventSeq])).toEqual([
    ["white", 1, 1n],
    ["black", 1, 2n],
  ]);
  expect(ofGame(lines, 0)).toEqual(next);
  const again = [...lines, ...read(4, taken(), { newGame: { round: 2 } }, 3, 2)];
  expect(
    gamesOf(again).map((one) => one.game),
    "a clock set twice is one game",
  ).toEqual([1, 3]);
  expect(next.map((line) => [line.kind, lineWords(line, around)])).toEqual([["clock", "Clock set for a new game"]]);
});

test("moves removed by a restore disappear from the game", () => {
  const lines = joined(
    [
      ...read(1, pressed(1n), { moves: [move(Side.WHITE, 1, 1n)] }),
      ...read(2, pressed(2n), { moves: [move(Side.BLACK, 1, 2n)] }),
      ...read(3, command(0xb1, "restore abc"), {}),
    ],
    read(4, taken(), {
      commands: [new Uint8Array([0xb1])],
      before: values(1n, 1n, 1),
      after: { white: { timeUs: 1n, moves: 1 }, black: { timeUs: 1n, moves: 0 } },
    }),
  );
  expect(pressesOf(lines).map((press) => press.side)).toEqual(["white"]);
});
