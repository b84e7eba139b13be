// The logs of the boards that were looked at last: whoever comes back to one reads on from where he was. Owns how many are kept.

import type { Transport } from "$lib/transport/transport.js";
import { BoardLog } from "./board-log.svelte.js";

/** A few thousand lines each at the end of a long day. */
const KEPT = 12;

export class Logs {
  readonly #transport: Transport;
  /** The one that was asked for last is the last. */
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
