// The list of a replayed game: moves as lines of a score sheet, everything else as a line of its own, and under a supposition both
// games merged into one list. Pure.

import type { SideName } from "$lib/hall/board.js";
import { moveKey, type Kind, type Moment, type Replay } from "./timeline.js";

/** One step of the list: a moment as it was, as it would have been, or both. */
export interface Step {
  /** Identifies the step, also after the game was replayed again. */
  id: string;
  was: Moment | null;
  would: Moment | null;
  /** Its clocks differ, or it is in one of the two games only. Always false without a supposition. */
  differs: boolean;
}

/** A line: a move number with the presses of both sides, or any other step. */
export type Row = { kind: "move"; number: number; white: Step | null; black: Step | null } | { kind: "step"; step: Step };

/** The list shows the game with its notes, or all that the log has about the board. */
export type Shown = "game" | "all";
const IN_GAME: ReadonlySet<Kind> = new Set<Kind>(["set", "started", "move", "ignored", "stopped", "called", "flag", "period", "action", "note"]);

export const momentOf = ({ was, would }: Pick<Step, "was" | "would">): Moment => {
  const moment = was ?? would;
  if (!moment) throw new Error("a step without a moment");
  return moment;
};

/** Merges both games in the order of play. The order of each timeline stays. */
export function stepsOf({ was, would, moves }: Replay): Step[] {
  if (!would) return identified(was.moments.map((one) => ({ was: one, would: null, differs: false })));
  const open = new Map<string, Moment[]>();
  for (const one of would.moments) open.set(key(one), [...(open.get(key(one)) ?? []), one]);
  const paired = new Set<Moment>();
  const steps: Unnamed[] = was.moments.map((one) => {
    const other = open.get(key(one))?.shift() ?? null;
    if (other) paired.add(other);
    return { was: one, would: other, differs: !other || differs(one, other, moves) };
  });
  let at = 0;
  for (const one of would.moments) {
    if (paired.has(one)) {
      at = steps.findIndex((step) => step.would === one) + 1;
      continue;
    }
    while (at < steps.length && momentOf(steps[at] as Unnamed).atUs <= one.atUs) at += 1;
    steps.splice(at, 0, { was: null, would: one, differs: true });
    at += 1;
  }
  return identified(steps);
}

type Unnamed = Omit<Step, "id">;

function identified(steps: readonly Unnamed[]): Step[] {
  const seen = new Map<string, number>();
  return steps.map((step) => {
    const name = key(momentOf(step));
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    return { ...step, id: `${name} ${before}` };
  });
}

/** Moments with equal keys are the same moment of both games. */
function key({ record, kind, side, number, atUs }: Moment): string {
  if (kind === "flag") return `flag ${side} ${atUs}`;
  return `${record} ${kind} ${side} ${kind === "move" ? number : ""}`;
}

function differs(was: Moment, would: Moment, moves: ReadonlySet<string>): boolean {
  if (was.kind === "move") return moves.has(moveKey(was.side, was.number)) && (was.us.white !== would.us.white || was.us.black !== would.us.black);
  return (was.refused === null) !== (would.refused === null);
}

export function rowsOf(steps: readonly Step[], shown: Shown): Row[] {
  const rows: Row[] = [];
  for (const step of steps) {
    const { kind, side, number } = momentOf(step);
    if (shown === "game" && !IN_GAME.has(kind)) continue;
    if (kind !== "move" || side === null) {
      rows.push({ kind: "step", step });
      continue;
    }
    const last = rows.at(-1);
    // A move played again after a restore has a line of its own.
    if (last?.kind === "move" && last.number === number && !last[side] && !(side === "white" && last.black)) last[side] = step;
    else rows.push({ kind: "move", number, white: null, black: null, [side]: step });
  }
  return rows;
}

/** Returns the step that completed a move, as last played. */
export function stepOfMove(steps: readonly Step[], side: SideName, number: number): Step | undefined {
  return steps.findLast((step) => {
    const one = momentOf(step);
    return one.kind === "move" && one.side === side && one.number === number;
  });
}

/** Returns the newest step up to an instant. */
export function stepAt(steps: readonly Step[], atUs: number): Step | undefined {
  return steps.findLast((step) => momentOf(step).atUs <= atUs) ?? steps[0];
}

/** Returns the next step of these kinds in one direction, or undefined at the end of the list. */
export function nextStep(steps: readonly Step[], from: Step | undefined, by: 1 | -1, kinds?: readonly Kind[]): Step | undefined {
  let at = from ? steps.indexOf(from) + by : by > 0 ? 0 : steps.length - 1;
  while (at >= 0 && at < steps.length) {
    const step = steps[at];
    if (step && (!kinds || kinds.includes(momentOf(step).kind))) return step;
    at += by;
  }
  return undefined;
}
