import { expect, test } from "vitest";
import { placed } from "./placed.js";

test("each piece of a position has its square, counted from a8", () => {
  expect(placed("4k3/8/8/8/8/8/6P1/R7")).toEqual([
    { square: 4, side: "black", role: "king" },
    { square: 54, side: "white", role: "pawn" },
    { square: 56, side: "white", role: "rook" },
  ]);
  expect(placed("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR")).toHaveLength(32);
  expect(placed("")).toEqual([]);
});
