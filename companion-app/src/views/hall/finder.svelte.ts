// What the arbiter is looking for. Outlives the view, so that the way back from a board leads to the same place.

import { NOBODY, type Filter, type Sort } from "./find.js";

class Finder {
  filter: Filter = $state({ sector: NOBODY, round: 0, state: "any", text: "" });
  sort: Sort = $state("board");
  map = $state(false);
  /** How far the hall was scrolled. */
  top = 0;

  clear(): void {
    this.filter = { sector: NOBODY, round: 0, state: "any", text: "" };
  }
}

export const finder = new Finder();
