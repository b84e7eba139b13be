// The page's digits against the cases the agent's face is held to: tests/clock-text.txt.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { clockText } from "../../../hub/assets/live/clock-text.js";

const lines = readFileSync(new URL("../../clock-text.txt", import.meta.url), "utf8").split("\n");
const cases = lines.filter((line) => line && !line.startsWith("#")).map((line) => line.split("\t"));

test("the page's digits are the agent's, case by case", () => {
  assert.ok(cases.length >= 40, "the file is there and is read");
  for (const [us, big, small] of cases) assert.deepEqual(clockText(Number(us)), [big, small], `${us} µs`);
});
