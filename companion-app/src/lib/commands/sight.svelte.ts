// What the arbiter had before him when a sheet was opened. Owns whether the board is still that one; the sheet's commands name it, so that
// the hub refuses what rests on an older picture even where the change is on its way to this device.

import { untrack } from "svelte";
import type { BoardState } from "$lib/hall/board.js";

/** What this arbiter's own commands made of a board, and whether one has no answer yet. */
export interface Own {
  made(board: string): bigint;
  underWay(board: string): boolean;
}

/** Everything counts. */
const ALL = (board: BoardState): string => String(board.seq);

/** What a result rests on: a press or a pause while its sheet is open makes no difference, a flag or another arbiter's result does. */
export function decided({ phase, result, white, black }: BoardState): string {
  return [phase === "running" || phase === "paused" || phase === "stopped" ? "played" : phase, result, white.flag, black.flag].join();
}

export class Sight {
  readonly #own: Own;
  readonly #now: () => BoardState;
  readonly #matters: (board: BoardState) => string;
  #seen: BoardState = $state.raw() as BoardState;

  /** @param matters what must be the same for a board to be the one that was seen */
  constructor(own: Own, now: () => BoardState, matters: (board: BoardState) => string = ALL) {
    this.#own = own;
    this.#now = now;
    this.#matters = matters;
    this.#seen = untrack(now);
  }

  /** The board's number that a command from this sheet has seen. */
  get seq(): bigint {
    const now = this.#now();
    if (this.#matters(now) === this.#matters(this.#seen)) return now.seq;
    const made = this.#own.made(now.board);
    return made > this.#seen.seq ? made : this.#seen.seq;
  }

  /** Somebody else, or the players, have changed what the sheet is about. */
  get changed(): boolean {
    const now = this.#now();
    return now.seq > this.seq && !this.#own.underWay(now.board);
  }

  /** The arbiter has seen the board as it is now. */
  renew(): void {
    this.#seen = this.#now();
  }
}
