import { readFileSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { setLocale } from "$lib/words/catalogue.js";
import { board, side } from "$lib/testing.js";
import { NOTE_KINDS, noteWords, stateWords } from "./notes.js";

beforeEach(() => setLocale("de"));
const hub = (file: string): string => readFileSync(new URL(`../../../../hub/hall/src/${file}.rs`, import.meta.url), "utf8");

test("every note about a board or clock has a sentence in every language", () => {
  const standing = [...hub("anomaly").matchAll(/Self::\w+ => "(\w+)"/g)].map(([, word]) => word);
  const others = [...hub("anomaly/look").matchAll(/one\("(\w+)"/g), ...hub("note").matchAll(/(?:DEFAULT_TIME|STRADDLE): &str = "(\w+)"/g)].map(
    ([, word]) => word,
  );
  expect(standing.length).toBe(9);
  expect([...standing, ...others].sort()).toEqual([...NOTE_KINDS].sort());
  for (const locale of ["de", "fr", "es"] as const) {
    setLocale(locale);
    for (const kind of NOTE_KINDS) expect(noteWords({ kind, text: "the hub’s own words" }, board()), `${locale} ${kind}`).not.toBe("the hub’s own words");
  }
});

test("English, unknown notes and notes without their board keep the hub's words", () => {
  expect(noteWords({ kind: "fire_alarm", text: "leave the hall" }, board())).toBe("leave the hall");
  expect(noteWords({ kind: "move_counters", text: "12 and 3" })).toBe("12 and 3");
  setLocale("en");
  expect(noteWords({ kind: "low_battery", text: "board 7: clock aa has 9 % of its battery left" }, board())).toContain("9 %");
});

test("a sentence names what the board shows", () => {
  const counters = board({ white: side({ moves: 12 }), black: side({ moves: 3 }), notes: [{ kind: "move_counters", text: "hub" }] });
  expect(stateWords("hub", counters)).toMatch(/12 Züge für Weiß und 3 für Schwarz/);
  expect(stateWords("Pause", counters)).toBe("Pause");
  const noted = (kind: string, changes: Parameters<typeof board>[0]) => noteWords({ kind, text: "" }, board(changes));
  expect(noted("default_time", {})).toContain("Weiß");
  expect(noted("default_time", { white: side({ moves: 1 }) })).toContain("Schwarz");
  expect(noted("stopped", { phase: "flagged" })).not.toBe(noted("stopped", { phase: "stopped" }));
  expect(noted("other_control", { control: "90m+30s" })).toContain("90");
});
