// A supposition about a game: leaving out actions, adding others, or using a different time control. Pure.

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { SuppositionSchema, type Supposition as Wire } from "$gen/api/archive_pb.js";
import type { SideName } from "$lib/hall/board.js";
import type { Moment, Timeline } from "./timeline.js";
import { moveKey } from "./timeline.js";

/** A hypothetical correction: time given to or, if negative, taken from a side at the start of a turn. */
export interface Addition {
  side: SideName;
  us: number;
  before: { side: SideName; number: number };
}

export interface Supposition {
  /** Actions to leave out, each named by the record that requested or executed it. */
  without: readonly number[];
  add: readonly Addition[];
  /** The time control in notation; empty for the game's own. */
  control: string;
}

export const AS_IT_WAS: Supposition = { without: [], add: [], control: "" };

export const isEmpty = ({ without, add, control }: Supposition): boolean => without.length === 0 && add.length === 0 && control === "";

export function wireSupposition({ without, add, control }: Supposition): Wire {
  const wire: MessageInitShape<typeof SuppositionSchema> = { without: without.map(BigInt), add: add.map(additionText), control };
  return create(SuppositionSchema, wire);
}

/** Formats an addition in the hub's notation: `black +120s before 23w`. */
function additionText({ side, us, before }: Addition): string {
  return `${side} ${us < 0 ? "-" : "+"}${Math.abs(us) / 1e6}s before ${moveKey(before.side, before.number)}`;
}

/** Returns the record that names an action to leave out; null if the moment is not an action, or was refused. */
export function recordOf({ kind, asked, record, refused }: Moment): number | null {
  if (kind !== "action" || refused) return null;
  return asked || record;
}

/** Leaves an action out, or includes it again. */
export function toggled(supposition: Supposition, record: number): Supposition {
  const { without } = supposition;
  return { ...supposition, without: without.includes(record) ? without.filter((one) => one !== record) : [...without, record].sort((a, b) => a - b) };
}

/** Returns the turns before which time can be added: every move played, and the turn in progress at the end. */
export function turnsOf({ moments }: Timeline): Addition["before"][] {
  const turns: Addition["before"][] = [];
  const known = new Set<string>();
  const enter = (side: SideName, number: number): void => {
    const key = moveKey(side, number);
    if (!known.has(key)) turns.push({ side, number });
    known.add(key);
  };
  const made: Record<SideName, number> = { white: 0, black: 0 };
  for (const { kind, side, number } of moments) {
    if (kind !== "move" || !side) continue;
    enter(side, number);
    made[side] = number;
  }
  const last = moments.at(-1);
  if (last?.turn && turns.length > 0) enter(last.turn, made[last.turn] + 1);
  return turns;
}

/** Parses minutes and seconds (`2:00`) or seconds (`-30`), with an optional sign, into microseconds. Returns null for other text and for zero. */
export function amountOf(text: string): number | null {
  const [, sign, minutes, seconds] = /^\s*([-−+]?)(?:(\d{1,3}):)?(\d{1,4})\s*$/.exec(text) ?? [];
  if (seconds === undefined || (minutes !== undefined && (seconds.length !== 2 || Number(seconds) > 59))) return null;
  const us = (Number(minutes ?? 0) * 60 + Number(seconds)) * 1e6;
  return us === 0 ? null : sign === "-" || sign === "−" ? -us : us;
}
