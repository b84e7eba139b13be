// The standings beside the boards: the first places on a page, all places in turn on the wall.

import { m } from "$gen/words/messages.js";
import { inQuarters, ownColumns } from "$lib/event/score.js";
import { cell, head, link, nameLink, score, table } from "../event/parts.js";
import { provisionalChip, rankCell } from "../event/standings-words.js";
import { titleOf } from "../event/tie-breaks.js";
import { el, setText } from "./dom.js";
import { pageRange } from "./wall.js";

const FIRST = 20;
/** Time for which the wall shows the same places. */
const EVERY_MS = 15_000;

export class Side {
  /**
   * @param {HTMLElement} root
   * @param {boolean} isWall
   */
  constructor(root, isWall) {
    this.root = root;
    this.isWall = isWall;
    this.page = 0;
    /** @type {import("../event/standings-words.js").Data|null} */
    this.data = null;
    this.shown = el("span", "q");
    if (!isWall) return;
    new ResizeObserver(() => this.#draw()).observe(root);
    setInterval(() => this.#turn(), EVERY_MS);
  }

  /** @param {import("../event/standings-words.js").Data|null} data null if there are no standings */
  update(data) {
    this.data = data && data.rows.length > 0 ? data : null;
    this.root.hidden = !this.data;
    document.documentElement.toggleAttribute("data-side", this.data !== null);
    this.#draw();
  }

  #turn() {
    this.page += 1;
    this.#draw();
  }

  #draw() {
    const { data } = this;
    if (!data) return;
    const count = data.rows.length;
    const perPage = this.isWall ? this.#room() : FIRST;
    const [from, to] = pageRange(this.isWall ? this.page : 0, perPage, count);
    const [at] = ownColumns(data.tie_breaks);
    const tieBreak = data.tie_breaks[at];
    const asQuarters = tieBreak ? inQuarters(data.rows.map((row) => row.values[at])) : false;
    const heads = [head("#", "num"), head(data.team ? m.pub_team() : m.player(), "pl"), head(data.scores?.[0] ?? m.points(), "num")];
    if (tieBreak) heads.push(head(tieBreak.code, "num", titleOf(tieBreak.code)));
    const { node, body } = table(m.view_standings(), "stand", heads);
    for (const row of data.rows.slice(from, to)) {
      const values = tieBreak ? [cell("num", score(row.values[at], asQuarters))] : [];
      body.append(el("tr", "", rankCell(row), cell("pl", nameLink(row, data.team)), cell("num pts", score(row.score)), ...values));
    }
    setText(this.shown, count > perPage && this.isWall ? `${from + 1}–${to}` : "");
    const chip = provisionalChip({ ...data, open: 0 });
    const all = count > perPage && !this.isWall ? [el("p", "more", link("/event/standings", m.pub_all_n({ n: count })))] : [];
    this.root.replaceChildren(el("h2", "", m.view_standings(), " ", this.shown, chip), node, ...all);
  }

  /** Returns the number of lines that fit completely on the wall; at least 1. */
  #room() {
    const unit = parseFloat(getComputedStyle(this.root).fontSize);
    return Math.max(1, Math.floor((this.root.clientHeight - unit * 5.6) / (unit * 2.4)));
  }
}
