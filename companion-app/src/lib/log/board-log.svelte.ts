// The log of one board, read once and then only what is new. Owns lines in the order of the log; interprets none.

import { sleep } from "$lib/hall/follow.js";
import { Refused, type Transport } from "$lib/transport/transport.js";
import { lineFrom, type Line } from "./lines.js";

/** What happens on a board is in its log within a moment; reading it more often would only warm the hub. */
const AGAIN_MS = 700;

export class BoardLog {
  /** Oldest first. */
  lines: Line[] = $state.raw([]);
  /** Read to its end at least once. */
  whole = $state(false);
  /** Why the hub does not show it to this arbiter; empty if it does. */
  refusal = $state("");
  readonly #transport: Transport;
  readonly #board: string;
  #next = 0n;
  #wanted = true;
  #wake: () => void = () => undefined;

  constructor(transport: Transport, board: string) {
    this.#transport = transport;
    this.#board = board;
  }

  /** Something has happened on the board. */
  more(): void {
    this.#wanted = true;
    this.#wake();
  }

  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#wanted = false;
      try {
        await this.#read(signal);
        this.whole = true;
      } catch (error) {
        if (error instanceof Refused) {
          this.refusal = error.message;
          return;
        }
        this.#wanted = true;
      }
      await sleep(AGAIN_MS, signal);
      await this.#asked(signal);
    }
  }

  async #read(signal: AbortSignal): Promise<void> {
    const fresh: Line[] = [];
    for await (const line of this.#transport.log(this.#board, this.#next, signal)) {
      fresh.push(lineFrom(line));
      this.#next = line.index + 1n;
    }
    if (fresh.length > 0) this.lines = [...this.lines, ...fresh];
  }

  async #asked(signal: AbortSignal): Promise<void> {
    if (this.#wanted || signal.aborted) return;
    await new Promise<void>((done) => {
      this.#wake = done;
      signal.addEventListener("abort", () => done(), { once: true });
    });
  }
}

/** Lines of the game that is being played: from the newest beginning. */
export function ofThisGame(lines: Line[]): Line[] {
  const from = lines.findLastIndex((line) => line.begins);
  return from < 0 ? lines : lines.slice(from);
}
