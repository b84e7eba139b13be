// The values that an arbiter's command changed on a board, before and after. Pure; words/log.ts has the texts.

import { create } from "@bufbuild/protobuf";
import type { BoardValues, Changed, SideValues } from "$gen/frames/log_pb.js";
import { RefusalSchema, type Refusal } from "$gen/frames/refusal_pb.js";
import { Side } from "$gen/frames/side_pb.js";
import type { SideName } from "$lib/hall/board.js";

export type Difference =
  | { what: "time" | "bank"; side: SideName; fromUs: number | null; toUs: number | null }
  | { what: "moves" | "period" | "byo" | "stones"; side: SideName; from: number | null; to: number | null }
  | { what: "turn"; from: SideName; to: SideName }
  | { what: "whiteButton"; from: "left" | "right"; to: "left" | "right" }
  | { what: "result" | "control"; from: string; to: string };

export interface Effect {
  differences: Difference[];
  /** Each side's number of moves after the command. */
  moves?: Record<SideName, number>;
  /** The reason why the command was refused. */
  refusal?: Refusal;
}

/** Returns the effect of a record; null if the record neither carries out nor refuses an intervention. A new game lists no differences. */
export function effectOf(changed: Changed): Effect | null {
  // Logs of older hubs contain only the text of a refusal.
  if (changed.refused) return { differences: [], refusal: { ...(changed.refusal ?? create(RefusalSchema)), text: changed.refused } };
  const { before, after } = changed;
  if (!before || !after) return null;
  const moves = { white: after.white?.moves ?? 0, black: after.black?.moves ?? 0 };
  return { differences: changed.newGame ? [] : differences(before, after), moves };
}

function differences(before: BoardValues, after: BoardValues): Difference[] {
  const found: Difference[] = [...ofSide("white", before.white, after.white), ...ofSide("black", before.black, after.black)];
  const [was, is] = [turn(before.turn), turn(after.turn)];
  if (was && is && was !== is) found.push({ what: "turn", from: was, to: is });
  if (before.whiteIsRight !== after.whiteIsRight) found.push({ what: "whiteButton", from: button(before.whiteIsRight), to: button(after.whiteIsRight) });
  if (before.result !== after.result && before.result !== "") found.push({ what: "result", from: before.result, to: after.result });
  if (before.control !== after.control) found.push({ what: "control", from: before.control, to: after.control });
  return found;
}

function ofSide(side: SideName, before: SideValues | undefined, after: SideValues | undefined): Difference[] {
  if (!before || !after) return [];
  const found: Difference[] = [];
  if (before.timeUs !== after.timeUs) found.push({ what: "time", side, fromUs: Number(before.timeUs), toUs: Number(after.timeUs) });
  if (before.bankUs !== after.bankUs) found.push({ what: "bank", side, fromUs: number(before.bankUs), toUs: number(after.bankUs) });
  const counts = [
    ["moves", before.moves, after.moves],
    ["period", before.period, after.period],
    ["byo", before.byoLeft, after.byoLeft],
    ["stones", before.stones, after.stones],
  ] as const;
  for (const [what, from, to] of counts) if (from !== to) found.push({ what, side, from: from ?? null, to: to ?? null });
  return found;
}

function number(us: bigint | undefined): number | null {
  return us === undefined ? null : Number(us);
}

function turn(side: Side): SideName | null {
  if (side === Side.UNSPECIFIED) return null;
  return side === Side.BLACK ? "black" : "white";
}

function button(right: boolean): "left" | "right" {
  return right ? "right" : "left";
}
