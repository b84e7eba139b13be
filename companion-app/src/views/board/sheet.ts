// Which sheet lies over a board.

import type { Press, SideName } from "$lib/hall/board.js";
import type { How } from "./result.js";

export type Sheet =
  | { kind: "none" }
  | { kind: "correct" }
  | { kind: "result"; how: How }
  | { kind: "more" }
  | { kind: "start" }
  | { kind: "restore"; presses: Press[] }
  | { kind: "illegal"; side: SideName };
