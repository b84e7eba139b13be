import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { m } from "$gen/words/messages.js";
import { locales, setLocale } from "$lib/words/catalogue.js";
import { directionOf } from "./languages.js";

type Messages = Record<string, unknown>;
const read = (locale: string): Messages => JSON.parse(readFileSync(new URL(`../../../messages/${locale}.json`, import.meta.url), "utf8")) as Messages;
const english = Object.keys(read("en"));

test("every language has the same messages", () => {
  for (const locale of locales) expect(Object.keys(read(locale)).sort(), locale).toEqual([...english].sort());
});

test("every language names the same slots", () => {
  const slots = (message: unknown): string[] => [...new Set(JSON.stringify(message).match(/\{\w+\}/g) ?? [])].sort();
  const base = read("en");
  for (const locale of locales) {
    const own = read(locale);
    for (const key of english) expect(slots(own[key]), `${locale} ${key}`).toEqual(slots(base[key]));
  }
});

test("short words fit their chip", () => {
  for (const locale of locales) {
    setLocale(locale);
    for (const word of [m.state_unconfirmed(), m.state_no_signal(), m.state_wanted(), m.state_missing(), m.state_called(), m.short_time({ limit: "0:10" })]) {
      expect(word.length, `${locale}: ${word}`).toBeLessThanOrEqual(16);
    }
  }
});

test("one board and two boards differ", () => {
  setLocale("en");
  expect(m.boards_n({ n: 1 })).toBe("1 board");
  expect(m.boards_n({ n: 2 })).toBe("2 boards");
});

test("a single clock, board or PIN has the singular", () => {
  const said = (): string[] => [
    m.silent_n({ n: 1 }),
    m.wanted_of({ n: 1, boards: "7" }),
    m.group_paused({ n: 1 }),
    m.group_doubt({ n: 1 }),
    m.unsaved({ n: 1 }),
    m.doubt_wrong_pins({ n: 1 }).split(".")[0] ?? "",
  ];
  const expected: Record<string, string[]> = {
    en: [
      "1 clock not responding.",
      "1 board needs an arbiter. Board 7.",
      "1 board paused",
      "1 suspect clock",
      "1 unsaved",
      "1 wrong PIN was entered at the clock",
    ],
    de: [
      "1 Uhr antwortet nicht.",
      "1 Brett braucht einen Schiedsrichter. Brett 7.",
      "1 Brett angehalten",
      "1 Uhr fraglich",
      "1 nicht gespeichert",
      "1 falsche PIN wurde an der Uhr eingegeben",
    ],
    es: [
      "1 reloj no responde.",
      "1 mesa necesita un árbitro. Mesa 7.",
      "1 mesa parada",
      "1 reloj dudoso",
      "1 sin guardar",
      "Se introdujo 1 PIN incorrecto en el reloj",
    ],
    fr: [
      "1 pendule ne répond pas.",
      "1 échiquier a besoin d’un arbitre. Échiquier 7.",
      "1 échiquier arrêté",
      "1 pendule douteuse",
      "1 non enregistré",
      "1 code PIN erroné a été saisi à la pendule",
    ],
  };
  for (const locale of locales) {
    setLocale(locale);
    expect(said(), locale).toEqual(expected[locale]);
  }
  setLocale("en");
  expect(m.doubt_wrong_pins({ n: 2 })).toMatch(/^2 wrong PINs were entered/);
});

test("the languages are written from left to right, others may not be", () => {
  for (const locale of locales) expect(directionOf(locale)).toBe("ltr");
  expect(["ar", "he", "fa-IR", "de-AT"].map(directionOf)).toEqual(["rtl", "rtl", "rtl", "ltr"]);
});
