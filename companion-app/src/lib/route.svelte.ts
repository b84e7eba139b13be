// Where in the app the arbiter is: the fragment of the address, so that back, reload and a link from a notification work.

export type View = "hall" | "board" | "round" | "clocks" | "standings";
const VIEWS: readonly View[] = ["hall", "board", "round", "clocks", "standings"];

class Router {
  view: View = $state("hall");
  board = $state("");

  constructor() {
    this.#read();
    globalThis.addEventListener("hashchange", () => this.#read());
  }

  #read(): void {
    const [, view, board] = globalThis.location.hash.split("/");
    this.view = VIEWS.find((known) => known === view) ?? "hall";
    this.board = decodeURIComponent(board ?? "");
  }
}

export const router = new Router();

export function boardLink(board: string): string {
  return `#/board/${encodeURIComponent(board)}`;
}
