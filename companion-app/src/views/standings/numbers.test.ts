import { create } from "@bufbuild/protobuf";
import { ChangeSchema } from "$gen/frames/event_pb.js";
import { expect, test } from "vitest";
import { moved } from "./numbers.js";

test("only players with another number are listed, in the new order", () => {
  const renumber = create(ChangeSchema, { what: { case: "renumber", value: { order: [3, 2, 1, 4] } } });
  expect(moved([renumber])).toEqual([
    { before: 3, after: 1 },
    { before: 1, after: 3 },
  ]);
  expect(moved([create(ChangeSchema, { what: { case: "confirm", value: 1 } })])).toEqual([]);
});
