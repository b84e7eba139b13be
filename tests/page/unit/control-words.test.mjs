// The page's words for a time control against the cases the agent's face is held to: tests/control-words.txt.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { controlWords } from "../../../hub/assets/live/control-words.js";

const lines = readFileSync(new URL("../../control-words.txt", import.meta.url), "utf8").split("\n");
const cases = lines.filter((line) => line && !line.startsWith("#")).map((line) => line.split("\t"));

test("the page says a control as the agent's face does, case by case", () => {
  assert.ok(cases.length >= 25, "the file is there and is read");
  for (const [notation, words] of cases) assert.equal(controlWords(notation), words, notation);
});
