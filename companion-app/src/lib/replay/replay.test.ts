import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { GameReplaySchema, MomentKind } from "$gen/api/archive_pb.js";
import { Side } from "$gen/frames/side_pb.js";
import { clocksAt, exactText, isOfPlay, moveKey, replayFromWire, spanOf } from "./replay.js";

const segment = (fromUs: number, whiteUs: number, whiteRate: number): object => ({
  fromUs: BigInt(fromUs),
  whiteUs: BigInt(whiteUs),
  blackUs: 300_000_000n,
  whiteRate,
  blackRate: 0,
  whiteAllotment: "main",
  blackAllotment: "main",
});

const replay = replayFromWire(
  create(GameReplaySchema, {
    was: {
      moments: [
        { kind: MomentKind.SET, atUs: 0n },
        { kind: MomentKind.STARTED, atUs: 1_000_000n, side: Side.WHITE },
        { kind: MomentKind.MOVE, atUs: 3_500_000n, side: Side.WHITE, number: 1, usedUs: 2_500_000n },
        { kind: MomentKind.NOTE, atUs: 9_000_000n },
      ],
      plans: [
        { fromUs: 1_000_000n, segments: [segment(1_000_000, 300_000_000, -1)] },
        { fromUs: 3_500_000n, segments: [segment(3_500_000, 297_500_000, 0)] },
      ],
    },
    moves: [{ side: Side.BLACK, move: 17 }],
    flags: [{ side: Side.BLACK, wouldUs: 5n, during: 18 }],
    head: new Uint8Array([1, 171]),
  }),
);

test("the clocks run between two moments and stand after the last", () => {
  expect(clocksAt(replay.was, 999_999)).toBeNull();
  expect(clocksAt(replay.was, 2_000_000)?.white.us).toBe(299_000_000);
  expect(clocksAt(replay.was, 3_500_000)?.white.us).toBe(297_500_000);
  expect(clocksAt(replay.was, 60_000_000)?.white.us).toBe(297_500_000);
});

test("a replay spans the game from its start to its last change", () => {
  expect(spanOf(replay.was)).toEqual([1_000_000, 3_500_000]);
  expect(isOfPlay(MomentKind.MOVE)).toBe(true);
  expect(isOfPlay(MomentKind.NOTE)).toBe(false);
});

test("differences name their moves and flags", () => {
  expect([...replay.changed]).toEqual(["17b"]);
  expect(moveKey({ number: 17, side: "white" })).toBe("17w");
  expect(replay.flags).toEqual([{ side: "black", wasUs: undefined, wouldUs: 5, during: 18 }]);
  expect(replay.head).toBe("01ab");
});

test("times are exact to the millisecond and never rounded up", () => {
  expect(exactText(4_323_120_999)).toBe("1:12:03.120");
  expect(exactText(-1_500_000)).toBe("−0:00:01.500");
});
