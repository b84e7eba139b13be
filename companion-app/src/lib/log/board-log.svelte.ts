// The log of one board, read once and then followed.
//
// Owns the log's lines in order, and the queries for the outcomes of commands that carry an offence.

import { Outcome } from "$gen/api/arbiter_pb.js";
import { within } from "$lib/abort.js";
import { unhex } from "$lib/hall/board.js";
import { sleep } from "$lib/hall/follow.js";
import { Refused, type Transport } from "$lib/transport/transport.js";
import { failureWords } from "$lib/words/refusal.js";
import { joined, linesFrom, type Line } from "./lines.js";

/** Minimum interval between two reads. */
const AGAIN_MS = 700;
/** Time limit for the query of a command's outcome. If no response arrives in time, the outcome is queried again with the next read. */
const PATIENCE_MS = 5000;

export class BoardLog {
  /** The lines read so far, oldest first. */
  lines: Line[] = $state.raw([]);
  /** True once the log has been read to its end. */
  whole = $state(false);
  /** The reason why the hub does not show the log to this arbiter; empty if the hub shows it. */
  refusal = $state("");
  readonly #transport: Transport;
  readonly #board: string;
  /** Ids of commands with an offence whose outcome is not known yet. */
  readonly #open = new Set<string>();
  #next = 0n;
  #wanted = true;
  #wake: () => void = () => undefined;
  #reading: Promise<void> = Promise.resolve();

  constructor(transport: Transport, board: string) {
    this.#transport = transport;
    this.#board = board;
  }

  /** Requests another read of the log, because the board has changed. */
  more(): void {
    this.#wanted = true;
    this.#wake();
  }

  /** Reads the lines after the last known one until `signal` aborts or the hub refuses. A new reader waits for the previous one to end. */
  follow(signal: AbortSignal): Promise<void> {
    this.whole = false;
    this.#reading = this.#reading.then(() => this.#follow(signal));
    return this.#reading;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    // The unread lines may contain an offence.
    this.whole = false;
    while (!signal.aborted) {
      this.#wanted = false;
      try {
        await this.#read(signal);
        await this.#settle(signal);
        this.whole = true;
        this.refusal = "";
      } catch (error) {
        if (error instanceof Refused) {
          this.refusal = failureWords(error);
          return;
        }
        this.#wanted = true;
      }
      await sleep(AGAIN_MS, signal);
      await this.#untilWanted(signal);
    }
  }

  async #read(signal: AbortSignal): Promise<void> {
    const fresh: Line[] = [];
    try {
      for await (const record of this.#transport.log(this.#board, this.#next, signal)) {
        for (const line of linesFrom(record)) {
          fresh.push(line);
          if (line.id && !line.refused && line.offence) this.#open.add(line.id);
        }
        this.#next = record.index + 1n;
      }
    } finally {
      // Lines received before a loss of the link are kept.
      if (fresh.length > 0) this.lines = joined(this.lines, fresh);
    }
  }

  /** Queries the outcomes of commands with an offence. A command that is still pending is queried again with the next read. */
  async #settle(signal: AbortSignal): Promise<void> {
    for (const id of [...this.#open]) {
      const outcome = await this.#outcome(id, signal);
      if (outcome === Outcome.PENDING) continue;
      this.#open.delete(id);
      if (outcome === Outcome.REFUSED) this.lines = this.lines.map((line) => (line.id === id ? { ...line, refused: true } : line));
    }
  }

  async #outcome(id: string, signal: AbortSignal): Promise<Outcome> {
    try {
      return (await within(PATIENCE_MS, signal, (ends) => this.#transport.outcome(unhex(id), ends))).outcome;
    } catch (error) {
      // The hub no longer knows the command, so the command's line stays as the log has it.
      if (error instanceof Refused) return Outcome.UNSPECIFIED;
      throw error;
    }
  }

  async #untilWanted(signal: AbortSignal): Promise<void> {
    if (this.#wanted || signal.aborted) return;
    await new Promise<void>((done) => {
      this.#wake = done;
      signal.addEventListener("abort", () => done(), { once: true });
    });
  }
}
