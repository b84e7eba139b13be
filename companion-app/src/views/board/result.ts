// The results that an arbiter can enter, and their form in requests to the hub. Pure; does not depend on points.

import { endGame, lossOf, type Command } from "$lib/commands/command.js";
import type { SideName } from "$lib/hall/board.js";

export type How = "unsaid" | "mate" | "resigned" | "time" | "agreed" | "illegal";
export const HOWS: readonly How[] = ["unsaid", "mate", "resigned", "time", "agreed", "illegal"];

/** The code of a result: PGN's codes, forfeits with an `f`, and results that only an arbiter can decide. */
export type ResultCode = "1-0" | "1/2-1/2" | "0-1" | "1-0f" | "0-1f" | "0-0f" | Decided;
/** Results that only an arbiter can decide (FIDE 12.9.5). Available only in an event. */
export type Decided = "1/2-0" | "0-1/2" | "0-0";
export const DECIDED: readonly Decided[] = ["1/2-0", "0-1/2", "0-0"];
export const PLAYED: readonly ResultCode[] = ["1-0", "1/2-1/2", "0-1"];
export const UNPLAYED: readonly ResultCode[] = ["1-0f", "0-1f", "0-0f"];

/**
 * Returns true if a game can end with this result in this way. An agreement is a draw. Mate and resignation are losses. After a flag fall or an
 * illegal move, the game is lost or drawn (FIDE 6.9, 7.5.5). Forfeits, and results that an arbiter decides, have no termination.
 */
export function fits(code: ResultCode, how: How): boolean {
  switch (how) {
    case "agreed":
      return code === "1/2-1/2";
    case "mate":
    case "resigned":
      return code === "1-0" || code === "0-1";
    case "time":
    case "illegal":
      return PLAYED.includes(code);
    case "unsaid":
      return true;
  }
}

/** Returns the commands that replace the current result with the previous one; null means no result. */
export function backTo(stood: string | null, stands: string | null): Command[] {
  return [...(stands === null ? [] : [endGame("result *")]), ...(stood === null ? [] : [endGame(`result ${stood}`)])];
}

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

/** Returns the command that ends the game, and its reason. Mate, resignation and an agreed draw are named as such; other endings are results. */
export function ending(code: ResultCode, how: How): Ending {
  return { command: endGame(text(code, how)), reason: REASON[how] };
}

/** Returns the side that lost a played game to the other; null for any other result. */
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
