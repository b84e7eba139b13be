// The moves of a game that are written down, and the position after the newest of them.

import { Chessground } from "@lichess-org/chessground";
import { byId, el } from "./dom.js";

/** @typedef {import("./board-view.js").Written} Written */

export class Game {
  constructor() {
    this.card = byId("game");
    this.list = byId("score");
    this.fen = "";
    /** @type {ReturnType<typeof Chessground>|undefined} */
    this.ground = undefined;
  }

  /**
   * Shows a game; without a written move there is nothing to show.
   * @param {Written|undefined} newest
   * @param {string[]} score all moves in SAN
   */
  show(newest, score) {
    this.card.hidden = !newest;
    document.documentElement.toggleAttribute("data-game", Boolean(newest));
    if (!newest || newest.fen === this.fen) return;
    this.fen = newest.fen;
    const squares = [newest.uci.slice(0, 2), newest.uci.slice(2, 4)];
    this.ground ??= Chessground(byId("diagram"), {
      viewOnly: true,
      coordinates: false,
      animation: { enabled: false },
      drawable: { enabled: false, visible: false },
    });
    this.ground.set({ fen: newest.fen, lastMove: /** @type {import("@lichess-org/chessground/types").Key[]} */ (squares), check: /[+#]$/.test(newest.san) });
    this.#list(score);
  }

  /** @param {string[]} score */
  #list(score) {
    const rows = [];
    for (let at = 0; at < score.length; at += 2) {
      const black = score[at + 1];
      const row = el("li", "", el("span", "no q", `${at / 2 + 1}.`), el("b", "", score[at]));
      if (black) row.append(el("b", "", black));
      rows.push(row);
    }
    this.list.replaceChildren(...rows);
    this.list.scrollTop = this.list.scrollHeight;
  }
}
