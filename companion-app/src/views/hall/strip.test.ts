import { expect, test } from "vitest";
import { board } from "$lib/testing.js";
import { cardKey, type Urgent } from "$lib/state/states.js";
import { standing, type Strip } from "./strip.js";

const card = (name: string, seen = false): Urgent => ({ board: board({ board: name }), state: { key: "flag", side: "white" }, seen });
const names = (strip: Strip): string[] => strip.cards.map(cardKey);
const empty: Strip = { cards: [], offline: false };

test("without a touch the most urgent comes first", () => {
  const before = standing(empty, [card("12", true)], false, false);
  expect(names(standing(before, [card("31"), card("12", true)], false, false))).toEqual(["31", "12"]);
});

test("during a touch every card stays as it is, and new ones follow", () => {
  const twelve = card("12", true);
  const before = standing(empty, [twelve, card("7")], false, false);
  const held = standing(before, [card("31"), card("7"), card("12")], false, true);
  expect(names(held)).toEqual(["12", "7", "31"]);
  expect(held.cards[0]).toBe(twelve);
  expect(names(standing(held, [card("40"), card("31"), card("7")], false, true))).toEqual(["12", "7", "31", "40"]);
  expect(names(standing(held, [card("40"), card("31"), card("7")], false, false))).toEqual(["40", "31", "7"]);
});

test("a lost or restored link moves no card during a touch", () => {
  const before = standing(empty, [card("12")], false, false);
  expect(standing(before, [card("12")], true, true).offline).toBe(false);
  expect(standing(before, [card("12")], true, false).offline).toBe(true);
});

test("the number of cards is limited", () => {
  const many = Array.from({ length: 20 }, (_, at) => card(String(at)));
  const before = standing(empty, many, false, false);
  expect(before.cards.length).toBe(12);
  expect(names(standing(before, [card("99"), ...many], false, true))).toEqual(names(before));
});
