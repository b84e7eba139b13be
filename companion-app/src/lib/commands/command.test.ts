import { expect, test } from "vitest";
import { OffenceKind } from "$gen/frames/event_pb.js";
import { Side } from "$gen/frames/side_pb.js";
import { addTime, duration, illegalReason, lossOf, penaltyUnder, request, sixtyMoves } from "./command.js";

test.each([
  ["90m+30s", 7200e6, "FIDE 7.5.5"],
  ["40/90m+30s : 30m+30s runs on", 9000e6, "FIDE 7.5.5"],
  ["40/2h : 20/1h", 10800e6, "FIDE 7.5.5"],
  ["60m", 3600e6, "FIDE 7.5.5"],
  ["59m59s", 3599e6, "FIDE A.3"],
  ["15m+10s", 1500e6, "FIDE A.3"],
  ["10m1s", 601e6, "FIDE A.3"],
  ["10m", 600e6, "FIDE B.2"],
  ["3m+2s", 300e6, "FIDE B.2"],
  ["5m vs 4m", 300e6, "FIDE B.2"],
  ["3m delay 2s", 180e6, "FIDE B.2"],
])("%s is %d µs for sixty moves: %s", (control, us, article) => {
  expect(sixtyMoves(control)).toBe(us);
  expect(penaltyUnder(control)).toEqual({ article, us: article === "FIDE 7.5.5" ? 120e6 : 60e6 });
});

test("an unknown control gets the penalty of the Laws themselves", () => {
  expect(sixtyMoves("triple 450")).toBeNull();
  expect(penaltyUnder("triple 450").us).toBe(120e6);
});

test("lengths", () => {
  expect([duration("1h30m"), duration("2.5s"), duration("250ms"), duration("soon")]).toEqual([5400e6, 2.5e6, 250e3, null]);
});

test("an offence is a field of its own, whatever the reason says", () => {
  const id = new Uint8Array(16);
  const reason = illegalReason("white", "FIDE 7.5.5");
  expect(request(id, "1", 7n, reason, addTime("black", 120e6)).offence).toBeUndefined();
  expect(request(id, "1", 7n, "", addTime("black", 120e6), { side: "white" }).offence).toMatchObject({
    kind: OffenceKind.ILLEGAL_MOVE,
    side: Side.WHITE,
    revoked: false,
  });
  expect(request(id, "1", 7n, "", addTime("white", -120e6), { side: "black", revoked: true }).offence).toMatchObject({ side: Side.BLACK, revoked: true });
});

test("the loser's opponent wins", () => expect([lossOf("white"), lossOf("black")]).toEqual(["0-1", "1-0"]));
