import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { BroadcastSettingsSchema, OutputFault } from "$gen/api/broadcast_pb.js";
import { entryOf, faultWords, settingsOf } from "./broadcast.js";

const SERVER = "https://lichess.org";

test("settings come back as they were typed", () => {
  const settings = create(BroadcastSettingsSchema, {
    delayS: 900,
    boards: [
      { board: "1", delayS: 1800 },
      { board: "A7", delayS: 90 },
    ],
    folder: { path: "/srv/games", lichess: true },
    lichess: {
      server: SERVER,
      rounds: [
        { round: 1, ids: ["AbCdEf12"] },
        { round: 2, ids: ["GhIjKl34", "MnOpQr56"] },
      ],
    },
  });
  const entry = entryOf(settings);
  expect(entry).toMatchObject({ delay: 15, boards: "1=30, A7=1.5", folder: "/srv/games", rounds: "1=AbCdEf12\n2=GhIjKl34,MnOpQr56", token: "" });
  expect(settingsOf(entry, SERVER)).toEqual(settings);
});

test("nothing typed sets nothing", () => {
  const settings = settingsOf(entryOf(undefined), "");
  expect(settings).toEqual(create(BroadcastSettingsSchema, {}));
});

test("an address at Lichess is taken for the id at its end, and a comma ends a board", () => {
  const entry = { ...entryOf(undefined), rounds: " 3 = https://lichess.org/broadcast/open/round-3/AbCdEf12 ", boards: "2 = 1,5" };
  // A comma separates boards, so half minutes need a decimal point.
  expect(settingsOf(entry, "")).toBe("5");
  const settings = settingsOf({ ...entry, boards: "2 = 1.5" }, "");
  expect(settings).toMatchObject({ boards: [{ board: "2", delayS: 90 }], lichess: { rounds: [{ round: 3, ids: ["AbCdEf12"] }] } });
});

test("what cannot be read is named", () => {
  const typed = (part: object): unknown => settingsOf({ ...entryOf(undefined), ...part }, "");
  expect(typed({ boards: "1=30, 2" })).toBe("2");
  expect(typed({ rounds: "1=AbCdEf12\nAbCdEf12" })).toBe("AbCdEf12");
});

test("every fault has its words", () => {
  const faults = Object.values(OutputFault).filter((fault) => typeof fault === "number");
  for (const fault of faults) expect(faultWords(fault) !== "").toBe(fault !== OutputFault.UNSPECIFIED);
});
