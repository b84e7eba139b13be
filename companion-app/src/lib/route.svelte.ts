// Where in the app the arbiter is: the fragment of the address, so that back, reload and a link from a notification work.

import { enrolmentIn, type Enrolment } from "$lib/enrol/code.js";
import { placeIn, placeOfLink, type View } from "$lib/place.js";
import type { Link, LinkRefusal } from "$lib/transport/links.js";

class Router {
  view: View = $state("hall");
  board = $state("");
  /** The round whose game on that board is meant; 0: none is named. */
  round = $state(0);
  /** The boards to which the address narrows the hall; empty for all. */
  only: readonly string[] = $state.raw([]);
  /** The code that the address brought. */
  code: Enrolment | null = $state.raw(null);
  /** The last link that leads nowhere, until it was read. */
  refused: LinkRefusal | null = $state.raw(null);

  constructor() {
    this.#read();
    globalThis.addEventListener("hashchange", () => this.#read());
  }

  /** Opens a link that the system has handed to the app. */
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
      // A code is good once and for its holder: it stays in no history.
      globalThis.history.replaceState(null, "", "#/start");
    }
    const { view, board, round, only } = placeIn(globalThis.location.hash);
    this.view = view;
    this.board = board;
    this.round = round;
    this.only = only;
  }
}

export const router = new Router();

export function boardLink(board: string): string {
  return `#/board/${encodeURIComponent(board)}`;
}

/** The view of a board with the game that it had in a round of the event. */
export function gameLink(board: number, round: number): string {
  return `${boardLink(String(board))}/round/${round}`;
}
