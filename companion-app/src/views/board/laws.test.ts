import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { ChoiceSchema, type Choice } from "$gen/api/proceedings_pb.js";
import { RefusalSchema } from "$gen/frames/refusal_pb.js";
import { decisionsIn, endOf, figuresOf, gainOf, groupsOf, movesIn, scoreText, takesMove, withFigures } from "./laws.js";

const choice = (request: string, article = "", effect = "", refused = false): Choice =>
  create(ChoiceSchema, { request, article, effect, ...(refused ? { refusal: create(RefusalSchema, { text: "no" }) } : {}) });

test("the two sides of a procedure share a row, with its own article", () => {
  const groups = groupsOf([
    choice("rule correct"),
    choice("claim threefold white", "9.2"),
    choice("claim threefold black", "9.4", "", true),
    choice("illegal white no-move", "A.5.2", "", true),
    choice("illegal black no-move", "7.5.3"),
    choice("setting 5m 5m"),
    choice("appeal"),
  ]);
  expect(groups.map(({ key, rows }) => [key, rows.map((row) => [row.key, row.article])])).toEqual([
    ["claims", [["claim threefold", "9.2"]]],
    ["offences", [["illegal no-move", "7.5.3"]]],
    ["others", [["appeal", ""]]],
  ]);
  expect(groups[0]?.rows[0]?.black?.refusal).toBeDefined();
  expect(groups[2]?.rows[0]?.both?.request).toBe("appeal");
});

test("decisions are apart from rows", () => {
  expect(decisionsIn([choice("rule as-found"), choice("accept black"), choice("appeal")]).map(({ request }) => request)).toEqual([
    "rule as-found",
    "accept black",
  ]);
});

test("a request that ends the game is told from one that removes a result", () => {
  expect(endOf(choice("illegal white illegal", "7.5.5", "pause; end result 0-1"))).toBe("end result 0-1");
  expect(endOf(choice("claim double-flag-draw black", "", "claim draw black"))).toBe("claim draw black");
  expect(endOf(choice("appeal", "", "end result *"))).toBeNull();
  expect(endOf(choice("offer white"))).toBeNull();
});

test("the opponent's gain for an offence can be taken back", () => {
  expect(gainOf(choice("illegal white illegal", "7.5.1", "pause; add black 2m; moves white 3; resume white"))).toEqual({ side: "black", us: 120e6 });
  expect(gainOf(choice("illegal white illegal", "7.5.5", "pause; end result 0-1"))).toBeNull();
});

test("only claims about the position take a written move", () => {
  expect(takesMove(choice("claim fifty-moves black"))).toBe(true);
  expect(takesMove(choice("claim increment black"))).toBe(false);
});

test("one row names the absent player, or both", () => {
  const groups = groupsOf([choice("absent white 31m 30m", "6.7"), choice("absent black 31m 30m", "6.7"), choice("absent both 31m 30m", "6.7")]);
  expect(groups.map(({ rows }) => rows.map(({ white, black, both }) => [white, black, both].map((one) => one?.request)))).toEqual([
    [["absent white 31m 30m", "absent black 31m 30m", "absent both 31m 30m"]],
  ]);
});

test("figures are typed where a request needs them", () => {
  const discs = choice("othello 32 32 grace white");
  expect(figuresOf(discs)).toBe("discs");
  expect(withFigures(discs, ["40", "24"])).toBe("othello 40 24 grace white");
  expect(withFigures(discs, ["40", "25"])).toBeNull();
  expect(withFigures(discs, ["40", ""])).toBeNull();
  expect(withFigures(discs, ["4.5", "20"])).toBeNull();
  const rescue = choice("rescue black substituted");
  expect(figuresOf(rescue)).toBe("time");
  expect(withFigures(rescue, [" 3 d", ""])).toBe("rescue black 3d substituted");
  expect(withFigures(rescue, ["", ""])).toBe("rescue black substituted");
  expect(withFigures(rescue, ["three days", ""])).toBeNull();
  expect(figuresOf(choice("appeal"))).toBeNull();
});

test("moves are read and shown as score sheets have them", () => {
  expect(movesIn(" 1. e4 e5 2.Nf3  Nc6 3...a6 ")).toEqual(["e4", "e5", "Nf3", "Nc6", "a6"]);
  expect(scoreText(["e4", "e5", "Nf3"])).toBe("1. e4 e5 2. Nf3");
});
