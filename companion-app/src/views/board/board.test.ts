import { create, toBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { LogLineSchema } from "$gen/api/arbiter_pb.js";
import { Button, EventBodySchema } from "$gen/frames/frames_pb.js";
import { RecordSchema } from "$gen/frames/log_pb.js";
import { setLocale } from "$lib/words/catalogue.js";
import { linesFrom } from "$lib/log/lines.js";
import { line, press } from "$lib/testing.js";
import { commandWords } from "$lib/words/command.js";
import { resultText, scores } from "$lib/words/results.js";
import { shortName } from "$lib/words/short-name.js";
import { enrolmentFrom, enrolmentIn } from "$lib/enrol/code.js";
import { longest } from "$lib/draw/time-used.js";
import { left, minutes, minutesUsed } from "./chart.js";
import { DECIDED, HOWS, PLAYED, UNPLAYED, ending, fits } from "./result.js";

setLocale("en");

test("a command's record has actor, text and reason", () => {
  const record = create(RecordSchema, {
    input: { case: "command", value: { actor: "J. Doe", reason: "noise", what: { case: "boardCommand", value: "pause" } } },
    after: { whiteUs: 5n, blackUs: 6n },
  });
  const [read] = linesFrom(
    create(LogLineSchema, { index: 3n, hubUs: 9n, text: "paused by J. Doe (noise) [White 0, Black 0]", record: toBinary(RecordSchema, record) }),
  );
  expect(read).toMatchObject({ kind: "arbiter", actor: "J. Doe", reason: "noise", text: "paused", command: "pause", after: { white: 5, black: 6 } });
});

test("a press belongs to its clock's chain, and an executed order is quiet", () => {
  const of = (fact: Parameters<typeof create<typeof EventBodySchema>>[1]) => {
    const body = toBinary(EventBodySchema, create(EventBodySchema, fact));
    return linesFrom(create(LogLineSchema, { record: toBinary(RecordSchema, create(RecordSchema, { input: { case: "agentEvent", value: { body } } })) }))[0];
  };
  expect(of({ seq: 7n, fact: { case: "press", value: { button: Button.RIGHT } } })).toMatchObject({ kind: "press", press: { eventSeq: 7n, button: "right" } });
  expect(of({ fact: { case: "orderTaken", value: {} } })?.kind).toBe("quiet");
});

test("the chart has White up, Black down, and gaps where times are unknown", () => {
  const [moves, white, black] = minutesUsed([press(1, { usedUs: 60e6 }), press(2, { usedUs: 30e6 }), press(3)]);
  expect([moves.length, white.slice(0, 3), black.slice(0, 2)]).toEqual([24, [1, 1 / 60, null], [-0.5, null]]);
  expect(longest([press(1), press(2, { usedUs: 9e6 })])?.move).toBe(1);
  expect([minutes(-0.25), minutes(5), minutes(0)]).toEqual(["15 s", "5", "0"]);
});

test("time left is taken from the records, with corrections", () => {
  const after = (white: number, black: number) => ({ after: { white: white * 60e6, black: black * 60e6 } });
  expect(left([line(0, after(5, 5)), line(60, { kind: "press", ...after(4, 5) }), line(61, { kind: "quiet", ...after(1, 1) })])).toEqual([
    [0, 1],
    [5, 4],
    [5, 5],
  ]);
});

test("commands and results in words", () => {
  expect([
    commandWords("add black -120s"),
    commandWords("set white 3s"),
    commandWords("resume black"),
    commandWords("end result 1-0"),
    commandWords("end result *"),
    commandWords("something new"),
  ]).toEqual(["Black −2:00", "White set to 0:03", "Resume, Black to move", "Result 1–0", "Result removed", "something new"]);
  expect([resultText("1/2-1/2"), resultText("1-0f"), resultText("0-0f"), resultText("*")]).toEqual(["½–½", "+:–", "–:–", "*"]);
  expect(scores("1/2-0")).toEqual(["½", "0"]);
  expect([shortName("Okonkwo, Chidera"), shortName("Magnus")]).toEqual(["Okonkwo C.", "Magnus"]);
});

test("mate and resignation have their own words, other endings an article", () => {
  expect(ending("1-0", "mate").command.value).toMatchObject({ ending: "mate white" });
  expect(ending("1-0", "resigned").command.value).toMatchObject({ ending: "resign black" });
  expect(ending("0-1", "resigned").command.value).toMatchObject({ ending: "resign white" });
  expect(ending("0-1", "time")).toMatchObject({ reason: "FIDE 6.9", command: { value: { ending: "result 0-1" } } });
  expect(ending("1/2-1/2", "agreed").command.value).toMatchObject({ ending: "draw" });
  expect(ending("1/2-1/2", "unsaid").command.value).toMatchObject({ ending: "result 1/2-1/2" });
});

test("only a game that was played has a named termination", () => {
  const codesOf = Object.fromEntries(HOWS.map((how) => [how, [...PLAYED, ...UNPLAYED, ...DECIDED].filter((code) => fits(code, how))]));
  expect(codesOf).toEqual({
    unsaid: [...PLAYED, ...UNPLAYED, ...DECIDED],
    mate: ["1-0", "0-1"],
    resigned: ["1-0", "0-1"],
    time: PLAYED,
    agreed: ["1/2-1/2"],
    illegal: PLAYED,
  });
});

test("an enrolment code is found in any pasted form, and only a code is", () => {
  const [authority, token] = ["a".repeat(32), "0123456789abcdef0123456789abcdef"];
  expect(enrolmentFrom(` flagfall://hub.local:7464#${authority}.\n${token} `)).toEqual({ hub: "hub.local:7464", authority, token });
  expect(enrolmentFrom(`https://192.168.1.9:7464/#${authority}.${token}`)).toEqual({ hub: "192.168.1.9:7464", authority, token });
  expect(enrolmentFrom(`https://hub.local#${authority}.${token}`)?.hub).toBe("hub.local:443");
  expect(enrolmentIn("hub.local:7464", `#${authority}.${token}`)).toEqual({ hub: "hub.local:7464", authority, token });
  expect(enrolmentIn("hub.local:7464", "#/hall")).toBeNull();
  for (const wrong of ["", "https://hub.local", `flagfall://hub.local:7464#${authority}`, `flagfall://hub.local#${authority}.${token}`])
    expect(enrolmentFrom(wrong), wrong).toBeNull();
});
