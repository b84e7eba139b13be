// The featured board at the top of the page and of the wall: the first board in play or, if there is none, the first board. It stays until it is
// no longer in play and another board is; `?star=BOARD` selects a board instead.

import { m } from "$gen/words/messages.js";
import { sideText, untilNextDigit } from "$lib/draw/clock-text.js";
import { drawAt } from "$lib/draw/plan.js";
import { besideTime, moveText } from "$lib/words/beside.js";
import { scores } from "$lib/words/results.js";
import { SIDES } from "./board-view.js";
import { drawTimesUsed } from "./chart.js";
import { chip, disc, el, setText } from "./dom.js";
import { aboutText } from "./roster.js";
import { ClockCell, fieldClasses } from "./tile.js";
import { moveNumber, sideWord, statesOf, withOdds } from "./words.js";

/**
 * @typedef {import("./board-view.js").BoardView} BoardView
 * @typedef {import("./board-view.js").SideName} SideName
 * @typedef {import("./board-view.js").Press} Press
 */

/**
 * Returns the board to feature; undefined if there are no boards.
 * @param {BoardView[]} boards in board order
 * @param {string|undefined} current
 * @param {string|null} wanted
 */
export function chooseStar(boards, current, wanted) {
  const playing = (/** @type {BoardView} */ board) => board.phase !== "over" && board.phase !== "ready";
  return (
    boards.find((board) => board.board === wanted) ??
    boards.find((board) => board.board === current && playing(board)) ??
    boards.find(playing) ??
    boards.find((board) => board.board === current) ??
    boards[0]
  );
}

export class Star {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {BoardView|null} */
    this.view = null;
    /** @type {Press[]} */
    this.presses = [];
    this.share = NaN;
    const who = { white: this.#who("white"), black: this.#who("black") };
    const field = { white: this.#field(), black: this.#field() };
    this.sides = { white: { ...who.white, ...field.white }, black: { ...who.black, ...field.black } };
    this.link = /** @type {HTMLAnchorElement} */ (el("a", "where"));
    this.bar = el("i");
    this.bar.setAttribute("role", "img");
    this.turn = el("span", "turn");
    this.chart = el("div", "think desk-only");
    root.append(who.white.node, who.black.node, field.white.node, field.black.node, el("div", "bal", this.link, this.bar, this.turn), this.chart);
  }

  /** @param {SideName} side */
  #who(side) {
    const name = el("bdi");
    const facts = el("small", "facts");
    const about = el("span", "about");
    const node = el("div", "who", disc(side), el("b", "", name), facts, about);
    return { node, name, facts, about };
  }

  #field() {
    const digits = el("span", "clk");
    const node = el("div", "dig", digits);
    return { node, cell: new ClockCell(node, digits) };
  }

  /**
   * @param {BoardView} view
   * @param {Press[]|null} presses the known presses; null to add the newest press to those already shown
   */
  update(view, presses) {
    const moved = this.view?.board === view.board ? view.last : undefined;
    if (presses) this.presses = presses;
    else if (moved && moved.atUs !== this.presses.at(-1)?.atUs) {
      // A correction may have removed moves, so only presses before the newest press stay.
      this.presses = [...this.presses.filter((press) => press.atUs < moved.atUs), moved];
    }
    this.view = view;
    this.root.hidden = false;
    this.root.setAttribute("aria-label", m.pub_featured({ board: view.board }));
    this.link.href = `/board/${encodeURIComponent(view.board)}`;
    setText(this.link, m.more_title({ board: view.board }));
    const states = statesOf(view);
    for (const side of SIDES) {
      const { name, about } = this.sides[side];
      setText(name, view[side].name || "–");
      const own = states.filter((state) => (state.side ?? "black") === side);
      const moves = el("span", "moves desk-only", m.moves({ n: view[side].moves }));
      about.replaceChildren(...own.map((state) => chip(state)), moves);
    }
    this.turn.replaceChildren(
      el("span", "desk-only", view.running || view.next ? moveText(view) : moveNumber(view) ? m.moves({ n: moveNumber(view) }) : ""),
      el("span", "wall-only", view.running ? m.side_to_move({ side: sideWord(view.running) }) : ""),
    );
    drawTimesUsed(this.chart, this.presses);
  }

  /** Shows the players' titles, ratings and federations from the event. @param {import("./roster.js").Roster} roster */
  introduce(roster) {
    for (const side of SIDES) setText(this.sides[side].facts, aboutText(roster.of(this.view?.[side].name ?? "")));
  }

  /** @param {number} hubUs */
  draw(hubUs) {
    const { view } = this;
    if (!view) return Infinity;
    const drawing = drawAt(view, hubUs);
    let due = drawing.untilUs;
    const halves = scores(view.result);
    SIDES.forEach((side, index) => {
      const drawn = drawing[side];
      const { cell, node, about } = this.sides[side];
      if (halves) {
        cell.write([halves[index] ?? "", ""]);
        cell.mark(["over"]);
        return;
      }
      cell.write(sideText(drawn.us, drawn.allotment));
      cell.mark(fieldClasses(view, side, drawn));
      node.style.setProperty("--left", String(Math.min(1, Math.max(0, drawn.us) / 60e6)));
      const waitUs = view.running === side ? drawing.waitUs : undefined;
      about.dataset.beside = withOdds(view, side, besideTime(view[side], drawn.allotment, waitUs));
      due = Math.min(due, hubUs + untilNextDigit(drawn.us, drawn.rate, drawn.allotment));
    });
    this.#balance(Math.max(0, drawing.white.us), Math.max(0, drawing.black.us));
    if (drawing.waitUs) due = Math.min(due, hubUs + (drawing.waitUs % 1e6 || 1e6));
    return due;
  }

  /**
   * @param {number} white
   * @param {number} black
   */
  #balance(white, black) {
    const share = white + black > 0 ? Math.round((1000 * black) / (white + black)) / 10 : 50;
    if (share === this.share) return;
    this.share = share;
    this.bar.style.setProperty("--black", `${share}%`);
    this.bar.setAttribute("aria-label", m.pub_balance({ percent: Math.round(100 - share) }));
  }
}
