// The phrases of the hub's data sets, compared with the hub's sources.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { afterAll, test } from "vitest";
import { setLocale } from "$lib/words/catalogue.js";
import { noteText, said } from "../event/phrases.js";
import { titleOf } from "../event/tie-breaks.js";

const source = (path) => readFileSync(new URL(`../../../hub/src/${path}`, import.meta.url), "utf8");
const OTHERS = ["de", "es", "fr"];
afterAll(() => setLocale("en"));

const words = source("web/event/explain_words.rs").split("#[cfg(test)]")[0];
const shared = source("web/event/shared.rs");
const byes = shared.slice(shared.indexOf("pub(super) const fn bye("));
const phrases = [...`${words}${byes}`.matchAll(/=> "([^"]+)"/g)].map(([, phrase]) => phrase);

test.each([...new Set(phrases)])("the hub's phrase “%s” is said in every language", (phrase) => {
  for (const tag of OTHERS) {
    setLocale(tag);
    assert.notEqual(said(phrase), phrase, tag);
  }
});
test("there are phrases", () => assert.ok(phrases.length >= 14));

test.each([
  "average over 5 rounds",
  "only opponents with at least 4.5 points count",
  "average rating 2100, 65 % of the points give +110 (B.02 8.1.1)",
  "the lowest rating whose expected score is 6.5 (B.02 8.1.2)",
  "MP 12 plus Buchholz divided by 2",
  "board 1: 2, board 2: 1.5",
  "no other team is tied with this one",
  "no other player is tied with this one",
  "average of the opponents' ratings, rounded with halves up",
  "each board's points times its number",
  "an unrated player takes part, and no rating is set for unrated players (C.07 10)",
  "all have met: the separate standings rank them, and the article is applied again to those still tied (C.07 6.2)",
  "all will meet: the separate standings rank them on the games played so far, and the article is applied again to those still tied (C.07 6.2)",
  "not all have met: only a participant who is first alone, whatever the missing games bring, is ranked (C.07 6.3); if a tie remains, the other score decides (C.07 13.3)",
  "all have met: the separate standings rank them, and the article is applied again to those still tied (C.07 6.2); if a tie remains, the other score decides, then the boards if two teams are still tied (C.07 13.3)",
])("the note “%s” has no English left in it", (note) => {
  for (const tag of OTHERS) {
    setLocale(tag);
    const text = noteText(note);
    assert.notEqual(text, note, tag);
    assert.doesNotMatch(text, /\b(the|and|of|with|where|board|average|points give)\b/, tag);
  }
});

test("the notes tested are the hub's own", () => {
  const standings = ["boards", "explain", "opponents", "rating", "sums"].map((name) => source(`../tournament/src/standings/${name}.rs`)).join("");
  for (const part of [
    "average over {games} rounds",
    "only opponents with at least {limit} points count",
    "average rating {average}, {percent} % of the points give {difference:+} (B.02 8.1.1)",
    "the lowest rating whose expected score is {} (B.02 8.1.2)",
    "{} {secondary} plus Buchholz divided by {divisor}",
    "board {board}: {points}",
    "only a participant who is first alone, whatever the missing games bring, is ranked (C.07 6.3)",
  ]) {
    assert.ok(standings.includes(part), part);
  }
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
    "DE/P": "Direct encounter, forfeits as played",
    "ARO/U1400": "Average rating of opponents, unrated as 1400",
    "KS/L+0.5": "Koya system",
    "XYZ/C1": "XYZ/C1",
  };
  for (const [code, title] of Object.entries(titles)) assert.equal(titleOf(code), title);
  setLocale("fr");
  assert.equal(titleOf("BH/C1"), "Buchholz sans le plus faible");
});
