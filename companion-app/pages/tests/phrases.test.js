// Tests the texts for the codes in the hub's data sets; the codes are compared with the hub's sources.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { afterAll, test } from "vitest";
import { setLocale } from "$lib/words/catalogue.js";
import { CODES, byeWord, matchKind, measureWord, noteText, termWords } from "../event/phrases.js";
import { titleOf } from "../event/tie-breaks.js";

const source = (path) => readFileSync(new URL(`../../../hub/src/${path}`, import.meta.url), "utf8");
const OTHERS = ["de", "es", "fr"];
afterAll(() => setLocale("en"));

const words = source("web/event/explain_words.rs").split("#[cfg(test)]")[0];
const shared = source("web/event/shared.rs");
const body = (text, name) => text.slice(text.indexOf(`fn ${name}(`)).split("\n}\n")[0];
const codesOf = (text, name) => [...body(text, name).matchAll(/=> \(\s*"[^"]+",\s*"([^"]+)",?\s*\)/g)].map(([, code]) => code);
/** Returns the variants of an enum in the hub in snake case, as the hub sends them. */
const variantsOf = (name) => {
  const listed = words.slice(words.indexOf(`enum ${name} {`)).split("\n}\n")[0];
  return [...listed.matchAll(/^ {4}([A-Z]\w+)/gm)].map(([, variant]) => variant.replace(/(?!^)[A-Z]/g, "_$&").toLowerCase());
};

test.each([
  ["kinds", [...codesOf(words, "kind"), ...codesOf(shared, "bye")]],
  ["sources", codesOf(words, "source")],
  ["cuts", codesOf(words, "cut")],
  ["measures", variantsOf("MeasureView")],
  ["notes", variantsOf("NoteView")],
])("the pages know the hub's %s, and no others", (name, codes) => {
  assert.ok(codes.length >= 3);
  assert.deepEqual(Object.keys(CODES[name]).sort(), [...codes].sort());
});

const HUB = "English of the hub";
const NOTES = [
  { code: "board_count" },
  { code: "boards", points: ["2", "1.5"] },
  { code: "limit", points: "4.5" },
  { code: "unrated" },
  { code: "average_rating" },
  { code: "performance", average: 2100, percent: 65, difference: 110 },
  { code: "perfect", points: "6.5" },
  { code: "strength", measure: "MP", points: "12", divisor: 2 },
  { code: "average", rounds: 5 },
  { code: "alone_team" },
  { code: "alone_player" },
  { code: "all_met" },
  { code: "all_will_meet" },
  { code: "not_all_met" },
  { code: "then_other_score" },
  { code: "then_boards" },
];

test.each(OTHERS)("no English is left in %s", (tag) => {
  setLocale(tag);
  const said = [
    ...Object.keys(CODES.kinds).flatMap((code) => [byeWord({ bye: HUB, bye_code: code }), matchKind({ kind: HUB, bye_code: code })]),
    ...["played", "pending", "forfeit"].map((kind) => matchKind({ kind })),
    ...Object.keys(CODES.kinds).map((code) => termWords({ kind: HUB, kind_code: code }).kind),
    ...Object.keys(CODES.sources).map((code) => termWords({ from: HUB, from_code: code }).from),
    ...Object.keys(CODES.cuts).map((code) => termWords({ cut: HUB, cut_code: code }).cut),
    ...Object.keys(CODES.measures).map((code) => measureWord({ by: HUB, measure: { code, board: 2 } })),
    ...NOTES.map((note) => noteText({ note: HUB, notes: [note] })),
  ];
  for (const text of said) {
    assert.notEqual(text, "");
    assert.doesNotMatch(text, /English|undefined|\b(the|and|of|with|where|board|average|points give)\b/, tag);
  }
  assert.equal(new Set(NOTES.map(({ code }) => code)).size, Object.keys(CODES.notes).length);
});

test("a note has its figures, statement by statement", () => {
  setLocale("de");
  assert.equal(noteText({ notes: [{ code: "performance", average: 2100, percent: 40, difference: -72 }] }).includes("−72"), true);
  assert.equal(noteText({ notes: [{ code: "boards", points: ["2", "1.5"] }] }), "Brett 1: 2, Brett 2: 1½");
  assert.equal(noteText({ notes: [{ code: "alone_team" }, { code: "then_boards" }] }).split("; ").length >= 2, true);
});

test("a code of a newer hub is shown in the hub's words", () => {
  assert.equal(noteText({ note: HUB, notes: [{ code: "all_met" }, { code: "new" }] }), HUB);
  assert.equal(byeWord({ bye: HUB, bye_code: "new" }), HUB);
  assert.equal(measureWord({ by: HUB, measure: { code: "new" } }), HUB);
});

test("every tie-break code has the hub's name, and words for its modifiers", () => {
  const [, list] = /^ {4}Code \{$(.*?)^ {4}\}$/ms.exec(source("../tournament/src/tie_break.rs"));
  const codes = [...list.matchAll(/^ +([A-Z]\w+) = "([A-Z]+)",$/gm)];
  assert.ok(codes.length > 35);
  const names = new Map([...source("web/event/tie_break_names.rs").matchAll(/Code::(\w+) => "([^"]+)"/g)].map(([, variant, name]) => [variant, name]));
  setLocale("en");
  for (const [, variant, code] of codes) assert.equal(titleOf(code), names.get(variant), code);
  const titles = {
    BH: "Buchholz",
    "BH/C1": "Buchholz without the lowest",
    "BH:GP/M2": "Buchholz in game points without the 2 lowest and 2 highest",
    "DE/P": "Direct encounter, forfeits counted as played",
    "ARO/U1400": "Average rating of opponents, unrated players counted as 1400",
    "KS/L+0.5": "Koya system",
    "XYZ/C1": "XYZ/C1",
  };
  for (const [code, title] of Object.entries(titles)) assert.equal(titleOf(code), title);
  setLocale("fr");
  assert.equal(titleOf("BH/C1"), "Buchholz sans le plus faible");
});
