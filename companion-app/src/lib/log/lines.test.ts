import { create, toBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { LogLineSchema } from "$gen/api/arbiter_pb.js";
import { OffenceKind } from "$gen/frames/event_pb.js";
import { Side } from "$gen/frames/side_pb.js";
import { RecordSchema } from "$gen/frames/log_pb.js";
import { linesFrom, type Line } from "./lines.js";

const command = (reason: string, offence?: { kind: OffenceKind; side: Side }): Line => {
  const value = {
    id: new Uint8Array([1]),
    actor: "Doe, Jane",
    reason,
    what: { case: "boardCommand", value: "add black 2m" },
    ...(offence ? { offence } : {}),
  } as const;
  const [line] = linesFrom(
    create(LogLineSchema, {
      index: 1n,
      text: `add black 2m by Doe, Jane (${reason})`,
      record: toBinary(RecordSchema, create(RecordSchema, { input: { case: "command", value } })),
    }),
  );
  if (!line) throw new Error("a record without a line");
  return line;
};

test("an offence is known by its field, not by the words of a reason", () => {
  const words = "Illegal move by White, FIDE 7.5.5";
  expect(command(words)).toMatchObject({ text: "add black 2m", reason: words });
  expect(command(words).offence).toBeUndefined();
  expect(command("", { kind: OffenceKind.ILLEGAL_MOVE, side: Side.WHITE }).offence).toBe(true);
});
