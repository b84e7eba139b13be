// What a screen reader is told of the hall, and in how many words: flags and calls at once and together, the rest one after the other, and
// counted where one by one it would be old before it is heard. Pure; Announcer.svelte speaks it.

import { m } from "$gen/words/messages.js";
import type { BoardState } from "$lib/hall/board.js";
import type { Call } from "$lib/state/alarm.js";
import { words } from "./states.js";

/** More than so many are counted, with the numbers of their boards where somebody must go to each. */
const ONE_BY_ONE = 3;
/** Clocks that fall silent together are heard of within a few ticks: they are gathered until none has come, but no longer than this. */
const GATHERED_TICKS = 3;
/** Boards that a sentence names. */
const NAMED = 12;

export class Announcements {
  /** Each board once for each call, in the order in which they came. */
  readonly #waiting: Record<Call, Map<string, BoardState>> = { flag: new Map(), expected: new Map(), wanted: new Map(), silent: new Map() };
  /** Ticks for which silent clocks are still gathered. */
  #gathering = 0;
  #cameSince = false;
  readonly #holds: (call: Call, board: string) => boolean;

  /** @param holds whether a board is still called for that */
  constructor(holds: (call: Call, board: string) => boolean) {
    this.#holds = holds;
  }

  add(call: Call, state: BoardState): void {
    if (call === "silent") {
      if (this.#waiting.silent.size === 0) this.#gathering = GATHERED_TICKS;
      this.#cameSince = true;
    }
    this.#waiting[call].set(state.board, state);
  }

  /** All that must be said at once; empty if there is nothing. */
  alert(): string {
    return [this.#taken("flag", (n, boards) => m.flags_of({ n, boards })), this.#taken("wanted", (n, boards) => m.wanted_of({ n, boards }))].flat().join(" ");
  }

  /** The next that can wait for its turn; empty if there is nothing. What holds no longer is not said. */
  status(): string {
    for (const [call, counted] of [["expected", m.flags_unconfirmed], ["silent", m.silent_n]] as const) {
      const waiting = this.#waiting[call];
      if (call === "silent" && this.#stillComing()) continue;
      for (const board of waiting.keys()) if (!this.#holds(call, board)) waiting.delete(board);
      if (waiting.size > ONE_BY_ONE) return this.#taken(call, (n) => counted({ n })).join(" ");
      for (const [board, state] of waiting) {
        waiting.delete(board);
        return said(call, state);
      }
    }
    return "";
  }

  #stillComing(): boolean {
    if (!this.#cameSince || this.#gathering === 0) return false;
    this.#cameSince = false;
    this.#gathering -= 1;
    return true;
  }

  /** What waits for a call, each by itself or all of them in one sentence; then it waits no more. */
  #taken(call: Call, counted: (n: number, boards: string) => string): string[] {
    const waiting = this.#waiting[call];
    const all = [...waiting.values()];
    waiting.clear();
    if (all.length <= ONE_BY_ONE) return all.map((state) => said(call, state));
    const named = all.slice(0, NAMED).map((state) => state.board);
    return [counted(all.length, [...named, ...(all.length > NAMED ? ["…"] : [])].join(", "))];
  }
}

function said(call: Call, state: BoardState): string {
  return `${words.state(call)}. ${m.board_no({ board: state.board })} ${state.white.name} – ${state.black.name}.`;
}
