import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { FidePlayerSchema, RateOfPlay } from "$gen/api/fide_pb.js";
import { Bye, EventSchema, PlayerSchema, Sex } from "$gen/frames/event_pb.js";
import { EMPTY, datesFor, entryOf, eventEntryOf, eventOf, fromList, playerOf } from "./entry.js";

const listed = create(FidePlayerSchema, {
  fideId: 1500090n,
  name: "Hotel, Hana",
  federation: "NOR",
  sex: Sex.FEMALE,
  title: "WFM",
  standard: 2100,
  blitz: 1999,
  birthYear: 2001,
});

test("a listed player fills the form with the rating of the event's rate of play", () => {
  const typed = { ...EMPTY, club: "Narvik", birth: "2001/04/30", from: "3" };
  expect(fromList(listed, RateOfPlay.STANDARD, typed)).toEqual({
    name: "Hotel, Hana",
    fideId: "1500090",
    rating: "2100",
    title: "WFM",
    federation: "NOR",
    sex: "w",
    birth: "2001/04/30",
    club: "Narvik",
    from: "3",
    missed: "zero",
  });
  expect(fromList(listed, RateOfPlay.BLITZ, { ...EMPTY, birth: "1999" })).toMatchObject({ rating: "1999", birth: "2001" });
  expect(fromList(listed, RateOfPlay.RAPID, { ...EMPTY, rating: "1500" }).rating).toBe("");
});

test("an edited player keeps hidden fields and loses emptied ones", () => {
  const known = create(PlayerSchema, { no: 4, name: "Delta, Dan", rating: 1800, fideId: 7n, leaves: 2, keptLines: ["x"], enters: 1, sex: Sex.MALE });
  expect(playerOf(entryOf(known), 4, known)).toEqual(known);
  const edited = playerOf({ ...entryOf(known), rating: "", fideId: " 1500004 ", federation: "nor", sex: "" }, 4, known);
  expect(edited.rating).toBeUndefined();
  expect(edited).toMatchObject({ no: 4, fideId: 1500004n, federation: "NOR", leaves: 2, keptLines: ["x"], sex: Sex.UNSPECIFIED });
  expect(playerOf({ ...EMPTY, name: " India, Ian " }, 9)).toMatchObject({ no: 9, name: "India, Ian", enters: 1 });
});

test("the event's data are unchanged by a round trip through the form", () => {
  const event = create(EventSchema, {
    name: "Cup",
    rounds: 3,
    starts: "2026/11/20",
    deputies: ["A", "B"],
    tieBreaks: ["BH"],
    rules: "uscf",
    roundRules: [{ round: 3, rules: "fide-blitz" }],
    roundDates: [{ round: 2, date: "2026/11/21" }],
  });
  const entry = eventEntryOf(event);
  expect(entry.dates).toEqual(["", "2026-11-21", ""]);
  expect(eventOf(entry, event)).toEqual(event);
  const shorter = eventOf({ ...entry, rounds: "1", dates: ["2026-11-20", "2026-11-21"] }, event);
  expect(shorter.roundDates.map((one) => [one.round, one.date])).toEqual([[1, "2026/11/20"]]);
  expect(shorter.tieBreaks).toEqual(["BH"]);
  expect(datesFor("x", ["a"])).toEqual(["a"]);
});

test("a late player gets byes for the missed rounds, and an edited one keeps them", () => {
  const late = playerOf({ ...EMPTY, name: "Hall, Hal", from: "3", missed: "half" }, 8);
  expect(late.byes.map(({ round, bye }) => [round, bye])).toEqual([
    [1, Bye.HALF],
    [2, Bye.HALF],
  ]);
  expect(playerOf({ ...EMPTY, name: "Hall, Hal", from: "3" }, 8).byes).toEqual([]);
  expect(playerOf({ ...entryOf(late), missed: "half", from: "5" }, 8, late).byes).toHaveLength(2);
});
