// Checks that no English text of the hub reaches a screen in another language. In the messages built here, each text is a marker, which must not
// appear where the same facts are also sent as fields.

import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { LogLineSchema } from "$gen/api/arbiter_pb.js";
import { ZeroCertificateSchema } from "$gen/api/zero_test_pb.js";
import { BoardReasonKind, BoardReasonSchema } from "$gen/api/board_reason_pb.js";
import { FideListFaultKind, FideListFaultSchema, RatingFindingCode, RatingFindingSchema } from "$gen/api/fide_pb.js";
import { RemarkKind, RemarkSchema } from "$gen/api/remark_pb.js";
import { DifferenceItemSchema, ExplanationSchema } from "$gen/api/tournament_pb.js";
import { Bye, ChangeSchema, Outcome, ProposalReason, TournamentSchema, type Change } from "$gen/frames/event_pb.js";
import { ExpectationKind } from "$gen/frames/file_fault_pb.js";
import { EventBodySchema } from "$gen/frames/frames_pb.js";
import { RecordSchema } from "$gen/frames/log_pb.js";
import { RefusalCode, RefusalDetailKind, RefusalDetailSchema, RefusalSchema } from "$gen/frames/refusal_pb.js";
import { Side } from "$gen/frames/side_pb.js";
import { linesFrom } from "$lib/log/lines.js";
import { board as aBoard } from "$lib/testing.js";
import { locales, loadWords, setLocale } from "./catalogue.js";
import { findingWords as testWords } from "./clock-test.js";
import { differenceWords } from "./differences.js";
import { explanationWords } from "./explanation.js";
import { lineWords } from "./log.js";
import { NOTE_KINDS, noteWords } from "./notes.js";
import { findingWords } from "./rating.js";
import { refusalWords } from "./refusal.js";
import { listFaultWords, remarkWords } from "./remarks.js";
import { proposalWords, workWords } from "./round-work.js";

const MARK = "ENGLISH OF THE HUB";
const others = locales.filter((locale) => locale !== "en");

function inEachLanguage(name: string, said: () => readonly string[]): void {
  test.each(others)(`${name} in %s`, async (locale) => {
    await loadWords(locale);
    setLocale(locale);
    const texts = said();
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) expect(text).not.toContain(MARK);
    for (const text of texts) expect(text.trim()).not.toBe("");
  });
}

type What = NonNullable<MessageInitShape<typeof ChangeSchema>["what"]>;
const change = (what: What): Change => create(ChangeSchema, { what });
const played = { kind: { case: "played" as const, value: { white: Outcome.WIN, black: Outcome.LOSS } } };
const board = { board: 1, white: 1, black: 2 };

/** At least one example of each kind of change that a file can bring. */
const CHANGES: readonly (readonly Change[])[] = [
  [change({ case: "setEvent", value: { name: "Cup", city: "Riga", rounds: 7, tieBreaks: ["BH"] } })],
  [change({ case: "setEvent", value: {} })],
  [change({ case: "enterPlayer", value: { no: 9, name: "Neu, Nina", title: "WFM", rating: 2100 } })],
  [change({ case: "enterPlayer", value: { no: 1, name: "Alpha, Anna", rating: 2200 } })],
  [change({ case: "enterPlayer", value: { no: 1, name: "Alpha, Ann", club: "SC" } })],
  [change({ case: "enterTeam", value: { no: 1, name: "Riga" } })],
  [change({ case: "enterTeam", value: { no: 7, name: "Oslo" } })],
  [
    change({ case: "pairRound", value: { round: 2, boards: [board], byes: [{ player: 3, bye: Bye.HALF }] } }),
    change({ case: "enter", value: { round: 2, board: 1, result: played } }),
  ],
  [change({ case: "pairRound", value: { round: 1, boards: [{ ...board, board: 4 }] } })],
  [change({ case: "unpair", value: 1 }), change({ case: "pairRound", value: { round: 1, boards: [board], teamByes: [{ team: 1, bye: Bye.FULL }] } })],
  [change({ case: "reseat", value: { round: 1, pairings: [board] } })],
  [change({ case: "removeBoards", value: { round: 1, boards: [1] } })],
  [change({ case: "enter", value: { round: 1, board: 1, result: played } })],
  [change({ case: "forfeitMatch", value: { round: 1, match: 2, forfeit: { winner: Side.WHITE } } })],
  [change({ case: "forfeitMatch", value: { round: 1, match: 2 } })],
  [change({ case: "grantBye", value: { player: 1, round: 3, bye: Bye.HALF } })],
  [change({ case: "renumber", value: { order: [2, 1] } })],
  [change({ case: "stateStandings", value: { standings: { file: "cup.trf" } } })],
];

const KNOWN = create(TournamentSchema, {
  event: { name: "Old Cup", rounds: 5 },
  players: [
    { no: 1, name: "Alpha, Ann" },
    { no: 2, name: "Beta, Ben" },
  ],
  teams: [{ no: 1, name: "Tallinn" }],
  rounds: [{ round: 1, boards: [{ pairing: board, result: { kind: { case: "forfeit", value: { winner: Side.BLACK } } } }] }],
});

const WITH_DETAIL: ReadonlySet<RefusalCode> = new Set([
  RefusalCode.FILE_UNREADABLE,
  RefusalCode.RESULT_IMPOSSIBLE,
  RefusalCode.EVENT_INVALID,
  RefusalCode.EVENT_CONFLICT,
  RefusalCode.PAIRING_FAILED,
]);
const BOARD = aBoard();

describe("no English of the hub", () => {
  for (const known of [KNOWN, null]) {
    inEachLanguage(`what a file changes ${known ? "in an event" : "without one"}`, () =>
      CHANGES.flatMap((changes) => differenceWords([create(DifferenceItemSchema, { words: MARK, changes: [...changes] })], known)),
    );
  }

  inEachLanguage("how a tie-break is made up", () => {
    const terms = [
      { round: 1, opponent: 2, amount: 25_000n },
      { round: 2, opponent: 0, amount: 3333n, cut: true },
      { round: 0, opponent: 1, amount: 10_000n },
    ];
    return explanationWords(create(ExplanationSchema, { words: [MARK], terms }), () => "Alpha, Ann");
  });

  test.each(others)("a value without terms has no words of the hub in %s", async (locale) => {
    await loadWords(locale);
    setLocale(locale);
    expect(explanationWords(create(ExplanationSchema, { words: [MARK] }), String)).toEqual([]);
  });

  inEachLanguage("why a clock failed its test", () => {
    const limits = { limitErrorUs: 1000n, limitIntervalUs: 2000n, limitRatePpb: 500_000n };
    const certificate = (figures: object) => create(ZeroCertificateSchema, { findings: [MARK], askedUs: 100n, ...limits, ...figures });
    const cases = [
      certificate({}),
      certificate({ heardUs: 200n }),
      certificate({ heardUs: 200n, loUs: 300n, estUs: 310n, hiUs: 320n }),
      certificate({ heardUs: 200n, loUs: -9000n, estUs: 150n, hiUs: 9000n, errorUs: 5000n, ratePpb: -900_000n }),
      certificate({ heardUs: 200n, loUs: 110n, estUs: 150n, hiUs: 190n, errorUs: 0n }),
    ];
    return cases.flatMap((one) => [...testWords(one, one), ...testWords(one, {})]);
  });

  inEachLanguage("what a rating report lacks", () => {
    const codes = Object.values(RatingFindingCode).filter(
      (code): code is RatingFindingCode => typeof code === "number" && code !== RatingFindingCode.UNSPECIFIED,
    );
    return codes.map((code) => findingWords(create(RatingFindingSchema, { code, text: MARK })));
  });

  inEachLanguage("a remark on a file or a pairing, and what a file cannot hold", () => {
    const kinds = Object.values(RemarkKind).filter((kind): kind is RemarkKind => typeof kind === "number" && kind !== RemarkKind.UNSPECIFIED);
    const players = [
      { number: 3, name: "Alpha, Ann" },
      { number: 0, name: "" },
    ];
    const data = { line: 4, column: 5, round: 2, board: 1, entrants: players, text: "250", otherText: "299", count: 3, numbers: [1, 2], bye: Bye.HALF };
    const points = { pointsInFile: [150n, 50n], pointsHere: [100n, 0n], resultInFile: played, texts: ["BH"] };
    return kinds.flatMap((kind) => {
      const whole = create(RemarkSchema, { kind, ...data, ...points });
      const others = [create(RemarkSchema, { kind }), create(RemarkSchema, { kind, ...data, teams: true })];
      return remarkWords([MARK, MARK, MARK], [whole, ...others]);
    });
  });

  inEachLanguage("an unreadable line of FIDE's list", () => {
    const kinds = Object.values(FideListFaultKind).filter(
      (kind): kind is FideListFaultKind => typeof kind === "number" && kind !== FideListFaultKind.UNSPECIFIED,
    );
    return kinds.map((kind) => listFaultWords(create(FideListFaultSchema, { line: 7n, text: MARK, kind, found: "x9" })));
  });

  inEachLanguage("a refusal", () => {
    const codes = Object.values(RefusalCode).filter(
      (code): code is RefusalCode => typeof code === "number" && code !== RefusalCode.UNSPECIFIED && !WITH_DETAIL.has(code),
    );
    return codes.map((code) => refusalWords(create(RefusalSchema, { code, text: MARK, name: "Anna", number: 2, round: 1, board: "7", clock: "c0ffee" })));
  });

  inEachLanguage("what an unreadable file should have at a place", () => {
    const kinds = Object.values(ExpectationKind).filter((kind): kind is ExpectationKind => typeof kind === "number" && kind !== ExpectationKind.UNSPECIFIED);
    const data = { text: "XXR", texts: ["A", "B"], number: 4, other: 5, round: 2 };
    const expected = kinds.flatMap((kind) => [{ kind }, { kind, ...data }, { kind, ...data, teams: true }]);
    const remarks = expected.map((one) => create(RemarkSchema, { kind: RemarkKind.RECORD_LEFT_OUT, line: 4, column: 5, expected: one }));
    const code = RefusalCode.FILE_UNREADABLE;
    const refusals = expected.map((one) => create(RefusalSchema, { code, text: MARK, faults: [{ line: 4, column: 5, expected: one, found: "x" }] }));
    return [
      ...remarkWords(
        remarks.map(() => MARK),
        remarks,
      ),
      ...refusals.map((refusal) => refusalWords(refusal)),
    ];
  });

  inEachLanguage("what exactly is wrong with a refused change", () => {
    const kinds = Object.values(RefusalDetailKind).filter(
      (kind): kind is RefusalDetailKind => typeof kind === "number" && kind !== RefusalDetailKind.UNSPECIFIED,
    );
    const details = kinds.map((kind) => create(RefusalDetailSchema, { kind, round: 2, board: 3, number: 4, limit: 5, names: ["A", "B", "C"] }));
    const codes = [...WITH_DETAIL].filter((code) => code !== RefusalCode.FILE_UNREADABLE);
    return details.flatMap((detail) => codes.map((code) => refusalWords(create(RefusalSchema, { code, text: MARK, detail }))));
  });

  /** The kinds that need no text, because the board's state already says the same. */
  const SAID_BY_STATE: readonly BoardReasonKind[] = [BoardReasonKind.CLOCK_SILENT, BoardReasonKind.NO_CLOCK];
  inEachLanguage("why a board of a round is in its state", () => {
    const kinds = Object.values(BoardReasonKind).filter(
      (kind): kind is BoardReasonKind => typeof kind === "number" && kind !== BoardReasonKind.UNSPECIFIED && !SAID_BY_STATE.includes(kind),
    );
    const refusal = create(RefusalSchema, { code: RefusalCode.NO_ROUND_BOARD, text: MARK, round: 1, board: "7" });
    const details = { number: 2, control: "90m+30s", refusal };
    const reasons = [{}, { result: played }].flatMap((result) => kinds.map((kind) => create(BoardReasonSchema, { kind, ...details, ...result })));
    return reasons.map((reason) => workWords({ board: "7", reason, words: MARK }));
  });

  inEachLanguage("why a result is proposed", () => {
    const reasons = Object.values(ProposalReason).filter((one): one is ProposalReason => typeof one === "number" && one !== ProposalReason.UNSPECIFIED);
    return reasons.map((proposedReason) => proposalWords({ proposedReason, proposedWhy: MARK }));
  });

  inEachLanguage("a note about a board", () => NOTE_KINDS.map((kind) => noteWords({ kind, text: MARK }, BOARD)));

  inEachLanguage("a record of the log", () => {
    const agent = new Uint8Array(32);
    const facts = [
      { case: "orderTaken", value: {} },
      { case: "rebase", value: { jumpUs: 5_000_000n } },
      { case: "rebase", value: { uncharged: true } },
    ];
    const bodies = [...facts, { case: "zeroTested", value: {} }].map((fact) => toBinary(EventBodySchema, create(EventBodySchema, { fact } as object)));
    const refusal = { code: RefusalCode.NO_CLOCK };
    const commands = [
      { case: "addBoard", value: {} },
      { case: "removeBoard", value: {} },
      ...[Side.UNSPECIFIED, Side.WHITE].flatMap((side) => [
        { case: "assign", value: { agent, side } },
        { case: "assign", value: { side } },
        { case: "drawOdds", value: { side } },
      ]),
      { case: "names", value: { white: "A", black: "B" } },
      { case: "zeroTest", value: {} },
      { case: "refused", value: MARK },
    ];
    const inputs = [
      { case: "opened", value: { eventName: "Cup" } },
      { case: "hubStarted", value: {} },
      ...["", "Anna"].map((admittedBy) => ({ case: "agentEnrolled", value: { agent, admittedBy } })),
      { case: "agentRevoked", value: { agent } },
      ...commands.map((what) => ({ case: "command", value: { what, refusal } })),
      ...bodies.map((body) => ({ case: "agentEvent", value: { body } })),
      { case: "settled", value: {} },
      { case: "passed", value: { side: Side.BLACK } },
      ...NOTE_KINDS.flatMap((kind) => [
        { case: "note", value: { kind, text: MARK } },
        { case: "noteOver", value: { kind } },
      ]),
      ...[[], [MARK]].map((findings) => ({ case: "zeroTestEnded", value: { findings } })),
      { case: "equivocation", value: { agent } },
      ...[[], [{ name: "Anna" }]].map((arbiters) => ({ case: "arbiters", value: { arbiters } })),
      { case: "eventChanged", value: {} },
      { case: "floorArranged", value: {} },
      { case: "requestSigned", value: {} },
      { case: "chiefRecovered", value: {} },
    ];
    const lines = inputs.flatMap((input) => {
      const record = toBinary(RecordSchema, create(RecordSchema, { input } as object));
      return linesFrom(create(LogLineSchema, { text: MARK, record }));
    });
    return lines.map((line) => lineWords(line, { nowUs: 10, command: () => undefined }));
  });

  inEachLanguage("a press and a command in the log", () => {
    const line = (record: object) => linesFrom(create(LogLineSchema, { text: MARK, record: toBinary(RecordSchema, create(RecordSchema, record)) }));
    const press = { changed: { moves: [{ side: Side.WHITE, move: 3, usedUs: 2_000_000n, leftUs: 60_000_000n, atUs: 5n, eventSeq: 1n }] } };
    return line(press)
      .filter((one) => one.made)
      .map((one) => lineWords(one, { nowUs: 10, command: () => undefined }));
  });
});
