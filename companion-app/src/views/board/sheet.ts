// Which sheet lies over a board. Pure.

import type { Wish } from "$lib/commands/ledger.svelte.js";
import type { Press, SideName } from "$lib/hall/board.js";
import { typedIn, type Typed } from "./correct.js";
import type { How } from "./result.js";

export type Sheet =
  | { kind: "none" }
  /** `typed` lies over what the clocks show: a correction, for `reason`, that the hub refused because the board had changed. */
  | { kind: "correct"; typed?: Typed; reason?: string }
  | { kind: "result"; how: How }
  | { kind: "more" }
  | { kind: "start" }
  | { kind: "restore"; presses: Press[] }
  /** `instead` is the correction by which the arbiter has named it. */
  | { kind: "illegal"; side: SideName; instead?: Wish };

/** The sheet on which something that was refused is looked at again; null where its button is all there is. */
export function sheetFor({ commands, reason, offence }: Wish, done: number, presses: Press[]): Sheet | null {
  switch (commands[done]?.case) {
    case "setTime":
    case "setMoves":
      // What is said once has been said with the first of them.
      return { kind: "correct", typed: typedIn(commands.slice(done)), reason: offence && done > 0 ? "" : reason };
    case "endGame":
      return { kind: "result", how: offence ? "illegal" : "unsaid" };
    case "restore":
      return { kind: "restore", presses };
    default:
      return null;
  }
}
