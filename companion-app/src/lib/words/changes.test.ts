import { create } from "@bufbuild/protobuf";
import { afterEach, expect, test } from "vitest";
import { ChangeKind, ChangeKindSchema, ChangeSchema, RefusalCode, RefusalSchema, type Change } from "$gen/frames/refusal_pb.js";
import { Side } from "$gen/frames/side_pb.js";
import { locales, setLocale } from "$lib/words/catalogue.js";
import { changesWords } from "./changes.js";
import { setZone } from "./day-time.js";
import { refusalWords } from "./refusal.js";

/** 2026-11-22 13:03:22 UTC, which is 14:03:22 in Berlin. */
const AT = 1_795_352_602_000_000n;
const change = (kind: number, about: object = {}): Change =>
  Object.assign(create(ChangeSchema, { atUs: AT, actor: "Anna", board: "7", text: "in the hub's words" }), { kind, ...about });
const said = (changes: Change[], more = false): string => changesWords({ changes, moreChanges: more });

afterEach(() => setZone(""));

test("a stale command's refusal names who changed what and when, in the hall's time", () => {
  setZone("Europe/Berlin");
  setLocale("en");
  const stale = create(RefusalSchema, { code: RefusalCode.BOARD_CHANGED, text: "in the hub's words", changes: [change(ChangeKind.PAUSED)] });
  expect(refusalWords(stale)).toMatch(/^Anna paused board 7 at (14:03:22|02:03:22 PM)\. Check again, then decide\.$/u);
  setLocale("de");
  expect(refusalWords(stale)).toBe("Anna hat Brett 7 um 14:03:22 angehalten. Prüfen Sie noch einmal und entscheiden Sie dann.");
});

test("changes of the event name round, board and result", () => {
  setZone("Europe/Berlin");
  setLocale("de");
  const stale = create(RefusalSchema, {
    code: RefusalCode.EVENT_CHANGED,
    changes: [change(ChangeKind.PAIRING, { round: 3 }), change(ChangeKind.GAME_RESULT, { name: "½-½" })],
  });
  expect(refusalWords(stale)).toBe(
    "Anna hat um 14:03:22 die Auslosung von Runde 3 geändert. Anna hat um 14:03:22 an Brett 7 ½–½ eingetragen. Prüfen Sie noch einmal und entscheiden Sie dann.",
  );
});

test("a forfeit reads as everywhere else", () => {
  setLocale("en");
  expect(said([change(ChangeKind.GAME_RESULT, { name: "+:-" })])).toContain("Anna entered +:– on board 7");
});

test("every kind of change has a sentence in every language", () => {
  const kinds = ChangeKindSchema.values.filter((one) => one.number !== 0);
  expect(kinds.length).toBeGreaterThan(35);
  for (const locale of locales) {
    setLocale(locale);
    for (const { number, name } of kinds) {
      const sentence = said([change(number, { side: Side.BLACK, move: 31, round: 3, number: 12, name: "1-0", amountUs: 120_000_000n })]);
      expect(sentence, `${locale} ${name}`).not.toMatch(/undefined|\{|\}|in the hub's words/);
      expect(sentence, `${locale} ${name}`).toMatch(/:03:22/);
    }
  }
});

test("added time has its sign, and a pending command says so", () => {
  setLocale("en");
  const words = said([change(ChangeKind.TIME_ADDED, { side: Side.BLACK, amountUs: -120_000_000n }), change(ChangeKind.PAUSED, { waiting: true })], true);
  expect(words).toMatch(
    /^There were earlier changes too\. Anna changed Black’s time by −2:00 at .*\. Anna paused board 7 at .*\. The clock has not answered yet\. Check again/u,
  );
});

test("an unknown change keeps the hub's words", () => {
  setLocale("en");
  expect(said([change(999)])).toBe("in the hub's words. Check again, then decide.");
  expect(said([change(ChangeKind.PAUSED, { atUs: undefined })])).toBe("in the hub's words. Check again, then decide.");
  expect(said([])).toBe("");
});
