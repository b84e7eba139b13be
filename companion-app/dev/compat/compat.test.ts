// Checks that the compatibility rule and the style-sheet check find the samples that are too new, and only those.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ESLint } from "eslint";
import { expect, test } from "vitest";
import { missingIn } from "./styles.mjs";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const sample = `${root}companion-app/dev/compat/newer.js`;

test("only features newer than Safari 16.0 are found", { timeout: 60_000 }, async () => {
  const eslint = new ESLint({ cwd: root, overrideConfigFile: `${root}companion-app/eslint.pages.config.js` });
  const [result] = await eslint.lintFiles([sample]);
  const lines = readFileSync(sample, "utf8").split("\n");
  const last = lines.findIndex((line) => line.startsWith("// From here on"));
  const newer = lines.flatMap((line, at) => (at > 0 && at < last && line !== "" ? [at + 1] : []));
  expect(newer.length).toBeGreaterThan(10);
  expect(result?.messages.map(({ line }) => line)).toEqual(newer);
  expect(result?.messages[0]?.message).toContain("AbortSignal.any is not in Safari 16.0 (Safari 17.4 has it)");
});

test.each([
  ["a { color: red; & b { color: blue; } }", "nesting"],
  ["h1 { text-wrap: balance; }", "text-wrap"],
  ["h1 { color: color-mix(in srgb, red, blue); }", "color-mix()"],
  ["@property --a { syntax: '*'; inherits: false; }", "@property"],
  ["div:popover-open { color: red; }", ":popover-open"],
  ["p { text-decoration: underline dotted; }", "text-decoration: dotted"],
])("in styles: %s", (css, name) => {
  expect(missingIn(css, "sample.css").join("\n")).toContain(`sample.css:1: ${name} is not in Safari 16.0`);
});

test.each([
  "@supports (text-wrap: balance) { h1 { text-wrap: balance; } }",
  "h1 { color: red; color: color-mix(in srgb, red, blue); }",
  "a:has(b) { height: 100dvh; }",
  'q { content: "balance"; }',
])("a feature that is old enough, tested for or given a fallback is accepted: %s", (css) => expect(missingIn(css, "sample.css")).toEqual([]));
