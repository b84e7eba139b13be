// The arbiter's filters. They outlive the view, so that going back from a board shows the same part of the hall.

import { NO_SECTOR, type Filter, type Sort, type StateFilter } from "./find.js";

const ANY: Filter = { sector: NO_SECTOR, round: 0, state: "any", only: [], text: "" };

class Finder {
  filter: Filter = $state({ ...ANY });
  sort: Sort = $state("board");
  map = $state(false);
  /** The hall's scroll position, in pixels. */
  top = 0;

  /** Shows only boards with this state, as tiles, and clears all other filters. */
  only(state: StateFilter): void {
    this.clear();
    this.filter.state = state;
    this.map = false;
  }

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
