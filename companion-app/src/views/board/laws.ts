// The requests under the Laws as rows of the sheet "Claims and rulings". Pure.

import { m } from "$gen/words/messages.js";
import type { Choice } from "$gen/api/proceedings_pb.js";
import { duration } from "$lib/commands/command.js";
import type { SideName } from "$lib/hall/board.js";
import { requestWords, sideOf } from "$lib/words/laws.js";

export type GroupKey = "flags" | "claims" | "offers" | "offences" | "others";

/** One kind of request, for one or both sides or for the whole game. */
export interface Row {
  key: string;
  label: string;
  article: string;
  white?: Choice;
  black?: Choice;
  both?: Choice;
}

const GROUP: Readonly<Record<string, GroupKey>> = { flag: "flags", claim: "claims", offer: "offers", illegal: "offences", touch: "offences" };
/** The verbs that answer or withdraw an open claim or offer. They are not shown as rows. */
const DECISIONS: readonly string[] = ["rule", "accept", "decline", "withdraw"];
/** The verbs of requests that have their own sheet, such as corrections of times. */
const ELSEWHERE: readonly string[] = ["setting"];
const DISCS = 64;
const GROUPS: readonly GroupKey[] = ["flags", "claims", "offers", "offences", "others"];

const verbOf = (choice: Choice): string => choice.request.split(" ")[0] ?? "";

export const decisionsIn = (choices: readonly Choice[]): Choice[] => choices.filter((choice) => DECISIONS.includes(verbOf(choice)));

/** Returns the groups that have rows, with the rows in the hub's order. */
export function groupsOf(choices: readonly Choice[]): { key: GroupKey; rows: Row[] }[] {
  const groups = new Map<GroupKey, Map<string, Row>>(GROUPS.map((key) => [key, new Map()]));
  for (const choice of choices) {
    const verb = verbOf(choice);
    if (DECISIONS.includes(verb) || ELSEWHERE.includes(verb)) continue;
    const side = sideOf(choice.request);
    const key = choice.request.replace(/ (?:white|black|both)(?= |$)/, "");
    const rows = groups.get(GROUP[verb] ?? "others");
    const row = rows?.get(key) ?? { key, label: verb === "othello" ? m.law_discs() : requestWords(choice.request), article: "" };
    row[side ?? "both"] = choice;
    // The article of a refused choice may be the refusal's, so prefer that of a choice that is not refused.
    if (!row.article || !choice.refusal) row.article = choice.article;
    rows?.set(key, row);
  }
  return [...groups].flatMap(([key, rows]) => (rows.size > 0 ? [{ key, rows: [...rows.values()] }] : []));
}

/** Returns true if a claim can be based on a move that is written down but not played (FIDE 9.2.1, 9.3.1). */
export const takesMove = (choice: Choice): boolean => /^claim (?:threefold|fifty-moves) /.test(choice.request);

/** Returns the kind of figures that an arbiter types for a request: the discs of both sides, or a time; null if none. */
export function figuresOf(choice: Choice): "discs" | "time" | null {
  const verb = verbOf(choice);
  return verb === "othello" ? "discs" : verb === "rescue" ? "time" : null;
}

/** Returns the request with the typed figures; null if they are invalid. */
export function withFigures(choice: Choice, [first = "", second = ""]: readonly string[]): string | null {
  const words = choice.request.split(" ");
  if (figuresOf(choice) === "discs") {
    const [white, black] = [Number(first), Number(second)];
    const fit = /^\d+$/.test(first) && /^\d+$/.test(second) && white + black <= DISCS;
    return fit ? ["othello", white, black, ...words.slice(3)].join(" ") : null;
  }
  const time = first.replace(/\s+/g, "");
  if (time !== "" && !duration(time)) return null;
  return [...words.slice(0, 2), ...(time ? [time] : []), "substituted"].join(" ");
}

/** Returns the part of a request's effect that ends the game; null if the game continues. */
export function endOf(choice: Choice): string | null {
  const ends = (part: string): boolean => part.startsWith("end ") || part.startsWith("claim draw ");
  const ending = choice.effect.split("; ").find((part) => ends(part) && part !== "end result *");
  return ending ?? null;
}

/** Returns the time that a request adds, for its undo; null if it adds none. For an offence, this is the opponent's extra time. */
export function gainOf(choice: Choice): { side: SideName; us: number } | null {
  const [, side, time] = /(?:^|; )add (white|black) ([^;]+)/.exec(choice.effect) ?? [];
  const us = duration(time ?? "");
  return (side === "white" || side === "black") && us !== null ? { side, us } : null;
}

/** Splits a line of moves as players write them, and drops the move numbers. */
export const movesIn = (text: string): string[] =>
  text
    .split(/\s+/)
    .map((word) => word.replace(/^\d+\.+/, ""))
    .filter((word) => word !== "");

/** Joins moves as on a score sheet: `1. e4 e5 2. Nf3`. */
export const scoreText = (moves: readonly string[]): string => moves.map((move, at) => (at % 2 === 0 ? `${at / 2 + 1}. ${move}` : move)).join(" ");
