// The state of a board when a sheet was opened. Owns whether the board still has that state. The sheet's commands name it, so that the
// hub refuses them after a change that has not reached this device yet.

import { untrack } from "svelte";
import type { BoardState } from "$lib/hall/board.js";

/** This arbiter's own commands for a board. */
export interface Own {
  ownSeq(board: string): bigint;
  underWay(board: string): boolean;
}

/** Every change matters. */
const ALL = (board: BoardState): string => String(board.seq);

/** The state that a result depends on: a flag or another arbiter's result changes it, a press or a pause does not. */
export function decided({ phase, result, white, black }: BoardState): string {
  return [phase === "running" || phase === "paused" || phase === "stopped" ? "played" : phase, result, white.flag, black.flag].join();
}

export class SeenBoard {
  readonly #own: Own;
  readonly #now: () => BoardState;
  readonly #matters: (board: BoardState) => string;
  #seen: BoardState = $state.raw() as BoardState;

  /** @param matters returns what must stay the same for the board to count as unchanged */
  constructor(own: Own, now: () => BoardState, matters: (board: BoardState) => string = ALL) {
    this.#own = own;
    this.#now = now;
    this.#matters = matters;
    this.#seen = untrack(now);
  }

  /** The sequence number that a command from this sheet names. */
  get seq(): bigint {
    const now = this.#now();
    if (this.#matters(now) === this.#matters(this.#seen)) return now.seq;
    const made = this.#own.ownSeq(now.board);
    return made > this.#seen.seq ? made : this.#seen.seq;
  }

  /** Reports whether the players or someone else changed what the sheet is about. */
  get changed(): boolean {
    const now = this.#now();
    return now.seq > this.seq && !this.#own.underWay(now.board);
  }

  /** Marks the present state as seen. */
  renew(): void {
    this.#seen = this.#now();
  }
}
