import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { locales, setLocale } from "$lib/words/catalogue.js";
import { controlWords } from "./control.js";

setLocale("en");
const cases = readFileSync(new URL("../../../../tests/control-words.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split("\t"));

test("there are cases", () => expect(cases.length).toBeGreaterThan(20));
test.each(cases)("%s", (notation, said) => {
  expect(controlWords(notation)).toBe(said);
});
test("every control has words in every language", () => {
  for (const locale of locales) {
    setLocale(locale);
    for (const [notation] of cases) expect(controlWords(notation ?? ""), locale).not.toMatch(/undefined|control_|\{/);
  }
  setLocale("en");
});
