import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readMessages, writeWords } from "./words.mjs";

const dir = mkdtempSync(join(tmpdir(), "flagfall-words-"));
afterAll(() => rmSync(dir, { recursive: true }));

const boards = (one: string, other: string) => [
  { declarations: ["input n", "local count = n: plural"], selectors: ["count"], match: { "count=one": one, "count=other": other } },
];

/** Writes a message file for each language, and returns the source of a module generated from them. */
async function generated(messages: Record<string, object>, names: string[], module: string): Promise<string> {
  const folder = mkdtempSync(join(dir, "messages-"));
  for (const [tag, texts] of Object.entries(messages)) writeFileSync(join(folder, `${tag}.json`), JSON.stringify(texts));
  const out = join(dir, "out");
  await writeWords(out, await readMessages(folder), names);
  return readFileSync(join(out, module), "utf8");
}

test("texts, slots and plurals become entries of a table, in the order of the names", async () => {
  const de = { a: "Brett", b: "`{x}` kostet ${price}\\", n: boards("{n} Brett", "{n} Bretter") };
  const table = await generated({ en: de, de }, ["b", "a", "n"], "de.ts");
  expect(table).toContain('[\n  (i) => `\\`${i.x}\\` kostet $${i.price}\\\\`,\n  "Brett",\n  (i) => (isOne(i.n) ? `${i.n} Brett` : `${i.n} Bretter`),\n]');
});

test("a function has the slots of its message, and may have a reserved name", async () => {
  const en = { import: "Import", n: boards("{n} board", "{n} boards"), x: "{b} and {a}" };
  const functions = await generated({ en }, ["import", "n", "x"], "index.ts");
  expect(functions).toContain("export { import_ as import };");
  expect(functions).toContain("export const n: (slots: { n: Slot }) => string");
  expect(functions).toContain("export const x: (slots: { a: Slot; b: Slot }) => string");
});

test("a missing message and an unknown format are errors", async () => {
  await expect(generated({ en: { a: "a", b: "b" }, de: { a: "a" } }, ["a", "b"], "de.ts")).rejects.toThrow("de.json has no b");
  const [few] = boards("", "");
  await expect(generated({ en: { a: [{ ...few, match: { "count=one": "", "count=few": "", "count=other": "" } }] } }, ["a"], "en.ts")).rejects.toThrow(
    "en.json: a uses",
  );
});
