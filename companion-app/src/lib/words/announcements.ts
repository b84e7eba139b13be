// The announcements for screen readers: flag falls and calls for an arbiter together, the rest in turn. Where single messages would be outdated
// before they are read, only their number is announced. Pure; Announcer.svelte speaks them.

import { m } from "$gen/words/messages.js";
import type { BoardState } from "$lib/hall/board.js";
import type { Call } from "$lib/state/alarm.js";
import { words } from "./states.js";

/** Maximum number of boards announced one by one. For more boards, the number is announced, and a list if an arbiter must go to each. */
const ONE_BY_ONE = 3;
/** Maximum number of ticks for which clocks that have lost their signal are collected. Collecting ends earlier if no more follow. */
const GATHERED_TICKS = 3;
/** Maximum number of boards that a sentence lists. */
const NAMED = 12;

export class Announcements {
  /** The waiting boards by call, each once, in order of arrival. */
  readonly #waiting: Record<Call, Map<string, BoardState>> = { flag: new Map(), expected: new Map(), wanted: new Map(), silent: new Map() };
  #gathering = 0;
  #cameSince = false;
  readonly #holds: (call: Call, board: string) => boolean;

  /** @param holds returns true if a board's call is still current */
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

  /** Takes everything that must be announced immediately; empty if there is nothing. */
  alert(): string {
    return [this.#taken("flag", (n, boards) => m.flags_of({ n, boards })), this.#taken("wanted", (n, boards) => m.wanted_of({ n, boards }))].flat().join(" ");
  }

  /** Takes the next message that can wait; empty if there is none. Drops calls that are no longer current. */
  status(): string {
    for (const [call, counted] of [
      ["expected", m.flags_unconfirmed],
      ["silent", m.silent_n],
    ] as const) {
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
