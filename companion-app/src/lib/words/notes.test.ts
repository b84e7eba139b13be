import { readFileSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { create } from "@bufbuild/protobuf";
import { NoteFiguresSchema } from "$gen/frames/log_pb.js";
import { Side } from "$gen/frames/side_pb.js";
import { locales, setLocale } from "$lib/words/catalogue.js";
import { board, note, side } from "$lib/testing.js";
import { FIGURED_KINDS, span } from "./doubts.js";
import { NOTE_KINDS, countedWords, kindWords, noteWords, stateWords } from "./notes.js";

beforeEach(() => setLocale("de"));
const hub = (file: string): string => readFileSync(new URL(`../../../../hub/hall/src/${file}.rs`, import.meta.url), "utf8");

test("every note about a board or clock has a sentence in every language", () => {
  const kinds = [...hub("note_kind").matchAll(/^ {4}\w+ = "(\w+)",$/gm)].map(([, word]) => word);
  expect(kinds.length).toBeGreaterThan(40);
  expect(kinds.sort()).toEqual([...NOTE_KINDS].sort());
  for (const locale of ["de", "fr", "es"] as const) {
    setLocale(locale);
    for (const kind of NOTE_KINDS) expect(noteWords({ kind, text: "the hub’s own words" }, board()), `${locale} ${kind}`).not.toBe("the hub’s own words");
  }
});

test("English and unknown notes keep the hub's words; a note without its board has a sentence without figures", () => {
  expect(noteWords({ kind: "fire_alarm", text: "leave the hall" }, board())).toBe("leave the hall");
  expect(noteWords({ kind: "move_counters", text: "12 and 3" })).toBe("Die Zugzähler widersprechen sich. Vergleichen Sie die Partieformulare (FIDE 6.10.2).");
  setLocale("en");
  expect(noteWords({ kind: "low_battery", text: "board 7: clock aa has 9 % of its battery left" }, board())).toContain("9 %");
});

const figures = create(NoteFiguresSchema, {
  event: 7n,
  offByUs: 13_250_000n,
  boundUs: 40_000n,
  unverifiedUs: 64_000_000n,
  side: Side.BLACK,
  whiteUs: 61_000_000n,
  blackUs: 4_000_000n,
  elapsedUs: 25_500_000n,
  number: 6,
  arbiter: "Ada Lovelace",
  keptRecords: 64n,
  logRecords: 5n,
});

test("a note about a clock's honesty has its figures in every language, English included", () => {
  for (const locale of locales) {
    setLocale(locale);
    for (const kind of FIGURED_KINDS) {
      const words = noteWords(note(kind, { text: "the hub’s own words", count: 2, figures }));
      expect(words, `${locale} ${kind}`).not.toContain("the hub’s own words");
      expect(words, `${locale} ${kind}`).toMatch(/13[.,]3|64|1:04|1:01|6 |Ada/);
    }
  }
});

test("spans are as exact as an arbiter can use them", () => {
  setLocale("de");
  expect([250_000n, -1_234_567n, 13_250_000n, 600_000_000n, undefined].map((us) => span(us).replace("\u00a0", " "))).toEqual([
    "0,25 s",
    "1,235 s",
    "13,3 s",
    "10:00",
    "0 s",
  ]);
});

test("a counted note without figures, or of a newer hub, still says something", () => {
  expect(noteWords(note("broken_promise", { text: "hub", count: 1 }))).toBe(kindWords("broken_promise"));
  expect(noteWords(note("fire_alarm", { text: "leave the hall", count: 1 }))).toBe("leave the hall");
});

test("a counted note says since when it stands, and how often it was counted", () => {
  setLocale("en");
  expect(countedWords(note("rebase", { count: 1, sinceUs: 60e6 }), 70e6)).toMatch(/^Since /);
  expect(countedWords(note("rebase", { count: 256, sinceUs: 60e6, latestUs: 180e6 }), 300e6)).toMatch(/^256 times since .*2 min/);
});

test("a sentence names what the board shows", () => {
  const counters = board({ white: side({ moves: 12 }), black: side({ moves: 3 }), notes: [note("move_counters", { text: "hub" })] });
  expect(stateWords("hub", counters)).toMatch(/12 Züge für Weiß und 3 für Schwarz/);
  expect(stateWords("Pause", counters)).toBe("Pause");
  const noted = (kind: string, changes: Parameters<typeof board>[0]) => noteWords({ kind, text: "" }, board(changes));
  expect(noted("default_time", {})).toContain("Weiß");
  expect(noted("default_time", { white: side({ moves: 1 }) })).toContain("Schwarz");
  expect(noted("stopped", { phase: "flagged" })).not.toBe(noted("stopped", { phase: "stopped" }));
  expect(noted("other_control", { control: "90m+30s" })).toContain("90");
});
