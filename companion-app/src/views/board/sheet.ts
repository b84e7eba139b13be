// The sheets that a board can open. Pure.

import type { CommandDraft } from "$lib/commands/ledger.svelte.js";
import type { Press, SideName } from "$lib/hall/board.js";
import { typedIn, type Typed } from "./correct.js";
import type { How } from "./result.js";

export type Sheet =
  | { kind: "none" }
  /** `typed` and `reason` are the values and the reason of a correction that the hub refused. */
  | { kind: "correct"; typed?: Typed; reason?: string }
  | { kind: "result"; how: How }
  | { kind: "more" }
  /** Claims and rulings. */
  | { kind: "laws" }
  /** The game of Time Chess. */
  | { kind: "day" }
  | { kind: "start" }
  | { kind: "restore"; presses: Press[] }
  /** `instead` is a correction with the offence as its reason, which takes the place of the time penalty. */
  | { kind: "illegal"; side: SideName; instead?: CommandDraft };

/** Returns the sheet on which a refused draft can be reviewed; null if there is no such sheet. */
export function sheetFor({ commands, reason, offence }: CommandDraft, done: number, presses: Press[]): Sheet | null {
  switch (commands[done]?.case) {
    case "setTime":
    case "setMoves":
      // The first command has counted the offence. Its reason, sent again, would count the offence again.
      return { kind: "correct", typed: typedIn(commands.slice(done)), reason: offence && done > 0 ? "" : reason };
    case "endGame":
      return { kind: "result", how: offence ? "illegal" : "unsaid" };
    case "restore":
      return { kind: "restore", presses };
    case "rule":
    case "enterMoves":
    case "chooseRules":
      return { kind: "laws" };
    case "choosePress":
      return { kind: "day" };
    default:
      return null;
  }
}
