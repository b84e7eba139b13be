// The router. It uses the fragment of the address, so that back, reload and links in notifications work.

import { enrolmentIn, type Enrolment } from "$lib/enrol/code.js";
import { placeIn, placeOfLink, type View } from "$lib/place.js";
import type { Link, LinkRefusal } from "$lib/transport/links.js";

class Router {
  view: View = $state("hall");
  board = $state("");
  /** The round of the game on that board; 0 if the address names none. */
  round = $state(0);
  /** The number of the game on that board; 0 if the address names none. */
  game = $state(0);
  /** The boards to which the hall is filtered; empty for all. */
  only: readonly string[] = $state.raw([]);
  code: Enrolment | null = $state.raw(null);
  /** The last link, if it was refused; null once dismissed. */
  refused: LinkRefusal | null = $state.raw(null);

  constructor() {
    this.#read();
    globalThis.addEventListener("hashchange", () => this.#read());
  }

  open(link: Link): void {
    const place = placeOfLink(link);
    this.refused = place ? null : link.kind === "not_enrolled" || link.kind === "other_hub" ? link : { kind: "not_ours" };
    if (!place) return;
    if (place.code) this.code = place.code;
    globalThis.location.hash = place.fragment;
  }

  #read(): void {
    const code = enrolmentIn(globalThis.location.host, globalThis.location.hash);
    if (code) {
      this.code = code;
      // A code is a single-use secret, so it must not stay in the history.
      globalThis.history.replaceState(null, "", "#/start");
    }
    const { view, board, round, game, only } = placeIn(globalThis.location.hash);
    this.view = view;
    this.board = board;
    this.round = round;
    this.game = game;
    this.only = only;
  }
}

export const router = new Router();

export function boardLink(board: string): string {
  return `#/board/${encodeURIComponent(board)}`;
}

export function gameLink(board: number, round: number): string {
  return `${boardLink(String(board))}/round/${round}`;
}

/** Returns the address of a game's replay. The game is given by its number on the board or by its round; without either, it is the newest. */
export function replayLink(board: string, { round = 0, game = 0 }: { round?: number; game?: number } = {}): string {
  const which = game > 0 ? `/game/${game}` : round > 0 ? `/round/${round}` : "";
  return `#/replay/${encodeURIComponent(board)}${which}`;
}
