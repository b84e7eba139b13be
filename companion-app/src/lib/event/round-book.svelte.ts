// How the clocks of the round stand, as the hub sees it: asked with dry runs whenever something has changed, while somebody looks.
//
// Owns the newest answer. Must never ask for more than to be told: what changes a clock is asked for by an arbiter.

import type { EventCalls } from "$lib/transport/event.js";
import { Refused } from "$lib/transport/transport.js";
import { failureWords } from "$lib/words/refusal.js";
import { sleep, type Rest } from "$lib/hall/follow.js";
import { standFrom, type Scope, type Stand } from "./round-work.js";

/** A hall in which much happens is asked about this often. */
const AGAIN_MS = 1500;

export class RoundBook {
  /** How the clocks stand to their setting, and to their start. */
  set: Stand | null = $state.raw(null);
  start: Stand | null = $state.raw(null);
  /** Why the hub cannot say: an event without a control, say. */
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

  /** Something may have changed in this round; null: there is nothing to ask about. */
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
      await this.#asked(signal);
      const round = this.#round;
      if (round === null) continue;
      this.#wanted = false;
      try {
        await this.#read({ round, only: null });
      } catch (error) {
        // A hub that is away is the hall's to report; this is asked again when it is back.
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
    // Another round may be looked at by now.
    if (!this.#about(scope.round)) return;
    this.set = standFrom(set);
    this.start = standFrom(start);
    this.refusal = "";
  }

  #about(round: number): boolean {
    return this.#round === round;
  }

  async #asked(signal: AbortSignal): Promise<void> {
    if (this.#wanted || signal.aborted) return;
    await new Promise<void>((done) => {
      this.#wake = done;
      signal.addEventListener("abort", () => done(), { once: true });
    });
  }
}
