import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { BoardPhase } from "$gen/api/arbiter_pb.js";
import { GameReplaySchema, MomentKind, MomentSchema } from "$gen/api/archive_pb.js";
import { RefusalCode } from "$gen/frames/refusal_pb.js";
import { Side } from "$gen/frames/side_pb.js";
import { flagWords, momentWords } from "$lib/words/moment.js";
import { Player } from "./player.svelte.js";
import { momentOf, nextStep, rowsOf, stepOfMove, stepsOf, type Row } from "./rows.js";
import { amountOf, recordOf, toggled, turnsOf, wireSupposition } from "./supposition.js";
import { exactText, replayFromWire, spanOf, standingAt, standingOf, type Replay } from "./timeline.js";

type Given = MessageInitShape<typeof MomentSchema>;
const S = 1_000_000;
const us = (seconds: number): bigint => BigInt(Math.round(seconds * S));

function moment(record: number, at: number, kind: MomentKind, [white, black]: [number, number], more: Given = {}): Given {
  const clocks = { whiteUs: us(white), blackUs: us(black), phase: BoardPhase.RUNNING, turn: Side.WHITE };
  return { record: BigInt(record), atUs: us(at), kind, ...clocks, ...more };
}
const move = (record: number, at: number, side: Side, number: number, used: number, left: [number, number]): Given =>
  moment(record, at, MomentKind.MOVE, left, {
    side,
    number,
    usedUs: us(used),
    pressedUs: us(side === Side.WHITE ? left[0] : left[1]),
    turn: side === Side.WHITE ? Side.BLACK : Side.WHITE,
  });
/** Record 4 requests two minutes for Black, and record 5 adds them. Without them, Black's flag falls. */
const GIVEN = moment(5, 3.5, MomentKind.ACTION, [57, 127], { text: "add black 2m", actor: "Doe, Jane", asked: 4n });
const WAS: Given[] = [
  moment(1, 0, MomentKind.SET, [60, 10], { text: "1m vs 10s", phase: BoardPhase.READY }),
  moment(2, 0, MomentKind.STARTED, [60, 10], { side: Side.WHITE }),
  move(3, 3, Side.WHITE, 1, 3, [57, 10]),
  moment(4, 3.2, MomentKind.ASKED, [57, 10], { text: "add black 2m", actor: "Doe, Jane" }),
  GIVEN,
  move(6, 20, Side.BLACK, 1, 17, [57, 113]),
  moment(7, 77, MomentKind.FLAG, [0, 113], { side: Side.WHITE, phase: BoardPhase.FLAGGED, turn: Side.WHITE }),
];
const WOULD: Given[] = [
  ...WAS.slice(0, 4),
  moment(6, 13, MomentKind.FLAG, [57, 0], { side: Side.BLACK, phase: BoardPhase.FLAGGED, turn: Side.BLACK }),
  moment(6, 20, MomentKind.IGNORED, [57, 0], { side: Side.BLACK }),
];
const plans = (from: number, at: number[]): { fromUs: bigint; segments: { fromUs: bigint; whiteUs: bigint; blackUs: bigint; whiteRate: number }[] }[] =>
  at.map((step) => ({ fromUs: us(step), segments: [{ fromUs: us(step), whiteUs: us(from - step), blackUs: us(10), whiteRate: -1 }] }));

function replay(would?: Given[]): Replay {
  return replayFromWire(
    create(GameReplaySchema, {
      was: { board: "7", game: 2, round: 3, white: "Okonkwo, Chidera", black: "Lindqvist, Tove", control: "1m vs 10s", moments: WAS, plans: plans(60, [0, 3]) },
      ...(would
        ? {
            would: { board: "7", game: 2, moments: would },
            moves: [{ side: Side.BLACK, move: 1, was: { blackUs: us(113) } }],
            flags: [
              { side: Side.WHITE, wasUs: us(77), during: 2 },
              { side: Side.BLACK, wouldUs: us(13), during: 1 },
            ],
          }
        : {}),
      records: 8n,
      head: new Uint8Array([0xab, 1]),
    }),
  );
}

test("times are exact, and never longer than they were", () => {
  for (const [micros, text] of [
    [0, "0:00.000"],
    [999, "0:00.000"],
    [43_617_999, "0:43.617"],
    [3_723_004_000, "1:02:03.004"],
    [-1_500_000, "−0:01.500"],
  ] as const)
    expect(exactText(micros)).toBe(text);
});

test("a press is shown as the button went down, everything else with the clocks after it", () => {
  const { was } = replay();
  const black = was.moments[5];
  const [set] = was.moments;
  if (!black || !set) throw new Error("the game has these moments");
  expect(standingOf({ ...black, pressedUs: 110 * S })).toMatchObject({ us: { white: 57 * S, black: 110 * S }, running: "black" });
  expect(standingOf(set)).toMatchObject({ us: { white: 60 * S, black: 10 * S }, running: null });
});

test("a kind of moment from a newer hub keeps the hub's own text", () => {
  const newer = Object.assign(create(MomentSchema, { record: 9n, text: "the clock was polished" }), { kind: 99 });
  expect(replayFromWire(create(GameReplaySchema, { was: { board: "7", moments: [newer] } })).was.moments[0]).toMatchObject({
    kind: "other",
    text: "the clock was polished",
  });
});

test("between presses the clocks follow the hub's plans", () => {
  const { was } = replay();
  expect(standingAt(was, 2 * S).us.white).toBe(58 * S);
  expect(standingAt(was, 4.5 * S).us.white).toBe(55.5 * S);
  expect(standingAt(was, 80 * S)).toMatchObject({ running: null, fallen: "white" });
  expect(spanOf(was)).toEqual([0, 77 * S]);
});

test("presses of one number share a row, and an action parts them", () => {
  const said = (row: Row): string => (row.kind === "move" ? `${row.number}${row.white ? "w" : ""}${row.black ? "b" : ""}` : momentOf(row.step).kind);
  expect(rowsOf(stepsOf(replay()), "game").map(said)).toEqual(["set", "started", "1w", "action", "1b", "flag"]);
  expect(rowsOf(stepsOf(replay()), "all").map(said)).toEqual(["set", "started", "1w", "asked", "action", "1b", "flag"]);
});

test("both games merge in the order of play, each difference marked", () => {
  const steps = stepsOf(replay(WOULD));
  const said = steps.map(({ was, would, differs }) => `${was?.kind ?? "-"} ${would?.kind ?? "-"}${differs ? " ≠" : ""}`);
  expect(said).toEqual(["set set", "started started", "move move", "asked asked", "action - ≠", "- flag ≠", "move - ≠", "- ignored ≠", "flag - ≠"]);
  expect(new Set(steps.map(({ id }) => id)).size).toBe(steps.length);
});

test("an action is left out by the record of its request, and taken back by the same tap", () => {
  const { was } = replay();
  const records = was.moments.map(recordOf);
  expect(records).toEqual([null, null, null, null, 4, null, null]);
  const once = toggled({ without: [9], add: [], control: "" }, 4);
  expect(once.without).toEqual([4, 9]);
  expect(toggled(once, 4).without).toEqual([9]);
});

test("an addition is written as the hub reads it", () => {
  const wire = wireSupposition({ without: [4], add: [{ side: "black", us: -90 * S, before: { side: "white", number: 23 } }], control: "90m+30s" });
  expect([wire.without, wire.add, wire.control]).toEqual([[4n], ["black -90s before 23w"], "90m+30s"]);
  for (const [typed, seconds] of [
    ["2:00", 120],
    ["+2:00", 120],
    ["−1:30", -90],
    ["30", 30],
  ] as const)
    expect(amountOf(typed), typed).toBe(seconds * S);
  for (const typed of ["", "0:00", "2:60", "2:0", "two"]) expect(amountOf(typed), typed).toBeNull();
  expect(turnsOf(replay().was)).toEqual([
    { side: "white", number: 1 },
    { side: "black", number: 1 },
    { side: "white", number: 2 },
  ]);
});

test("the player steps, finds flags, and keeps its place when the game is replayed under a supposition", () => {
  let game = replay();
  let steps = stepsOf(game);
  const frames: ((ms: number) => void)[] = [];
  const player = new Player(
    () => game,
    () => steps,
    (draw) => frames.push(draw),
  );
  const step = stepOfMove(steps, "black", 1);
  if (!step) throw new Error("the game has this move");
  player.at(step);
  expect(player.standing("was")?.us.black).toBe(113 * S);
  expect(player.standing("would")).toBeNull();
  game = replay(WOULD);
  steps = stepsOf(game);
  expect(player.step?.was?.kind).toBe("move");
  // In the hypothetical game this press completed no move, so the clocks shown are those at its instant.
  expect(player.standing("would")?.us).toEqual({ white: 57 * S, black: 0 });
  expect(player.move(1, ["flag"])).toBe(true);
  expect(player.atUs).toBe(77 * S);
  expect(player.move(1)).toBe(false);
  expect(nextStep(steps, undefined, 1)).toBe(steps[0]);

  player.end(-1);
  player.speed = 20;
  player.toggle();
  for (const ms of [0, 100, 1100]) frames.shift()?.(ms);
  expect(player.atUs).toBe(22 * S);
  for (const ms of [5000]) frames.shift()?.(ms);
  expect([player.playing, player.atUs]).toEqual([false, 77 * S]);
});

test("moments and flags are named in words", () => {
  const { was, flags } = replay(WOULD);
  const said = was.moments.map((one) => momentWords(one, undefined, 0));
  expect(said[4]).toBe("Black +2:00");
  expect(said[5]).toBe("1… Black");
  expect(said[6]).toBe("White’s flag fell");
  expect(flags.map((one) => flagWords(one, 0))).toEqual([
    expect.stringMatching(/^White’s flag would not have fallen\. It fell at .*, on move 2\.$/),
    expect.stringMatching(/^Black’s flag would have fallen at .*, on move 1\.$/),
  ]);
  const refused = replayFromWire(
    create(GameReplaySchema, { was: { moments: [{ ...GIVEN, refused: "ENGLISH", refusal: { code: RefusalCode.GAME_OVER } } as Given] } }),
  );
  const [moment] = refused.was.moments;
  if (!moment) throw new Error("the game has a moment");
  expect(momentWords(moment, undefined, 0)).not.toContain("ENGLISH");
  expect(recordOf(moment)).toBeNull();
});
