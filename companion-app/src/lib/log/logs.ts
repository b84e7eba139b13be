// A cache of the logs of recently opened boards, so that a reopened log continues where it ended.

import type { Transport } from "$lib/transport/transport.js";
import { BoardLog } from "./board-log.svelte.js";

/** At the end of a long day, each log has a few thousand lines. */
const MAX_LOGS = 12;

export class Logs {
  readonly #transport: Transport;
  /** The cached logs, most recently used last. */
  readonly #kept = new Map<string, BoardLog>();

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  of(board: string): BoardLog {
    const log = this.#kept.get(board) ?? new BoardLog(this.#transport, board);
    this.#kept.delete(board);
    this.#kept.set(board, log);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_LOGS && oldest !== undefined) this.#kept.delete(oldest);
    return log;
  }
}
