// A replayed game as the page uses it: plain numbers and strings, converted only here from the hub's response. Pure.
//
// Owns the search for the newest `Moment` at a given instant, and the clocks' times then. Must never compute a rule of time: the hub has
// replayed the game.

import { phaseOf, type DayPhase } from "$lib/hall/day-game.js";
import {
  IgnoredPress,
  MomentKind,
  type Basis,
  type FlagChange,
  type GameReplay,
  type GameTimeline,
  type Moment as WireMoment,
  type MoveChange,
} from "$gen/api/archive_pb.js";
import type { Refusal } from "$gen/frames/refusal_pb.js";
import { drawAt } from "$lib/draw/plan.js";
import { phaseName, segmentFromWire, sideName, SIDES, type Phase, type Segment, type SideName } from "$lib/hall/board.js";

/** The kind of a moment. `other` is anything else in the log about the board. */
export type Kind =
  "set" | "started" | "move" | "ignored" | "stopped" | "called" | "flag" | "expected" | "period" | "action" | "asked" | "note" | "offline" | "online" | "other";
export type IgnoredWhy = "turn" | "not_started" | "stopped" | "flag" | "over" | "late" | "";

export interface Stamp {
  record: number;
  agent: string;
  event: number;
  stampUs: number;
  /**
   * Half the width of the stamp's bounds, if each side has its own clock. Absent with a single clock, where uncertainty does not affect the
   * time used.
   */
  uncertainUs?: number;
}

/** A moment of a game, with the clocks after it. */
export interface Moment {
  record: number;
  atUs: number;
  kind: Kind;
  side: SideName | null;
  /** The number of the move or of the period. */
  number: number;
  usedUs: number;
  /** For a move: the player's remaining time when the button went down. */
  pressedUs: number;
  us: Record<SideName, number>;
  phase: Phase;
  turn: SideName | null;
  text: string;
  actor: string;
  reason: string;
  /** The record of the request; 0 if the action had no request. */
  asked: number;
  refused: Refusal | null;
  ignored: IgnoredWhy;
  result: string;
  stamp: Stamp | null;
}

export interface Timeline {
  board: string;
  game: number;
  round: number;
  names: Record<SideName, string>;
  control: string;
  moments: Moment[];
  /** The drawing plans of the clocks, in order, each valid from its instant onwards. */
  plans: { fromUs: number; segments: Segment[] }[];
  /** The positions of a game of Time Chess, in order; empty for any other game. */
  days: Day[];
}

export const PERSPECTIVES = ["white", "black", "spectators", "all"] as const;
export type Perspective = (typeof PERSPECTIVES)[number];

/** The position of a game of Time Chess from an instant onwards: the pieces visible from each perspective, as the first field of a FEN. */
export interface Day extends Record<Perspective, string> {
  /** The record of the log that produced the position. */
  record: number;
  atUs: number;
  phase: DayPhase;
}

/** A flag that fell only in `was` or only in `would`, or at different instants in the two timelines. */
export interface FlagDifference {
  side: SideName;
  wasUs?: number;
  wouldUs?: number;
  during: number;
}

export interface Replay {
  was: Timeline;
  /** The same presses replayed under a supposition; null without one. */
  would: Timeline | null;
  /** The keys (`moveKey`) of the moves that differ: in clocks or time used, or by being completed in only one timeline. */
  moves: ReadonlySet<string>;
  flags: FlagDifference[];
  records: number;
  /** The head of the hash chain after these records, in hexadecimal. */
  head: string;
}

export const moveKey = (side: SideName | null, number: number): string => `${number}${side === "black" ? "b" : "w"}`;

export function replayFromWire(wire: GameReplay): Replay {
  return {
    was: timeline(wire.was),
    would: wire.would ? timeline(wire.would) : null,
    moves: new Set(wire.moves.map(({ side, move }: MoveChange) => moveKey(sideName(side), move))),
    flags: wire.flags.map(flag),
    records: Number(wire.records),
    head: Array.from(wire.head, (byte) => byte.toString(16).padStart(2, "0")).join(""),
  };
}

function flag({ side, wasUs, wouldUs, during }: FlagChange): FlagDifference {
  return {
    side: sideName(side) ?? "white",
    during,
    ...(wasUs === undefined ? {} : { wasUs: Number(wasUs) }),
    ...(wouldUs === undefined ? {} : { wouldUs: Number(wouldUs) }),
  };
}

function timeline(wire: GameTimeline | undefined): Timeline {
  return {
    board: wire?.board ?? "",
    game: wire?.game ?? 0,
    round: wire?.round ?? 0,
    names: { white: wire?.white ?? "", black: wire?.black ?? "" },
    control: wire?.control ?? "",
    moments: wire?.moments.map(moment) ?? [],
    days:
      wire?.days.map(({ record, atUs, phase, white, black, spectators, all }) => ({
        record: Number(record),
        atUs: Number(atUs),
        phase: phaseOf(phase),
        white,
        black,
        spectators,
        all,
      })) ?? [],
    plans: wire?.plans.map(({ fromUs, segments }) => ({ fromUs: Number(fromUs), segments: segments.map(segmentFromWire) })) ?? [],
  };
}

function moment(wire: WireMoment): Moment {
  return {
    record: Number(wire.record),
    atUs: Number(wire.atUs),
    // A kind from a newer hub is missing here, although the type says otherwise.
    kind: (KINDS as Partial<typeof KINDS>)[wire.kind] ?? "other",
    side: sideName(wire.side),
    number: wire.number,
    usedUs: Number(wire.usedUs),
    pressedUs: Number(wire.pressedUs),
    us: { white: Number(wire.whiteUs), black: Number(wire.blackUs) },
    phase: phaseName(wire.phase),
    turn: sideName(wire.turn),
    text: wire.text,
    actor: wire.actor,
    reason: wire.reason,
    asked: Number(wire.asked),
    refused: wire.refusal ?? null,
    ignored: IGNORED[wire.ignored],
    result: wire.result,
    stamp: wire.basis ? stamp(wire.basis) : null,
  };
}

function stamp({ record, agent, event, stampUs, earliestUs, latestUs }: Basis): Stamp {
  return {
    record: Number(record),
    agent,
    event: Number(event),
    stampUs: Number(stampUs),
    ...(earliestUs === undefined || latestUs === undefined ? {} : { uncertainUs: Number(latestUs - earliestUs) / 2 }),
  };
}

const KINDS: Record<MomentKind, Kind> = {
  [MomentKind.UNSPECIFIED]: "other",
  [MomentKind.SET]: "set",
  [MomentKind.STARTED]: "started",
  [MomentKind.MOVE]: "move",
  [MomentKind.IGNORED]: "ignored",
  [MomentKind.STOPPED]: "stopped",
  [MomentKind.ARBITER_CALLED]: "called",
  [MomentKind.FLAG]: "flag",
  [MomentKind.FLAG_EXPECTED]: "expected",
  [MomentKind.PERIOD]: "period",
  [MomentKind.ACTION]: "action",
  [MomentKind.ASKED]: "asked",
  [MomentKind.NOTE]: "note",
  [MomentKind.OFFLINE]: "offline",
  [MomentKind.ONLINE]: "online",
  [MomentKind.OTHER]: "other",
};

const IGNORED: Record<IgnoredPress, IgnoredWhy> = {
  [IgnoredPress.UNSPECIFIED]: "",
  [IgnoredPress.OUT_OF_TURN]: "turn",
  [IgnoredPress.NOT_STARTED]: "not_started",
  [IgnoredPress.CLOCKS_STOPPED]: "stopped",
  [IgnoredPress.FLAG_DOWN]: "flag",
  [IgnoredPress.GAME_OVER]: "over",
  [IgnoredPress.LATE]: "late",
};

export interface Standing {
  us: Record<SideName, number>;
  running: SideName | null;
  /** The side whose clock runs next, if the clocks are paused or stopped. */
  next: SideName | null;
  fallen: SideName | null;
  result: string;
}

export function standingAt(timeline: Timeline, atUs: number): Standing {
  const { moments, plans } = timeline;
  // `moments` are in the log's order. A moment that the hub learned of later may have happened earlier.
  const newest = moments.findLast((one) => one.atUs <= atUs) ?? moments[0];
  const us = newest?.us ?? { white: 0, black: 0 };
  const still = (side: SideName): { us: number; allotment: string } => ({ us: us[side], allotment: "main" });
  const plan = plans[newestPlan(plans, atUs)]?.segments ?? [];
  const drawn = drawAt({ plan, running: null, white: still("white"), black: still("black") }, atUs);
  return { ...stateOf(newest), us: { white: drawn.white.us, black: drawn.black.us } };
}

/** Returns the clocks at a moment. For a move, these are the clocks when the button went down. */
export function standingOf(moment: Moment): Standing {
  const { kind, side, pressedUs, us } = moment;
  if (kind !== "move" || side === null) return { ...stateOf(moment), us };
  return { ...stateOf(moment), us: { ...us, [side]: pressedUs }, running: side, next: null };
}

function stateOf(moment: Moment | undefined): Omit<Standing, "us"> {
  const { phase, turn, result = "" } = moment ?? {};
  return {
    running: phase === "running" ? (turn ?? null) : null,
    next: phase === "paused" || phase === "stopped" ? (turn ?? null) : null,
    fallen: phase === "flagged" ? (turn ?? null) : null,
    result,
  };
}

function newestPlan(plans: Timeline["plans"], atUs: number): number {
  let [low, high] = [0, plans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((plans[middle]?.fromUs ?? 0) <= atUs) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export function spanOf({ moments, plans }: Timeline): [number, number] {
  const from = moments.reduce((least, { atUs }) => Math.min(least, atUs), moments[0]?.atUs ?? 0);
  const to = moments.reduce((most, { atUs }) => Math.max(most, atUs), plans.at(-1)?.fromUs ?? from);
  return [from, to];
}

/** Formats an exact time, `1:02:33.416`, truncated to milliseconds. */
export function exactText(us: number): string {
  const ms = Math.trunc(Math.abs(us) / 1000);
  const two = (n: number): string => String(n).padStart(2, "0");
  const [h, m, s] = [Math.floor(ms / 3600e3), Math.floor(ms / 60e3) % 60, Math.floor(ms / 1000) % 60];
  const sign = us <= -1000 ? "−" : "";
  return `${sign}${h > 0 ? `${h}:${two(m)}` : m}:${two(s)}.${String(ms % 1000).padStart(3, "0")}`;
}

/** Returns the time used for each move, for the chart. If a move was taken back and played again, only the last time counts. */
export function timesUsed({ moments }: Timeline): { side: SideName; move: number; usedUs: number }[] {
  const last = new Map<string, { side: SideName; move: number; usedUs: number }>();
  for (const { kind, side, number, usedUs } of moments) {
    if (kind === "move" && side) last.set(moveKey(side, number), { side, move: number, usedUs });
  }
  return [...last.values()].sort((a, b) => a.move - b.move || SIDES.indexOf(a.side) - SIDES.indexOf(b.side));
}
