// The state of a round's clocks according to the hub. Queried by dry runs after each change, while a view shows the clocks.
//
// Owns the newest response. Must never change a clock: only an arbiter's request does that.

import type { EventCalls } from "$lib/transport/event.js";
import { Refused } from "$lib/transport/transport.js";
import { failureWords } from "$lib/words/refusal.js";
import { sleep, type Rest } from "$lib/hall/follow.js";
import { reportFrom, type RoundReport, type Scope } from "./round-work.js";

/** Minimum interval between two queries. */
const AGAIN_MS = 1500;

export class RoundBook {
  /** The hub's reports on setting and on starting the clocks, board by board. */
  set: RoundReport | null = $state.raw(null);
  start: RoundReport | null = $state.raw(null);
  /** The hub's refusal of the query, for example because the event has no time control; empty if the hub answered. */
  refusal = $state("");
  readonly #calls: EventCalls;
  readonly #rest: Rest;
  #round: number | null = null;
  #wanted = false;
  #wake: () => void = () => undefined;

  constructor(calls: EventCalls, rest: Rest = sleep) {
    this.#calls = calls;
    this.#rest = rest;
  }

  /** Sets the round and schedules one query of its clocks. `null` cancels a scheduled query. */
  look(round: number | null): void {
    if (round === null || round !== this.#round) {
      this.set = this.start = null;
      this.refusal = "";
    }
    this.#round = round;
    this.#wanted = round !== null;
    this.#wake();
  }

  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#untilWanted(signal);
      const round = this.#round;
      if (round === null) continue;
      this.#wanted = false;
      try {
        await this.#read({ round, only: null });
      } catch (error) {
        // The hall store reports an unreachable hub; this query is repeated when the hub is back.
        if (error instanceof Refused) this.refusal = failureWords(error);
      }
      await this.#rest(AGAIN_MS, signal);
    }
  }

  async #read(scope: Scope): Promise<void> {
    const [set, start] = await Promise.all([
      this.#calls.preset({ scope, control: "", again: false, dryRun: true, reason: "" }),
      this.#calls.start({ scope, dryRun: true, reason: "" }),
    ]);
    // The view may show a different round by now.
    if (!this.#about(scope.round)) return;
    this.set = reportFrom(set);
    this.start = reportFrom(start);
    this.refusal = "";
  }

  #about(round: number): boolean {
    return this.#round === round;
  }

  async #untilWanted(signal: AbortSignal): Promise<void> {
    if (this.#wanted || signal.aborted) return;
    await new Promise<void>((done) => {
      this.#wake = done;
      signal.addEventListener("abort", () => done(), { once: true });
    });
  }
}
