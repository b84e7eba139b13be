// The router: the fragment of the address, so that back, reload and links from notifications work.

import { enrolmentIn, type Enrolment } from "$lib/enrol/code.js";
import { placeIn, placeOfLink, type View } from "$lib/place.js";
import type { Link, LinkRefusal } from "$lib/transport/links.js";

class Router {
  view: View = $state("hall");
  board = $state("");
  /** The round of the game on that board; 0 if none is named. */
  round = $state(0);
  /** The number of the game on that board; 0 if none is named. */
  game = $state(0);
  /** The boards that the hall shows; empty for all. */
  only: readonly string[] = $state.raw([]);
  /** The code in the address. */
  code: Enrolment | null = $state.raw(null);
  /** The last link that was refused, until it is dismissed. */
  refused: LinkRefusal | null = $state.raw(null);

  constructor() {
    this.#read();
    globalThis.addEventListener("hashchange", () => this.#read());
  }

  /** Opens a link that the system passed to the app. */
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
      // A code is a secret for one use: it must not stay in the history.
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

/** Returns the address of a board with its game of a round. */
export function gameLink(board: number, round: number): string {
  return `${boardLink(String(board))}/round/${round}`;
}

/** Returns the address of the replay of a board's game, by its round or its number there; of the newest without either. */
export function replayLink(board: string, { round = 0, game = 0 }: { round?: number; game?: number } = {}): string {
  const which = game > 0 ? `/game/${game}` : round > 0 ? `/round/${round}` : "";
  return `#/replay/${encodeURIComponent(board)}${which}`;
}
