// What the arbiter is looking for. Outlives the view, so that the way back from a board leads to the same place.

import { NOBODY, type Filter, type Sort, type StateFilter } from "./find.js";

const ANY: Filter = { sector: NOBODY, round: 0, state: "any", only: [], text: "" };

class Finder {
  filter: Filter = $state({ ...ANY });
  sort: Sort = $state("board");
  map = $state(false);
  /** How far the hall was scrolled. */
  top = 0;

  /** Shows the boards in one state and no others, as a list. */
  only(state: StateFilter): void {
    this.clear();
    this.filter.state = state;
    this.map = false;
  }

  /** Shows these boards and no others, as a list. */
  onlyThese(boards: readonly string[]): void {
    this.clear();
    this.filter.only = boards;
    this.map = false;
  }

  clear(): void {
    this.filter = { ...ANY };
  }
}

export const finder = new Finder();
