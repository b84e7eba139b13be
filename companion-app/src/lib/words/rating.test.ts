import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { RatingFindingCode, RatingFindingCodeSchema, RatingFindingSchema } from "$gen/api/fide_pb.js";
import { locales, setLocale } from "$lib/words/catalogue.js";
import { findingWords, placeOf } from "./rating.js";

const HUB = "in the hub's words";
const about = { player: 7, round: 3, board: 12, name: "Anna", count: 4, limit: 1800, minutes: 90, text: HUB };
const said = (code: number): string => findingWords(Object.assign(create(RatingFindingSchema, about), { code }));

test("every finding has a sentence in every language, with what it is about", () => {
  const codes = RatingFindingCodeSchema.values.filter((one) => one.number !== 0);
  expect(codes.length).toBeGreaterThan(25);
  for (const locale of locales) {
    setLocale(locale);
    for (const { number, name } of codes) {
      expect(said(number), `${locale} ${name}`).not.toBe(HUB);
      expect(said(number), `${locale} ${name}`).not.toMatch(/undefined|\{|\}/);
    }
    expect(said(RatingFindingCode.NO_FIDE_ID), locale).toMatch(/7.*Anna/);
    expect(said(RatingFindingCode.NO_RESULT), locale).toMatch(/3.*12/);
    expect(said(RatingFindingCode.TOO_FAST), locale).toMatch(/1800.*90/);
  }
});

test("an unknown finding keeps the hub's words", () => {
  expect(said(4000)).toBe(HUB);
  expect(placeOf(Object.assign(create(RatingFindingSchema), { code: 4000 }))).toBe("none");
});
