// The tile of one board among many: number, names, both clocks, state.

import { sideText, untilNextDigit, widthOf } from "$lib/draw/clock-text.js";
import { drawAt } from "$lib/draw/plan.js";
import { shortness } from "$lib/draw/time-left.js";
import { besideTime } from "$lib/words/beside.js";
import { isWon, scores } from "$lib/words/results.js";
import { shortName } from "$lib/words/short-name.js";
import { SIDES } from "./board-view.js";
import { chip, disc, el, setText } from "./dom.js";
import { boardInWords, statesOf, withOdds } from "./words.js";

/**
 * @typedef {import("./board-view.js").BoardView} BoardView
 * @typedef {import("./board-view.js").SideName} SideName
 * @typedef {import("./roster.js").Roster} Roster
 */

export class ClockCell {
  /**
   * @param {HTMLElement} field the element that gets the state classes
   * @param {HTMLElement} digits
   */
  constructor(field, digits) {
    this.field = field;
    this.big = document.createTextNode("");
    this.small = el("small");
    digits.append(this.big, this.small);
    this.classes = "";
  }

  /** @param {readonly [string, string]} text */
  write([big, small]) {
    setText(this.big, big);
    setText(this.small, small);
  }

  /**
   * Sets the state classes of the field, if they differ.
   * @param {string[]} names
   */
  mark(names) {
    const classes = names.join(" ");
    if (classes === this.classes) return;
    this.field.classList.remove(...this.classes.split(" ").filter(Boolean));
    this.field.classList.add(...names);
    this.classes = classes;
  }
}

/**
 * Returns the state classes of a side's clock.
 * @param {BoardView} view
 * @param {SideName} side
 * @param {import("$lib/draw/plan.js").Drawn} drawn
 * @returns {string[]}
 */
export function fieldClasses(view, side, drawn) {
  const { flag } = view[side];
  const running = view.running === side;
  const classes = [];
  if (flag === "fallen") classes.push("fell");
  else if (flag === "called") classes.push("called");
  else if (flag === "expected" || (running && drawn.allotment !== "overtime" && drawn.us <= 0)) classes.push("expects");
  else if (running) {
    classes.push("run");
    // Each step has its own class, so that the style sheets can mark the clock more conspicuously from step to step.
    const short = drawn.allotment === "overtime" ? 0 : shortness(drawn.us);
    for (let step = 1; step <= short; step += 1) classes.push(`s${step}`);
  } else if (view.next === side && (view.phase === "paused" || view.phase === "stopped")) classes.push("nx");
  const heard = view.clocks ? view.clocks[side] : view.online || view.noClock;
  if (!heard && (running || view.next === side)) classes.push("quiet");
  const width = widthOf(drawn.us, drawn.allotment);
  if (width) classes.push("long");
  if (width === "days") classes.push("vast");
  return classes;
}

export class Tile {
  /**
   * @param {BoardView} view
   * @param {Roster} roster
   * @param {boolean} isWall true on the wall, where names are shortened because that page has no search
   */
  constructor(view, roster, isWall = false) {
    this.view = view;
    this.roster = roster;
    this.isWall = isWall;
    this.stale = true;
    this.number = el("span", "num");
    this.mini = el("span", "minis");
    this.link = /** @type {HTMLAnchorElement} */ (el("a", "game", el("span", "no", this.number, this.mini)));
    this.link.href = `/board/${encodeURIComponent(view.board)}`;
    this.link.tabIndex = -1;
    this.item = el("li", "", this.link);
    this.sides = { white: this.#side("white"), black: this.#side("black") };
    this.update(view);
    this.rename(view);
  }

  /** @param {SideName} side */
  #side(side) {
    const title = el("span", "title");
    const name = el("bdi");
    const rating = el("span", "rtg");
    const beside = el("span", "ex");
    const chips = el("span", "chips");
    const digits = el("span", "clk");
    const field = el("span", `c ${side}`, digits);
    this.link.append(el("span", "p", disc(side), title, name, rating, chips, beside), field);
    return { title, name, rating, beside, chips, cell: new ClockCell(field, digits) };
  }

  /**
   * Stores a changed board, and writes its number, names, titles and ratings. The next `draw` writes the rest.
   * @param {BoardView} view
   */
  update(view) {
    this.view = view;
    this.stale = true;
    // Names are written even out of view, so that the browser's own search finds them.
    setText(this.number, view.board);
    for (const side of SIDES) setText(this.sides[side].name, (this.isWall ? shortName(view[side].name) : view[side].name) || "–");
    this.introduce(this.roster);
  }

  /** Shows the players' titles and ratings from the event. @param {Roster} roster */
  introduce(roster) {
    this.roster = roster;
    for (const side of SIDES) {
      const player = roster.of(this.view[side].name);
      setText(this.sides[side].title, player?.title ?? "");
      setText(this.sides[side].rating, player?.rating ? String(player.rating) : "");
    }
  }

  /**
   * Sets the accessible name. While a tile has focus, call this only when its state changes: a screen reader would otherwise read the name at
   * every press.
   * @param {BoardView} view
   * @param {number} [hubUs]
   */
  rename(view, hubUs = view.plan[0]?.fromUs ?? 0) {
    this.link.setAttribute("aria-label", boardInWords(view, drawAt(view, hubUs)));
  }

  /** @param {number} hubUs */
  draw(hubUs) {
    if (this.stale) this.#build();
    const { view } = this;
    const drawing = drawAt(view, hubUs);
    let due = drawing.untilUs;
    const halves = scores(view.result);
    SIDES.forEach((side, index) => {
      const drawn = drawing[side];
      const { cell, beside } = this.sides[side];
      if (halves) {
        cell.write([halves[index] ?? "", ""]);
        return;
      }
      const waitUs = view.running === side ? drawing.waitUs : undefined;
      cell.write(sideText(drawn.us, drawn.allotment));
      cell.mark(fieldClasses(view, side, drawn));
      setText(beside, withOdds(view, side, besideTime(view[side], drawn.allotment, waitUs)));
      due = Math.min(due, hubUs + untilNextDigit(drawn.us, drawn.rate, drawn.allotment));
    });
    if (drawing.waitUs) due = Math.min(due, hubUs + (drawing.waitUs % 1e6 || 1e6));
    return due;
  }

  /** Updates the parts that depend on the board's state rather than on the time. */
  #build() {
    this.stale = false;
    const { view } = this;
    const states = statesOf(view);
    const halves = scores(view.result);
    this.link.classList.toggle("over", view.phase === "over");
    this.link.classList.toggle(
      "silent",
      states.some((state) => state.key === "silent"),
    );
    this.mini.replaceChildren(
      ...states
        .filter((state) => state.sign)
        .slice(0, 2)
        .map((state) => chip(state, "mini")),
    );
    SIDES.forEach((side, index) => {
      const { beside, chips, cell } = this.sides[side];
      const own = states.filter((state) => (state.side ?? "black") === side);
      chips.replaceChildren(...own.map((state) => chip(state, state === states[0] ? "" : "mini")));
      if (halves) {
        setText(beside, withOdds(view, side, ""));
        cell.mark(isWon(halves[index] ?? "") || halves[index] === "½" ? ["won"] : ["lost"]);
      }
    });
  }
}
