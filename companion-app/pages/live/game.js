// The entered moves of a game, and the position after the newest of them. In Time Chess: the pieces that both players see.

import { m } from "$gen/words/messages.js";
import { phaseWord } from "$lib/words/phases.js";
import { Chessground } from "@lichess-org/chessground";
import { byId, el, setText } from "./dom.js";
import { sideWord } from "./words.js";

/** @typedef {import("./board-view.js").Written} Written */
/** @typedef {import("./board-view.js").Day} Day */

/** Describes the phase of the day, and the side that sees only its own pieces. @param {Day} day */
function dayText(day) {
  return [phaseWord(day.phase), day.blind && m.phase_blind({ side: sideWord(day.blind) })].filter(Boolean).join(" · ");
}

export class Game {
  constructor() {
    this.card = byId("game");
    this.list = byId("score");
    this.fen = "";
    this.listed = "";
    /** @type {ReturnType<typeof Chessground>|undefined} */
    this.ground = undefined;
  }

  /**
   * Shows a game, or hides the card if there is neither an entered move nor a game of Time Chess.
   * @param {Written|undefined} newest
   * @param {string[]} score all moves in SAN
   * @param {Day} [day]
   */
  show(newest, score, day) {
    if (day) return this.#showDay(day);
    this.#name(m.move_list());
    this.card.hidden = !newest;
    document.documentElement.toggleAttribute("data-game", Boolean(newest));
    if (!newest) return;
    // Earlier moves can arrive after the newest one, so the list is compared by itself.
    this.#list(score);
    if (newest.fen === this.fen) return;
    this.fen = newest.fen;
    const squares = [newest.uci.slice(0, 2), newest.uci.slice(2, 4)];
    this.#diagram().set({
      fen: newest.fen,
      lastMove: /** @type {import("@lichess-org/chessground/types").Key[]} */ (squares),
      check: /[+#]$/.test(newest.san),
    });
  }

  /** @param {Day} day */
  #showDay(day) {
    this.card.hidden = false;
    document.documentElement.toggleAttribute("data-game", true);
    this.#name(dayText(day));
    if (day.pieces === this.fen) return;
    this.fen = day.pieces;
    this.#diagram().set({ fen: day.pieces });
    this.#list([]);
  }

  /** @param {string} name */
  #name(name) {
    setText(/** @type {Element} */ (this.card.querySelector("h2")), name);
  }

  #diagram() {
    this.ground ??= Chessground(byId("diagram"), {
      viewOnly: true,
      coordinates: false,
      animation: { enabled: false },
      drawable: { enabled: false, visible: false },
    });
    return this.ground;
  }

  /** @param {string[]} score */
  #list(score) {
    const listed = score.join(" ");
    if (listed === this.listed) return;
    this.listed = listed;
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
