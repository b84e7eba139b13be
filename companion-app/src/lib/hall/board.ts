// A board as the app knows it. Only this module and day-game.ts convert its wire data.
//
// Times are in microseconds, and instants are on the hub's timeline. Must never contain a rule of the game.

import { dayGame, type DayGame } from "./day-game.js";
import {
  BoardPhase,
  Button,
  CallKind,
  FlagState,
  type Board,
  type BoardNote,
  type PlayerSide,
  type PlanSegment,
  type PressLine,
  type SideClock,
} from "$gen/api/arbiter_pb.js";
import type { IllegalMoveRule, OffenceCount, OpenClaim } from "$gen/api/proceedings_pb.js";
import { Side } from "$gen/frames/side_pb.js";
import { OffenceKind } from "$gen/frames/event_pb.js";
import type { NoteFigures } from "$gen/frames/log_pb.js";

export type SideName = "white" | "black";
export const SIDES: readonly SideName[] = ["white", "black"];
export const other = (side: SideName): SideName => (side === "white" ? "black" : "white");

export type Phase = "ready" | "running" | "paused" | "stopped" | "flagged" | "over";
export type Flag = "none" | "expected" | "fallen" | "called";

export interface SideState {
  name: string;
  us: number;
  allotment: string;
  moves: number;
  period: number;
  flag: Flag;
  byoLeft?: number;
  stones?: number;
  bankUs?: number;
  points?: number;
  delayUs?: number;
}

/** A segment of the drawing plan: from `fromUs` on, each side's time changes by its rate. */
export interface Segment {
  fromUs: number;
  whiteUs: number;
  blackUs: number;
  whiteRate: number;
  blackRate: number;
  whiteAllotment: string;
  blackAllotment: string;
}

export interface Press {
  eventSeq: bigint;
  side: SideName;
  move: number;
  usedUs: number;
  leftUs: number;
  atUs: number;
}

export interface Note {
  kind: string;
  text: string;
  sinceUs?: number;
  /**
   * Number of occurrences, for a note that stays until an arbiter acknowledges it, such as one about a clock's honesty. Zero for a note that
   * disappears when its cause ends.
   */
  count: number;
  latestUs?: number;
  /** The clock's key; empty for a note that concerns only the board. */
  agent: string;
  figures?: NoteFigures;
}

/** The calls that an arbiter can acknowledge, so that the other arbiters know. */
export type CallName = "flag" | "expected" | "stopped" | "silent" | "note";

export interface Answered {
  call: CallName;
  actor: string;
  going: boolean;
}

/** A pending command, from any arbiter. */
export interface Waiting {
  id: string;
  text: string;
  actor: string;
  sinceUs: number;
}

export interface Penalty {
  /** Extra time for the opponent, in microseconds. */
  us: number;
  /** The article about the extra time, such as `FIDE B.2`. */
  timeArticle: string;
  /** Number of illegal moves at which a player loses the game. */
  losesAt: number;
  /** The article about losing the game. */
  article: string;
}

export function nextLoses({ penalty, illegalMoves }: BoardState, side: SideName): boolean {
  return penalty !== undefined && illegalMoves[side] + 1 >= penalty.losesAt;
}

export interface BoardState {
  board: string;
  seq: bigint;
  hubUs: number;
  white: SideState;
  black: SideState;
  running: SideName | null;
  /** The side whose clock will run when the clocks resume; null unless they are paused or stopped. */
  next: SideName | null;
  phase: Phase;
  sinceUs?: number;
  /** The instant at which a player stopped the clocks and called the arbiter. Absent if the stopped clocks wait for a result. */
  arbiterCalledUs?: number;
  pausedBy?: string;
  online: boolean;
  silentSinceUs?: number;
  firstFlag: SideName | null;
  result?: string;
  control: string;
  whiteButton: "left" | "right";
  plan: Segment[];
  waiting: Waiting[];
  agent: string;
  /** The round of the event to which the game belongs; 0 if none. */
  round: number;
  readonly presses: Press[];
  /** The claim that waits for a decision: the code for its kind, and the claimant. */
  claim?: { kind: string; side: SideName };
  /** The cost of an illegal move under the board's rule set; absent if the rule set has no illegal moves. */
  penalty?: Penalty;
  illegalMoves: Record<SideName, number>;
  /** The part of each side's time used in this game that is known only from the clock's own reports, in microseconds. */
  wordAloneUs: Record<SideName, number>;
  drawOdds: SideName | null;
  notes: Note[];
  /** The acknowledgements of calls on this board, newest last. */
  answered: Answered[];
  /** The game of Time Chess; viewers see only what both players may see. */
  timeChess?: DayGame;
  /** True for a side whose clock is connected. Absent unless each side has its own clock. */
  clocks?: Record<SideName, boolean>;
}

export function boardFromWire(wire: Board): BoardState {
  const { sinceUs, silentSinceUs, result } = wire;
  let presses: Press[] | undefined;
  return {
    board: wire.board,
    seq: wire.seq,
    hubUs: Number(wire.hubUs),
    white: sideFromWire(wire.white),
    black: sideFromWire(wire.black),
    running: sideName(wire.running),
    next: sideName(wire.next),
    phase: phaseName(wire.phase),
    online: wire.online,
    firstFlag: sideName(wire.firstFlag),
    control: wire.control,
    whiteButton: wire.whiteButton === Button.RIGHT ? "right" : "left",
    plan: wire.plan.map(segmentFromWire),
    waiting: wire.pending.map((one) => ({ id: hex(one.id), text: one.text, actor: one.actor, sinceUs: Number(one.sinceHubUs) })),
    agent: wire.agent,
    round: wire.round,
    // Converted only when used, because every update of a board carries its newest presses.
    get presses() {
      presses ??= wire.presses.map(pressFromWire);
      return presses;
    },
    illegalMoves: illegalMovesFromWire(wire.offences),
    wordAloneUs: { white: Number(wire.whiteWordAloneUs), black: Number(wire.blackWordAloneUs) },
    drawOdds: sideName(wire.drawOdds),
    notes: wire.notes.map(noteFromWire),
    answered: wire.acknowledged.flatMap((one) => {
      const call = callName(one.kind);
      return call ? [{ call, actor: one.actor, going: one.going }] : [];
    }),
    ...some("sinceUs", number(sinceUs)),
    ...some("silentSinceUs", number(silentSinceUs)),
    ...some("arbiterCalledUs", number(wire.arbiterCalledUs)),
    ...some("pausedBy", wire.pausedBy || undefined),
    ...some("result", result),
    ...some("claim", claimFromWire(wire.openClaim)),
    ...some("penalty", penaltyFromWire(wire.illegalMove)),
    ...some("clocks", clocksFromWire(wire.whiteClock, wire.blackClock)),
    ...some("timeChess", dayGame(wire.timeChess)),
  };
}

export function noteFromWire(one: BoardNote): Note {
  return {
    kind: one.kind,
    text: one.text,
    count: Number(one.count),
    agent: one.agent,
    ...some("sinceUs", number(one.sinceUs)),
    ...some("latestUs", number(one.latestUs)),
    ...some("figures", one.figures),
  };
}

function claimFromWire(open: OpenClaim | undefined): { kind: string; side: SideName } | undefined {
  return open && { kind: open.kind, side: sideName(open.side) ?? "white" };
}

function penaltyFromWire(rule: IllegalMoveRule | undefined): Penalty | undefined {
  return rule && { us: Number(rule.opponentGainsUs), timeArticle: rule.timeArticle, losesAt: rule.losesAt, article: rule.article };
}

function illegalMovesFromWire(offences: readonly OffenceCount[]): Record<SideName, number> {
  const of = (side: Side): number => offences.find((one) => one.kind === OffenceKind.ILLEGAL_MOVE && one.side === side)?.count ?? 0;
  return { white: of(Side.WHITE), black: of(Side.BLACK) };
}

export function pressFromWire(one: PressLine): Press {
  return {
    eventSeq: one.eventSeq,
    side: one.side === Side.BLACK ? "black" : "white",
    move: one.move,
    usedUs: Number(one.usedUs),
    leftUs: Number(one.leftUs),
    atUs: Number(one.atUs),
  };
}

function sideFromWire(wire: PlayerSide | undefined): SideState {
  return {
    name: wire?.name ?? "",
    us: Number(wire?.timeUs ?? 0n),
    allotment: wire?.allotment ?? "main",
    moves: wire?.moves ?? 0,
    period: wire?.period ?? 0,
    flag: flagName(wire?.flag ?? FlagState.NONE),
    ...some("byoLeft", wire?.byoLeft),
    ...some("stones", wire?.stones),
    ...some("bankUs", number(wire?.bankUs)),
    ...some("points", number(wire?.points)),
    ...some("delayUs", number(wire?.delayUs)),
  };
}

export function segmentFromWire(wire: PlanSegment): Segment {
  return {
    fromUs: Number(wire.fromUs),
    whiteUs: Number(wire.whiteUs),
    blackUs: Number(wire.blackUs),
    whiteRate: wire.whiteRate,
    blackRate: wire.blackRate,
    whiteAllotment: wire.whiteAllotment,
    blackAllotment: wire.blackAllotment,
  };
}

function clocksFromWire(white: SideClock | undefined, black: SideClock | undefined): Record<SideName, boolean> | undefined {
  return white && black ? { white: white.online, black: black.online } : undefined;
}

export function sideName(side: Side): SideName | null {
  switch (side) {
    case Side.WHITE:
      return "white";
    case Side.BLACK:
      return "black";
    case Side.UNSPECIFIED:
      return null;
  }
}

export function wireSide(side: SideName): Side {
  return side === "white" ? Side.WHITE : Side.BLACK;
}

const CALLS: Record<CallName, CallKind> = {
  flag: CallKind.FLAG,
  expected: CallKind.EXPECTED,
  stopped: CallKind.STOPPED,
  silent: CallKind.SILENT,
  note: CallKind.NOTE,
};

export function wireCall(call: CallName): CallKind {
  return CALLS[call];
}

/** Returns the name of a call; null for a call that only a newer hub knows. */
function callName(kind: CallKind): CallName | null {
  return (Object.keys(CALLS) as CallName[]).find((call) => CALLS[call] === kind) ?? null;
}

function flagName(flag: FlagState): Flag {
  switch (flag) {
    case FlagState.EXPECTED:
      return "expected";
    case FlagState.FALLEN:
      return "fallen";
    case FlagState.CALLED:
      return "called";
    case FlagState.NONE:
      return "none";
  }
}

export function phaseName(phase: BoardPhase): Phase {
  switch (phase) {
    case BoardPhase.RUNNING:
      return "running";
    case BoardPhase.PAUSED:
      return "paused";
    case BoardPhase.STOPPED:
      return "stopped";
    case BoardPhase.FLAGGED:
      return "flagged";
    case BoardPhase.OVER:
      return "over";
    case BoardPhase.READY:
    case BoardPhase.UNSPECIFIED:
      return "ready";
  }
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function unhex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function number(us: bigint | undefined): number | undefined {
  return us === undefined ? undefined : Number(us);
}

/** Returns an object that has the field only if there is a value, because an optional field must be absent rather than `undefined`. */
function some<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, V>);
}
