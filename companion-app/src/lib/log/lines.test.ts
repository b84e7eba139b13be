import { create, toBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { LogLineSchema } from "$gen/api/arbiter_pb.js";
import { RecordSchema, type Record as LogRecord } from "$gen/frames/log_pb.js";
import { illegalReason, offences } from "$lib/commands/command.js";
import { linesFrom, standingReasons, type Line } from "./lines.js";

const white = illegalReason("white", "FIDE 7.5.5");
const lineFrom = (line: Parameters<typeof linesFrom>[0]): Line => {
  const [first] = linesFrom(line);
  if (!first) throw new Error("a record without a line");
  return first;
};
const record = (index: number, input: LogRecord["input"]): Line =>
  lineFrom(create(LogLineSchema, { index: BigInt(index), record: toBinary(RecordSchema, create(RecordSchema, { input })) }));
const command = (index: number, id: number, what: { case: "boardCommand" | "refused"; value: string }): Line =>
  lineFrom(
    create(LogLineSchema, {
      index: BigInt(index),
      record: toBinary(RecordSchema, create(RecordSchema, { input: { case: "command", value: { id: new Uint8Array([id]), actor: "Doe, Jane", reason: white, what } } })),
    }),
  );

test("an illegal move that was refused or withdrawn does not count", () => {
  const given = command(1, 0xa1, { case: "boardCommand", value: "add black 2m" });
  const refused = command(2, 0xa2, { case: "refused", value: "the game has a result" });
  const withdrawn = record(3, { case: "withdrawn", value: { $typeName: "flagfall.log.v1.Withdrawn", id: new Uint8Array([0xa1]), actor: "Doe, Jane" } });
  const again = command(4, 0xa3, { case: "boardCommand", value: "add black 2m" });
  const counted = (...lines: Line[]): number => offences("white", standingReasons(lines));
  expect([counted(given), counted(given, refused), counted(given, refused, withdrawn), counted(given, refused, withdrawn, again)]).toEqual([1, 1, 0, 1]);
});
