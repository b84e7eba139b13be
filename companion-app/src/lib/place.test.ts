import { expect, test } from "vitest";
import { placeIn } from "./place.js";

test("an address leads to its view, and to the hall where it names none", () => {
  expect(placeIn("#/board/17")).toEqual({ view: "board", board: "17", round: 0 });
  expect(placeIn("#/board/17/round/3")).toEqual({ view: "board", board: "17", round: 3 });
  expect(placeIn("#/board/17/round/x")).toEqual({ view: "board", board: "17", round: 0 });
  expect(placeIn("#/board/A%20b/flag")).toEqual({ view: "board", board: "A b", round: 0 });
  expect(placeIn("#/round")).toEqual({ view: "round", board: "", round: 0 });
  for (const fragment of ["", "#", "#/", "#/nowhere", "#/board/%", "#/board/%E0%A4%A"]) expect(placeIn(fragment).view, fragment).toBe("hall");
});
