// The list of a replayed game. Moves are lines as on a score sheet, and any other step is a separate line. Under a supposition, both games
// are merged into one list. Pure.

import type { SideName } from "$lib/hall/board.js";
import { moveKey, type Kind, type Moment, type Replay } from "./timeline.js";

/** One step of the list: a moment of the actual game, of the hypothetical game, or of both. */
export interface Step {
  /** The id of the step, which stays the same when the game is replayed again. */
  id: string;
  was: Moment | null;
  would: Moment | null;
  /** True if only one game has this step or refused it, or if the clocks differ after a move. Always false without a supposition. */
  differs: boolean;
}

/** A line of the list: a move number with the presses of both sides, or any other step. */
export type Row = { kind: "move"; number: number; white: Step | null; black: Step | null } | { kind: "step"; step: Step };

/** The steps in the list: those of the game with its notes, or everything in the log about the board. */
export type Shown = "game" | "all";
const IN_GAME: ReadonlySet<Kind> = new Set<Kind>(["set", "started", "move", "ignored", "stopped", "called", "flag", "period", "action", "note"]);

export const momentOf = ({ was, would }: Pick<Step, "was" | "would">): Moment => {
  const moment = was ?? would;
  if (!moment) throw new Error("a step of the replay has no moment");
  return moment;
};

/** Merges both games in the order of play. Each timeline keeps its own order. */
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

/** Returns a key that is equal for corresponding moments of both games. */
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
    // A move that is played again after a restore gets a new line.
    if (last?.kind === "move" && last.number === number && !last[side] && !(side === "white" && last.black)) last[side] = step;
    else rows.push({ kind: "move", number, white: null, black: null, [side]: step });
  }
  return rows;
}

/** Returns the step that completed a move. If the move was played again, returns the last such step. */
export function stepOfMove(steps: readonly Step[], side: SideName, number: number): Step | undefined {
  return steps.findLast((step) => {
    const one = momentOf(step);
    return one.kind === "move" && one.side === side && one.number === number;
  });
}

/** Returns the last step at or before an instant, or else the first step. */
export function stepAt(steps: readonly Step[], atUs: number): Step | undefined {
  return steps.findLast((step) => momentOf(step).atUs <= atUs) ?? steps[0];
}

/** Returns the next step of these kinds in one direction; undefined if there is none. */
export function nextStep(steps: readonly Step[], from: Step | undefined, by: 1 | -1, kinds?: readonly Kind[]): Step | undefined {
  let at = from ? steps.indexOf(from) + by : by > 0 ? 0 : steps.length - 1;
  while (at >= 0 && at < steps.length) {
    const step = steps[at];
    if (step && (!kinds || kinds.includes(momentOf(step).kind))) return step;
    at += by;
  }
  return undefined;
}
