// The log of one board, read once and then followed. Owns its lines in order, and the outcomes of commands that carry an offence: the
// log says that they were given, not that a clock refused them later.

import { Outcome } from "$gen/api/arbiter_pb.js";
import { within } from "$lib/abort.js";
import { unhex } from "$lib/hall/board.js";
import { sleep } from "$lib/hall/follow.js";
import { Refused, type Transport } from "$lib/transport/transport.js";
import { failureWords } from "$lib/words/refusal.js";
import { joined, linesFrom, type Line } from "./lines.js";

/** The shortest interval between two reads. */
const AGAIN_MS = 700;
/** The time for an answer, after which the next read asks again. */
const PATIENCE_MS = 5000;

export class BoardLog {
  /** The oldest comes first. */
  lines: Line[] = $state.raw([]);
  /** Set once the log was read to its end since it was opened. */
  whole = $state(false);
  /** Why the hub does not show it to this arbiter; empty if it does. */
  refusal = $state("");
  readonly #transport: Transport;
  readonly #board: string;
  /** Commands with an offence whose outcome is unknown. */
  readonly #open = new Set<string>();
  #next = 0n;
  #wanted = true;
  #wake: () => void = () => undefined;
  /** The reader in progress. */
  #reading: Promise<void> = Promise.resolve();

  constructor(transport: Transport, board: string) {
    this.#transport = transport;
    this.#board = board;
  }

  /** Reads on, because the board has changed. */
  more(): void {
    this.#wanted = true;
    this.#wake();
  }

  /** Reads on from the last line until `signal` aborts. A new reader waits for the previous one to end. */
  follow(signal: AbortSignal): Promise<void> {
    this.whole = false;
    this.#reading = this.#reading.then(() => this.#follow(signal));
    return this.#reading;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    // Unread lines may contain an offence.
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
      await this.#asked(signal);
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
      // A link lost half-way loses no line.
      if (fresh.length > 0) this.lines = joined(this.lines, fresh);
    }
  }

  /** Queries the outcomes of commands with an offence. A pending one is queried again with the next line. */
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
      // The hub has forgotten the command: the log stands.
      if (error instanceof Refused) return Outcome.UNSPECIFIED;
      throw error;
    }
  }

  async #asked(signal: AbortSignal): Promise<void> {
    if (this.#wanted || signal.aborted) return;
    await new Promise<void>((done) => {
      this.#wake = done;
      signal.addEventListener("abort", () => done(), { once: true });
    });
  }
}
