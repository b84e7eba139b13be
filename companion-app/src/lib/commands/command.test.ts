import { expect, test } from "vitest";
import { OffenceKind } from "$gen/frames/event_pb.js";
import { Side } from "$gen/frames/side_pb.js";
import { addTime, duration, illegalReason, lossOf, request } from "./command.js";

test("lengths", () => {
  expect([duration("1h30m"), duration("2.5s"), duration("250ms"), duration("soon")]).toEqual([5400e6, 2.5e6, 250e3, null]);
  expect([duration("1.2.3h"), duration(".s"), duration("")]).toEqual([null, null, null]);
});

test("an offence is a field of its own, whatever the reason says", () => {
  const id = new Uint8Array(16);
  const reason = illegalReason("white", "FIDE 7.5.5");
  expect(request(id, "1", 7n, reason, addTime("black", 120e6)).offence).toBeUndefined();
  expect(request(id, "1", 7n, "", addTime("black", 120e6), { side: "white" }).offence).toMatchObject({
    kind: OffenceKind.ILLEGAL_MOVE,
    side: Side.WHITE,
    withdrawn: false,
  });
  expect(request(id, "1", 7n, "", addTime("white", -120e6), { side: "black", withdrawn: true }).offence).toMatchObject({ side: Side.BLACK, withdrawn: true });
});

test("the loser's opponent wins", () => expect([lossOf("white"), lossOf("black")]).toEqual(["0-1", "1-0"]));
