// What an arbiter can enter as a result, and how it is told to the hub. Pure; knows no points.

import { endGame, lossOf, type Command } from "$lib/commands/command.js";
import type { SideName } from "$lib/hall/board.js";

export type How = "unsaid" | "mate" | "resigned" | "time" | "agreed" | "illegal";
export const HOWS: readonly How[] = ["unsaid", "mate", "resigned", "time", "agreed", "illegal"];

/** As PGN spells them, forfeits with an `f`. */
export type ResultCode = "1-0" | "1/2-1/2" | "0-1" | "1-0f" | "0-1f" | "0-0f" | Decided;
/** What only an arbiter decides (FIDE 12.9.5), in an event alone. */
export type Decided = "1/2-0" | "0-1/2" | "0-0";
export const DECIDED: readonly Decided[] = ["1/2-0", "0-1/2", "0-0"];
export const PLAYED: readonly ResultCode[] = ["1-0", "1/2-1/2", "0-1"];
export const UNPLAYED: readonly ResultCode[] = ["1-0f", "0-1f", "0-0f"];

/** Whether a game can have ended so: agreed is a draw and nothing else, mated and resigned is lost. A flag may be either (FIDE 6.9). */
export function fits(code: ResultCode, how: How): boolean {
  switch (how) {
    case "agreed":
      return code === "1/2-1/2";
    case "mate":
    case "resigned":
      return code !== "1/2-1/2";
    case "unsaid":
    case "time":
    case "illegal":
      return true;
  }
}

/** What leads from the result that stands to the one that stood; null: to none, or from none. */
export function backTo(stood: string | null, stands: string | null): Command[] {
  return [...(stands === null ? [] : [endGame("result *")]), ...(stood === null ? [] : [endGame(`result ${stood}`)])];
}

/** The reason that goes into the log beside it. */
const REASON: Record<How, string> = {
  unsaid: "",
  mate: "",
  resigned: "",
  agreed: "",
  time: "FIDE 6.9",
  illegal: "FIDE 7.5.5",
};

export interface Ending {
  command: Command;
  reason: string;
}

/** Mate and resignation have words of their own in the log; everything else is the result and its article. */
export function ending(code: ResultCode, how: How): Ending {
  return { command: endGame(text(code, how)), reason: REASON[how] };
}

/** Whose offence a lost game was; a draw does not say. */
export function loserOf(code: ResultCode): SideName | null {
  if (code === lossOf("white")) return "white";
  return code === lossOf("black") ? "black" : null;
}

function text(code: ResultCode, how: How): string {
  if (code === "1-0" || code === "0-1") {
    const [winner, loser] = code === lossOf("black") ? ["white", "black"] : ["black", "white"];
    if (how === "mate") return `mate ${winner}`;
    if (how === "resigned") return `resign ${loser}`;
  }
  if (code === "1/2-1/2" && how === "agreed") return "draw";
  return `result ${code}`;
}
