import { expect, test } from "vitest";
import { addTime, endGame, illegalReason, restore, resume, setTime } from "$lib/commands/command.js";
import { press } from "$lib/testing.js";
import { sheetFor } from "./sheet.js";

test("a refused command is reviewed on its own sheet, with its remaining commands", () => {
  const draft = (reason: string, ...commands: ReturnType<typeof resume>[]) => ({ board: "7", label: "", reason, commands });
  const correction = draft("Irregularity, FIDE 7.1", setTime("white", 330e6), setTime("black", 60e6), resume("white"));
  expect(sheetFor(correction, 0, [])).toEqual({ kind: "correct", typed: { time: { white: 330, black: 60 } }, reason: correction.reason });
  expect(sheetFor(correction, 1, [])).toEqual({ kind: "correct", typed: { time: { black: 60 } }, reason: correction.reason });
  // An offence is counted once, with the first command that the hub accepts.
  const offence = { ...correction, reason: illegalReason("white", "FIDE 7.5.5"), offence: { side: "white" } as const };
  expect(sheetFor(offence, 0, [])).toMatchObject({ reason: offence.reason });
  expect(sheetFor(offence, 1, [])).toMatchObject({ reason: "" });
  expect(sheetFor(correction, 2, [])).toBe(null);
  expect(sheetFor(draft("", endGame("result 1-0")), 0, [])).toEqual({ kind: "result", how: "unsaid" });
  expect(sheetFor({ ...draft("", endGame("result 0-1")), offence: { side: "white" } }, 0, [])).toEqual({ kind: "result", how: "illegal" });
  expect(sheetFor(draft("", restore(4n)), 0, [press(4)])).toEqual({ kind: "restore", presses: [press(4)] });
  expect(sheetFor(draft("", addTime("white", 120e6)), 0, [])).toBe(null);
});
