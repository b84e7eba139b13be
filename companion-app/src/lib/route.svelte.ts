// Where in the app the arbiter is: the fragment of the address, so that back, reload and a link from a notification work.

import { enrolmentIn, type Enrolment } from "$lib/enrol/code.js";
import { placeIn, placeOf, type View } from "$lib/place.js";
import type { Link, LinkRefusal } from "$lib/transport/links.js";

class Router {
  view: View = $state("hall");
  board = $state("");
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
    const place = placeOf(link);
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
    const { view, board } = placeIn(globalThis.location.hash);
    this.view = view;
    this.board = board;
  }
}

export const router = new Router();

export function boardLink(board: string): string {
  return `#/board/${encodeURIComponent(board)}`;
}
