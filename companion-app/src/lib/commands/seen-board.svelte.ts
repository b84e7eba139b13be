// The state of a board when a sheet was opened. Owns the check for later changes to its relevant parts. The sheet's commands name the newest
// known state without such a change. The hub therefore refuses them after a change that has not reached this device yet.

import { untrack } from "svelte";
import type { BoardState } from "$lib/hall/board.js";

export interface Own {
  ownSeq(board: string): bigint;
  underWay(board: string): boolean;
}

/** Compares by sequence number, so that every change matters. */
const ALL = (board: BoardState): string => String(board.seq);

/** Returns the parts of the state on which a result depends. A flag or another arbiter's result changes them; a press or a pause does not. */
export function decided({ phase, result, white, black }: BoardState): string {
  return [phase === "running" || phase === "paused" || phase === "stopped" ? "played" : phase, result, white.flag, black.flag].join();
}

export class SeenBoard {
  readonly #own: Own;
  readonly #now: () => BoardState;
  readonly #matters: (board: BoardState) => string;
  #seen: BoardState = $state.raw() as BoardState;

  /** @param matters returns the parts of the state that must not change while the sheet is open */
  constructor(own: Own, now: () => BoardState, matters: (board: BoardState) => string = ALL) {
    this.#own = own;
    this.#now = now;
    this.#matters = matters;
    this.#seen = untrack(now);
  }

  /** The sequence number that this sheet's commands name. */
  get seq(): bigint {
    const now = this.#now();
    if (this.#matters(now) === this.#matters(this.#seen)) return now.seq;
    const made = this.#own.ownSeq(now.board);
    return made > this.#seen.seq ? made : this.#seen.seq;
  }

  /** Returns true if anyone other than this arbiter has changed the relevant parts of the state. */
  get changed(): boolean {
    const now = this.#now();
    return now.seq > this.seq && !this.#own.underWay(now.board);
  }

  renew(): void {
    this.#seen = this.#now();
  }
}
