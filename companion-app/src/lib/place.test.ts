import { expect, test } from "vitest";
import { placeIn, placeOf } from "./place.js";

test("an address leads to its view, or to the hall", () => {
  expect(placeIn("#/board/17")).toEqual({ view: "board", board: "17", round: 0, game: 0, only: [] });
  expect(placeIn("#/board/17/round/3")).toEqual({ view: "board", board: "17", round: 3, game: 0, only: [] });
  expect(placeIn("#/replay/17/game/2")).toEqual({ view: "replay", board: "17", round: 0, game: 2, only: [] });
  expect(placeIn("#/board/17/round/x")).toEqual({ view: "board", board: "17", round: 0, game: 0, only: [] });
  expect(placeIn("#/board/A%20b/flag")).toEqual({ view: "board", board: "A b", round: 0, game: 0, only: [] });
  expect(placeIn("#/round")).toEqual({ view: "round", board: "", round: 0, game: 0, only: [] });
  for (const fragment of ["", "#", "#/", "#/nowhere", "#/board/%", "#/board/%E0%A4%A"]) expect(placeIn(fragment).view, fragment).toBe("hall");
});

test("several boards lead to the hall with these alone, one to its own view", () => {
  const boards = ["3", "A,b/c", "ø"];
  expect(placeIn(placeOf(boards))).toEqual({ view: "hall", board: "", round: 0, game: 0, only: boards });
  expect(placeOf(["A b"])).toBe("#/board/A%20b");
  expect(placeIn(placeOf([]))).toEqual({ view: "hall", board: "", round: 0, game: 0, only: [] });
});
