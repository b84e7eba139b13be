import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { ExpectationKind, FileFaultSchema } from "$gen/frames/file_fault_pb.js";
import { RefusalCode, RefusalCodeSchema, RefusalDetailKind, RefusalDetailSchema, RefusalSchema } from "$gen/frames/refusal_pb.js";
import { Side } from "$gen/frames/side_pb.js";
import { locales, setLocale } from "$lib/words/catalogue.js";
import { Refused, Unreachable } from "$lib/transport/transport.js";
import { failureWords, refusalWords } from "./refusal.js";

const HUB = "in the hub's words";
const said = (code: number, about: object = {}): string => refusalWords(Object.assign(create(RefusalSchema, { text: HUB }), { code, ...about }));
const numbers = RefusalCodeSchema.values.filter((one) => one.number !== 0);

test("every refusal code has a sentence in every language", () => {
  expect(numbers.length).toBeGreaterThan(50);
  for (const locale of locales) {
    setLocale(locale);
    for (const { number, name } of numbers) {
      const sentence = said(number, { board: "7", clock: "c0ffee00", side: Side.BLACK, round: 3, number: 12, name: "Anna" });
      expect(sentence, `${locale} ${name}`).not.toBe(HUB);
      expect(sentence.length, `${locale} ${name}`).toBeGreaterThan(8);
      expect(sentence, `${locale} ${name}`).not.toMatch(/undefined|\{|\}/);
    }
  }
});

test("the article is named in every language if the hub names it", () => {
  const articles = [
    [RefusalCode.FLAG_UP, "FIDE 6.8"],
    [RefusalCode.ALREADY_CALLED, "FIDE 6.8"],
    [RefusalCode.NO_TIME_LEFT, "FIDE 6.10.2"],
    [RefusalCode.NO_DOUBLE_FLAG, "FIDE 9.2, 9.3"],
    [RefusalCode.TRIPLE_BLOCK, "ICCF Triple Block 4"],
    [RefusalCode.NOT_ON_MOVE, "ICCF Triple Block d"],
    [RefusalCode.FLAG_DOWN, "ICCF Triple Block 7"],
    [RefusalCode.NOTHING_TO_REFILL, "ICCF Triple Block 5"],
  ] as const;
  for (const locale of locales) {
    setLocale(locale);
    for (const [code, article] of articles) expect(said(code), locale).toContain(article);
  }
});

test("a sentence is in the arbiter's language and names what it is about", () => {
  setLocale("de");
  expect(said(RefusalCode.FLAG_UP)).toBe("Dieses Blättchen ist nicht gefallen (FIDE 6.8).");
  expect(said(RefusalCode.BOARD_CHANGED)).toBe("Das Brett hat sich inzwischen geändert.");
  expect(said(RefusalCode.BOARD_CHANGED, { side: Side.BLACK, move: 31 })).toBe("Schwarz hat inzwischen Zug 31 ausgeführt.");
  expect(said(RefusalCode.REASON_MISSING)).toBe("Geben Sie einen Grund für die Änderung des Ergebnisses an.");
  expect(said(RefusalCode.REASON_MISSING, { board: "12", round: 3 })).toBe("Brett 12 hat ein Ergebnis. Geben Sie einen Grund für die Änderung an.");
  expect(said(RefusalCode.CONTROL_UNREADABLE, { name: "90 min" })).toBe("„90 min“ ist keine Bedenkzeit. Schreiben Sie sie so: 90m+30s.");
  expect(said(RefusalCode.CLOCK_ELSEWHERE, { clock: "c0ffee00", board: "12" })).toBe("Uhr c0ffee00 steht an Brett 12, wo gerade gespielt wird.");
});

test("an unreadable file is described place by place; an older hub's words are quoted", () => {
  setLocale("fr");
  const range = { kind: ExpectationKind.NUMBER, number: 1, other: 9 };
  const faults = [
    create(FileFaultSchema, { line: 3, column: 5, expected: range, found: "first" }),
    create(FileFaultSchema, { line: 4, column: 1, expected: { kind: ExpectationKind.PLAYER_LINE } }),
  ];
  expect(said(RefusalCode.FILE_UNREADABLE, { text: "line 3: no number", faults, moreFaults: 2 })).toBe(
    "Impossible d’importer le fichier : Ligne 3, colonne 5 : Attendu : un nombre de 1 à 9. Trouvé : « first ».\n" +
      "Ligne 4, colonne 1 : Attendu : au moins un joueur (enregistrement 001).\nDe même pour 2 de plus.",
  );
  expect(said(RefusalCode.FILE_UNREADABLE, { text: "line 3: no score" })).toBe("Impossible d’importer le fichier : line 3: no score");
});

test("the details say what is wrong with a change, and with a pairing program", () => {
  setLocale("de");
  const detail = (kind: RefusalDetailKind, fields: object) => ({ detail: create(RefusalDetailSchema, { kind, ...fields }) });
  const twice = detail(RefusalDetailKind.PLAYER_TWICE, { number: 4, round: 2 });
  expect(said(RefusalCode.EVENT_CONFLICT, twice)).toBe("Spieler 4 kommt in Runde 2 doppelt vor.");
  const points = detail(RefusalDetailKind.RESULT_POINTS, { points: 100_050n, pointsLimit: 100_000n });
  expect(said(RefusalCode.EVENT_INVALID, points)).toBe("Ein Ergebnis kann nicht mehr als 1000 Punkte zählen: 1000½ ist zu viel.");
  expect(said(RefusalCode.EVENT_CONFLICT, { text: "an older hub" })).toContain("an older hub");
  const names = ["bbpPairings.exe"];
  const failed = said(RefusalCode.PAIRING_FAILED, detail(RefusalDetailKind.PAIRING_EXIT, { names, number: 3, quote: "bad file\n" }));
  expect(failed).toMatch(/bbpPairings\.exe.* mit Code 3 gescheitert\. Das Auslosungsprogramm meldet: .*bad file/);
  expect(said(RefusalCode.PAIRING_FAILED, detail(RefusalDetailKind.PAIRING_EXIT, { names, number: 1 }))).toContain("keine gültige Auslosung");
});

test("an unreachable hub is reported in the arbiter's language", () => {
  setLocale("de");
  expect(failureWords(new Unreachable("Failed to fetch"))).toBe("Der Hub hat nicht geantwortet.");
  expect(failureWords(new Refused("in the hub's words"))).toBe(HUB);
});

test("a refusal without a known code keeps the hub's words", () => {
  expect(said(RefusalCode.UNSPECIFIED)).toBe(HUB);
  expect(said(999)).toBe(HUB);
});
