// The replay of a game, as the hub computed it from the log: both clocks at every instant, and what would have been. Pure.
//
// Knows no rule of time: the clocks between two moments are drawn from the hub's plans, as on the board.

import type { FlagChange as WireFlag, GameReplay, GameTimeline, Moment as WireMoment, MoveChange } from "$gen/api/archive_pb.js";
import { MomentKind } from "$gen/api/archive_pb.js";
import { drawAt, type Drawn } from "$lib/draw/plan.js";
import { segmentFromWire, sideName, type Segment, type SideName } from "$lib/hall/board.js";

/** One thing that happened in the game. */
export interface Moment {
  kind: MomentKind;
  record: bigint;
  atUs: number;
  side: SideName | null;
  /** The number of a move or of a period. */
  number: number;
  usedUs: number;
  /** Time in hand as the button went down. */
  pressedUs: number;
  whiteUs: number;
  blackUs: number;
  /** The command of an action, the control of a setting, or the hub's English. */
  text: string;
  actor: string;
  reason: string;
  /** The rule that refused an action; empty if it was carried out. */
  refused: string;
}

export interface Timeline {
  white: string;
  black: string;
  control: string;
  game: number;
  round: number;
  moments: Moment[];
  plans: { fromUs: number; plan: Segment[] }[];
}

/** A flag that would or would not have fallen, or at another instant. */
export interface FlagChange {
  side: SideName;
  wasUs: number | undefined;
  wouldUs: number | undefined;
  during: number;
}

export interface Replay {
  was: Timeline;
  would: Timeline | null;
  /** The moves that differ, as `17w`. */
  changed: ReadonlySet<string>;
  flags: FlagChange[];
  records: bigint;
  head: string;
}

/** Both clocks at an instant. */
export interface Clocks {
  white: Drawn;
  black: Drawn;
}

/** The difference to the game as it was. */
export interface Supposition {
  /** Records of actions to leave out. */
  without: readonly bigint[];
  /** A time control in notation; empty for the game's own. */
  control: string;
}

export function replayFromWire(wire: GameReplay): Replay {
  return {
    was: timelineFromWire(wire.was),
    would: wire.would ? timelineFromWire(wire.would) : null,
    changed: new Set(wire.moves.map(changedMove)),
    flags: wire.flags.map(flagFromWire),
    records: wire.records,
    head: Array.from(wire.head, (byte) => byte.toString(16).padStart(2, "0")).join(""),
  };
}

function timelineFromWire(wire: GameTimeline | undefined): Timeline {
  return {
    white: wire?.white ?? "",
    black: wire?.black ?? "",
    control: wire?.control ?? "",
    game: wire?.game ?? 0,
    round: wire?.round ?? 0,
    moments: (wire?.moments ?? []).map(momentFromWire),
    plans: (wire?.plans ?? []).map(({ fromUs, segments }) => ({ fromUs: Number(fromUs), plan: segments.map(segmentFromWire) })),
  };
}

function momentFromWire(wire: WireMoment): Moment {
  return {
    kind: wire.kind,
    record: wire.record,
    atUs: Number(wire.atUs),
    side: sideName(wire.side),
    number: wire.number,
    usedUs: Number(wire.usedUs),
    pressedUs: Number(wire.pressedUs),
    whiteUs: Number(wire.whiteUs),
    blackUs: Number(wire.blackUs),
    text: wire.text,
    actor: wire.actor,
    reason: wire.reason,
    refused: wire.refused,
  };
}

function flagFromWire(wire: WireFlag): FlagChange {
  const number = (us: bigint | undefined): number | undefined => (us === undefined ? undefined : Number(us));
  return { side: sideName(wire.side) ?? "white", wasUs: number(wire.wasUs), wouldUs: number(wire.wouldUs), during: wire.during };
}

function changedMove({ side, move }: MoveChange): string {
  return moveKey({ number: move, side: sideName(side) });
}

/** Names a move: `17w`. */
export function moveKey({ number, side }: Pick<Moment, "number" | "side">): string {
  return `${number}${side === "black" ? "b" : "w"}`;
}

/** Returns the clocks at an instant; null before the game. */
export function clocksAt({ plans }: Timeline, atUs: number): Clocks | null {
  let at = plans.length - 1;
  while (at >= 0 && (plans[at]?.fromUs ?? 0) > atUs) at -= 1;
  const plan = plans[at]?.plan;
  if (!plan) return null;
  const nothing = { us: 0, allotment: "main" };
  const { white, black } = drawAt({ plan, running: null, white: nothing, black: nothing }, atUs);
  return { white, black };
}

/** Returns the instants of a game's beginning and end. */
export function spanOf({ moments, plans }: Timeline): readonly [number, number] {
  const from = moments.find(({ kind }) => kind === MomentKind.STARTED)?.atUs ?? moments[0]?.atUs ?? 0;
  const to = moments.reduce((last, { kind, atUs }) => (isOfPlay(kind) ? Math.max(last, atUs) : last), from);
  return [from, Math.max(to, plans.at(-1)?.fromUs ?? to)];
}

/** Returns true for a moment of the game itself; the others concern devices. */
export function isOfPlay(kind: MomentKind): boolean {
  const devices = [
    MomentKind.UNSPECIFIED,
    MomentKind.FLAG_EXPECTED,
    MomentKind.ASKED,
    MomentKind.NOTE,
    MomentKind.OFFLINE,
    MomentKind.ONLINE,
    MomentKind.OTHER,
  ];
  return !devices.includes(kind);
}

/** Formats a time to the millisecond, as committees compare it: `1:12:03.120`. */
export function exactText(us: number): string {
  const ms = Math.floor(Math.abs(us) / 1000);
  const two = (value: number): string => String(value).padStart(2, "0");
  const [h, m, s] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, Math.floor(ms / 1000) % 60];
  return `${us < 0 ? "−" : ""}${h}:${two(m)}:${two(s)}.${String(ms % 1000).padStart(3, "0")}`;
}
