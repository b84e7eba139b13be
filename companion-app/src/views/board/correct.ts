// The correction of both clocks: four numbers and a keypad. Pure.
//
// Digits enter from the right, as when a clock is set by hand. The format is always h:mm:ss, so 5 3 0 is five and a half minutes and cannot
// mean hours.

import { setMoves, setTime, type Command } from "$lib/commands/command.js";
import { SIDES, sideName, type SideName } from "$lib/hall/board.js";

export type Field = "time" | "moves";
export interface At {
  side: SideName;
  field: Field;
}
/** The seconds left, rounded up as shown, and the completed moves. */
export type Values = Record<SideName, Record<Field, number>>;

export const ORDER: readonly At[] = [
  { side: "white", field: "time" },
  { side: "white", field: "moves" },
  { side: "black", field: "time" },
  { side: "black", field: "moves" },
];
const TIME_DIGITS = 5;
const MOVE_DIGITS = 3;

export interface Correction {
  was: Values;
  now: Values;
  at: At;
  /** The digits typed since the field was selected; null if none. */
  typed: string | null;
}

export function begin(was: Values, next: SideName): Correction {
  return { was, now: structuredClone(was), at: { side: next, field: "time" }, typed: null };
}

export type Typed = Partial<Record<Field, Partial<Record<SideName, number>>>>;

/** Returns the values that a draft's commands set. */
export function typedIn(commands: readonly Command[]): Typed {
  const typed: Typed = {};
  for (const { case: kind, value } of commands) {
    const side = kind === "setTime" || kind === "setMoves" ? sideName(value.side) : null;
    if (side && kind === "setTime") typed.time = { ...typed.time, [side]: Math.ceil(Number(value.toUs) / 1e6) };
    if (side && kind === "setMoves") typed.moves = { ...typed.moves, [side]: value.moves };
  }
  return typed;
}

export function withTyped(correction: Correction, typed: Typed): Correction {
  return ORDER.reduce((work, at) => {
    const value = typed[at.field]?.[at.side];
    return value === undefined ? work : withValue(work, at, value);
  }, correction);
}

/** Replaces the values that the arbiter has not edited, after the board has changed. */
export function follow(correction: Correction, was: Values): Correction {
  const { now, at, typed } = correction;
  const kept = ORDER.filter((one) => changed(correction, one) !== 0 || (typed !== null && one.side === at.side && one.field === at.field));
  return kept.reduce((work, one) => withValue(work, one, now[one.side][one.field]), { ...correction, was, now: structuredClone(was) });
}

/** Returns true if nothing has changed, except that the running clock may have lost time. */
export function onlyTimePassed(was: Values, now: Values, ran: SideName | null): boolean {
  return SIDES.every((side) => {
    const by = now[side].time - was[side].time;
    // The earlier value may have been drawn slightly ahead of the clock.
    return now[side].moves === was[side].moves && (side === ran ? by <= 1 : by === 0);
  });
}

export type Key = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "00" | "back";

export function press(correction: Correction, key: Key): Correction {
  const { at } = correction;
  const typed = correction.typed ?? (key === "back" ? digitsOf(correction.now[at.side][at.field], at.field) : "");
  const longer = key === "back" ? typed.slice(0, -1) : (typed + key).slice(at.field === "time" ? -TIME_DIGITS : -MOVE_DIGITS);
  return { ...withValue(correction, at, at.field === "time" ? secondsOf(longer) : Number(longer)), typed: longer };
}

/** Adds to a field, whose value never falls below zero, and selects the field. */
export function add(correction: Correction, at: At, by: number): Correction {
  const value = Math.max(0, correction.now[at.side][at.field] + by);
  return { ...withValue(correction, at, value), at, typed: null };
}

export function goTo(correction: Correction, at: At): Correction {
  return { ...correction, at, typed: null };
}

export function next(correction: Correction): Correction {
  const place = ORDER.findIndex((one) => one.side === correction.at.side && one.field === correction.at.field);
  const to = ORDER[(place + 1) % ORDER.length];
  return to ? goTo(correction, to) : correction;
}

export function changed(correction: Correction, { side, field }: At): number {
  return correction.now[side][field] - correction.was[side][field];
}

/** Returns commands only for values that differ, so that an unchanged clock keeps its fractions of a second. */
export function commandsOf(correction: Correction): Command[] {
  return SIDES.flatMap((side) => {
    const { time, moves } = correction.now[side];
    return [
      ...(changed(correction, { side, field: "time" }) === 0 ? [] : [setTime(side, time * 1_000_000)]),
      ...(changed(correction, { side, field: "moves" }) === 0 ? [] : [setMoves(side, moves)]),
    ];
  });
}

function withValue(correction: Correction, { side, field }: At, value: number): Correction {
  return { ...correction, now: { ...correction.now, [side]: { ...correction.now[side], [field]: value } } };
}

const two = (n: number): string => String(n).padStart(2, "0");

export function longTime(s: number): string {
  return `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
}

/** Formats a time without leading zeros: `5:30`. */
export function shortTime(s: number): string {
  return longTime(s).replace(/^0:0?/, "");
}

export function signed(by: number, field: Field): string {
  return `${by > 0 ? "+" : "−"}${field === "time" ? shortTime(Math.abs(by)) : Math.abs(by)}`;
}

function digitsOf(value: number, field: Field): string {
  return field === "time" ? longTime(value).replaceAll(":", "").replace(/^0+/, "") : String(value);
}

function secondsOf(typed: string): number {
  const mask = typed.padStart(TIME_DIGITS, "0");
  return Number(mask[0]) * 3600 + Number(mask.slice(1, 3)) * 60 + Number(mask.slice(3));
}
