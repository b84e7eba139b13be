// A cache of the logs of the boards opened last, so that a reopened log resumes from its previous position.

import type { Transport } from "$lib/transport/transport.js";
import { BoardLog } from "./board-log.svelte.js";

/** The number of cached logs; each has a few thousand lines at the end of a long day. */
const KEPT = 12;

export class Logs {
  readonly #transport: Transport;
  /** The most recently used comes last. */
  readonly #kept = new Map<string, BoardLog>();

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  of(board: string): BoardLog {
    const log = this.#kept.get(board) ?? new BoardLog(this.#transport, board);
    this.#kept.delete(board);
    this.#kept.set(board, log);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return log;
  }
}
