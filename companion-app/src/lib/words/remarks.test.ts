import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { beforeAll, expect, test } from "vitest";
import { FideListFaultKind, FideListFaultSchema } from "$gen/api/fide_pb.js";
import { RemarkKind, RemarkSchema } from "$gen/api/remark_pb.js";
import { ExpectationKind } from "$gen/frames/file_fault_pb.js";
import { Bye, Outcome } from "$gen/frames/event_pb.js";
import { Side } from "$gen/frames/side_pb.js";
import { loadWords, setLocale } from "./catalogue.js";
import { listFaultWords, remarkWords } from "./remarks.js";

beforeAll(async () => {
  await loadWords("de");
  setLocale("en");
});

const words = (about: MessageInitShape<typeof RemarkSchema>): string => remarkWords(["hub"], [create(RemarkSchema, about)])[0] ?? "";
const CID = { number: 3, name: "Charlie, Cid" };
const ANN = { number: 1, name: "Alpha, Anna" };

test("a remark names its players with their numbers", () => {
  expect(words({ kind: RemarkKind.MET_BEFORE, entrants: [CID, ANN], round: 1 })).toBe("3 Charlie, Cid and 1 Alpha, Anna played each other in round 1.");
  expect(words({ kind: RemarkKind.MISSING_PLAYERS, entrants: [CID, ANN], count: 7 })).toBe(
    "7 players are in the event but not in the file: 3 Charlie, Cid; 1 Alpha, Anna …",
  );
  const forbidden = { kind: RemarkKind.FORBIDDEN_PAIR, entrants: [CID, ANN], round: 2 };
  expect(words(forbidden)).toContain("the event forbids this pairing.");
  expect(words({ ...forbidden, numbers: [1, 3] })).toContain("in rounds 1 to 3.");
});

test("a remark on a file begins with the place, and quotes what is there", () => {
  const field = { kind: RemarkKind.READ_AS_BYE, line: 20, column: 119, text: "=", bye: Bye.HALF };
  expect(words(field)).toBe("Line 20, column 119: “=” without an opponent counts as a bye: Half-point bye");
  expect(words({ kind: RemarkKind.RECORD_LEFT_OUT, line: 14, column: 5, otherText: "172", text: "A B C" })).toBe(
    "Line 14, column 5: Record 172 cannot be read and is left out. Found: “A B C”.",
  );
  const expected = { kind: ExpectationKind.NUMBER, number: 1, other: 200 };
  expect(words({ kind: RemarkKind.RECORD_KEPT, line: 14, column: 19, otherText: "250", expected, text: "x" })).toBe(
    "Line 14, column 19: Record 250 cannot be read; exports keep it unchanged. Expected a number from 1 to 200. Found: “x”.",
  );
  expect(words({ kind: RemarkKind.RECORD_KEPT, line: 14, column: 19, otherText: "250" })).toBe(
    "Line 14, column 19: Record 250 cannot be read; exports keep it unchanged.",
  );
});

test("a corrected result is shown as on the score sheet", () => {
  const played = { kind: { case: "played" as const, value: { white: Outcome.DRAW, black: Outcome.DRAW, unrated: true } } };
  const forfeit = { kind: { case: "forfeit" as const, value: { winner: Side.WHITE } } };
  const about = { kind: RemarkKind.CORRECTED_RESULT, round: 2, board: 1, entrants: [CID, { number: 0, name: "" }], resultInFile: played };
  expect(words({ ...about, resultHere: forfeit })).toBe(
    "Round 2, board 1, Charlie, Cid – –: the file still has ½–½, unrated. The arbiter’s correction is kept: +:–",
  );
  expect(words(about)).toContain("is kept: –");
});

test("a result with more than a game's points names both players", () => {
  const both = { kind: { case: "played" as const, value: { white: Outcome.WIN, black: Outcome.DRAW } } };
  const about = { kind: RemarkKind.POINTS_ADDED, round: 3, board: 7, entrants: [CID, { number: 9, name: "Lund, Eva" }], resultInFile: both };
  expect(words(about)).toContain("Charlie, Cid – Lund, Eva: 1–½ adds up to more points than one game awards.");
});

test("points and ranks of a file are compared with those here", () => {
  const points = { entrants: [{ number: 3 }], pointsInFile: [50n], pointsHere: [250n], line: 8 };
  expect(words({ kind: RemarkKind.UNEXPLAINED_POINTS, ...points })).toBe("Line 8: Player 3: the file gives a score of ½, but the results add up to 2½.");
  const ranks = { entrants: [{ number: 3 }], numbers: [3, 6], inFile: 3, here: 2, texts: ["BH", "SB"] };
  expect(words({ kind: RemarkKind.RANKS_BY_TIE_BREAKS, ...ranks })).toContain("3 of 6 players");
  expect(words({ kind: RemarkKind.RANKS_BY_TIE_BREAKS, ...ranks, teams: true })).toContain("The file’s tie-breaks apply here: BH, SB.");
});

test("a remark of a newer or an older hub keeps the hub's words", () => {
  expect(remarkWords(["hub"], [Object.assign(create(RemarkSchema), { kind: 999 })])).toEqual(["hub"]);
  expect(remarkWords(["one", "two"], [])).toEqual(["one", "two"]);
  expect(listFaultWords(create(FideListFaultSchema, { line: 7n, text: "of an older hub" }))).toBe("Line 7: of an older hub");
  const fault = { line: 7n, text: "hub", kind: FideListFaultKind.RAPID_RATING, found: "9999x" };
  setLocale("de");
  expect(listFaultWords(create(FideListFaultSchema, fault))).toBe("Zeile 7: „9999x“ ist keine Elo-Zahl (Schnellschach).");
  setLocale("en");
});
