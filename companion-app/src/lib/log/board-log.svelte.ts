// The log of one board, read once and then only what is new. Owns lines in the order of the log, and what became of the commands by
// which offences are counted: the log says that they were given, and not that a clock refused them later.

import { Outcome } from "$gen/api/arbiter_pb.js";
import { within } from "$lib/abort.js";
import { unhex } from "$lib/hall/board.js";
import { sleep } from "$lib/hall/follow.js";
import { Refused, type Transport } from "$lib/transport/transport.js";
import { failureWords } from "$lib/words/refusal.js";
import { joined, linesFrom, type Line } from "./lines.js";

/** What happens on a board is in its log within a moment; reading it more often would only warm the hub. */
const AGAIN_MS = 700;
/** What has no answer by then is asked again with the next look. */
const PATIENCE_MS = 5000;

export class BoardLog {
  /** Oldest first. */
  lines: Line[] = $state.raw([]);
  /** Read to its end at least once since somebody looks. */
  whole = $state(false);
  /** Why the hub does not show it to this arbiter; empty if it does. */
  refusal = $state("");
  readonly #transport: Transport;
  readonly #board: string;
  /** Commands that count and whose end has not been heard yet. */
  readonly #open = new Set<string>();
  #next = 0n;
  #wanted = true;
  #wake: () => void = () => undefined;
  /** Ends when nobody reads any more. */
  #reading: Promise<void> = Promise.resolve();

  constructor(transport: Transport, board: string) {
    this.#transport = transport;
    this.#board = board;
  }

  /** Something has happened on the board. */
  more(): void {
    this.#wanted = true;
    this.#wake();
  }

  /** Reads on from where it was, until `signal` ends it. Whoever looks again waits for the reader before him to be gone. */
  follow(signal: AbortSignal): Promise<void> {
    this.whole = false;
    this.#reading = this.#reading.then(() => this.#follow(signal));
    return this.#reading;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    // What has come since nobody looked may be an offence.
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
      // A link that is lost half-way takes nothing back.
      if (fresh.length > 0) this.lines = joined(this.lines, fresh);
    }
  }

  /** Asks what became of the commands that count. One that waits for a silent clock is asked for again with the next line. */
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
      // The hub has forgotten it: what the log says of it stands.
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
