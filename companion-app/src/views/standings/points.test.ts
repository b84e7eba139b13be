import { expect, test } from "vitest";
import { points, tieText } from "./points.js";

test("halves are ½, in scores and in tie-breaks", () => {
  expect([50n, 250n, 300n, 0n, -50n].map(points)).toEqual(["½", "2½", "3", "0", "−½"]);
  expect(["0.5", "12.5", "12.0", "0.0", "-0.5", "2015", "2015.25", ""].map(tieText)).toEqual(["½", "12½", "12", "0", "−½", "2015", "2015.25", ""]);
});
