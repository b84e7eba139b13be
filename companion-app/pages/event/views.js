// Maps an address to its view.

import { CrossTable } from "./cross-table.js";
import { Overview } from "./overview.js";
import { Player } from "./player.js";
import { Players } from "./players.js";
import { printView } from "./print.js";
import { Round } from "./round.js";
import { Standings } from "./standings.js";
import { Team, Teams } from "./teams.js";

/**
 * @param {string} path
 * @param {URLSearchParams} wanted
 * @param {HTMLElement} page
 * @returns {import("./event.js").View}
 */
export function viewOf(path, wanted, page) {
  const [, , section = "", name = ""] = path.split("/");
  switch (section) {
    case "rounds":
      return new Round(page, Number(name));
    case "standings":
      return new Standings(page, wanted.get("after"));
    case "cross-table":
      return new CrossTable(page);
    case "players":
      return name ? new Player(page, Number(name)) : new Players(page);
    case "teams":
      return name ? new Team(page, Number(name)) : new Teams(page);
    case "print":
      return printView(name, wanted, page);
    default:
      return new Overview(page);
  }
}
