// The standings, live during a round. Clicking a row explains its numbers.

import { m } from "$gen/words/messages.js";
import { inQuarters, ownColumns, scoreText } from "$lib/event/score.js";
import { isolated } from "$lib/words/isolated.js";
import { el, setText } from "../live/dom.js";
import { Rows, cell, head, heading, link, nameLink, score, table } from "./parts.js";
import { afterText, placesText, provisionalChip, rankCell } from "./standings-words.js";
import { titleOf } from "./tie-breaks.js";
import { WhyPanel } from "./why.js";

/**
 * @typedef {import("./standings-words.js").Row} Row
 * @typedef {import("./standings-words.js").Data} Data
 */

export class Standings {
  /**
   * @param {HTMLElement} page
   * @param {string|null} after the round whose standings are shown; null for the live standings
   */
  constructor(page, after) {
    this.page = page;
    this.after = after && /^\d+$/.test(after) ? Number(after) : null;
    /** @type {Map<string, {panel: WhyPanel, line: HTMLElement}>} */
    this.open = new Map();
    this.shape = "";
    /** The drawn standings. @type {Data|undefined} */
    this.data = undefined;
  }

  /** @param {import("./event.js").Overview} overview */
  url(overview) {
    return `/live/event/standings.json${this.after !== null && this.after < overview.after ? `?after=${this.after}` : ""}`;
  }

  title() {
    return m.view_standings();
  }

  /** @param {Data} data @param {import("./event.js").Overview} overview */
  draw(data, overview) {
    this.data = data;
    const quarters = data.tie_breaks.map((_, index) => inQuarters(data.rows.map((row) => row.values[index])));
    const shape = JSON.stringify([data.tie_breaks, data.team, quarters]);
    if (shape !== this.shape || !this.rows?.body.isConnected) this.#lay(data);
    this.shape = shape;
    this.#head(data, overview);
    setText(/** @type {HTMLElement} */ (this.places), placesText(data));
    const rows = /** @type {Rows} */ (this.rows);
    const changed = rows.show(
      data.rows,
      (row) => String(row.no),
      (row) => this.#row(row, data, quarters),
    );
    for (const key of [...this.open.keys()]) this.#reopen(key, changed.includes(key));
    return changed.length ? [m.pub_changed({ what: afterText(data) })] : [];
  }

  /** @param {Data} data */
  #lay(data) {
    this.open.clear();
    const heads = [
      head("#", "num"),
      head(data.team ? m.pub_team() : m.player(), "pl"),
      head(m.federation(), "fed"),
      ...(data.team ? [] : [head(m.pub_rtg(), "num rtg", m.rating())]),
      head(data.scores?.[0] ?? m.points(), "num"),
      ...(data.scores ? [head(data.scores[1], "num")] : []),
      ...ownColumns(data.tie_breaks).map((at, place) => head(data.tie_breaks[at].code, `num tb${place > 1 ? " more" : ""}`, titleOf(data.tie_breaks[at].code))),
    ];
    const { node, body } = table(m.view_standings(), "stand", heads);
    this.rows = new Rows(body);
    this.top = el("div");
    const card = el("section", "card wide", el("div", "scroll", node));
    const hint = el("p", "q under", m.pub_why_hint());
    this.places = el("p", "q under");
    this.page.replaceChildren(this.top, card, this.places, hint);
    body.addEventListener("click", (click) => this.#click(/** @type {Element} */ (click.target)));
  }

  /** @param {Data} data @param {import("./event.js").Overview} overview */
  #head(data, overview) {
    const rounds = el("nav", "seg rounds");
    rounds.setAttribute("aria-label", m.pub_standings_by_round());
    for (let round = 1; round <= overview.after; round += 1) {
      const tab = link(`/event/standings${round === overview.after ? "" : `?after=${round}`}`, String(round));
      if (round === data.after) tab.setAttribute("aria-current", "page");
      rounds.append(tab);
    }
    const print = link("/event/print/standings", m.print());
    print.className = "btn quiet";
    this.top?.replaceChildren(heading(afterText(data), provisionalChip(data), el("span", "end", overview.after > 1 ? rounds : "", print)));
  }

  /** @param {Row} row @param {Data} data @param {boolean[]} quarters */
  #row(row, data, quarters) {
    const button = /** @type {HTMLButtonElement} */ (el("button", "why", score(row.score)));
    button.type = "button";
    button.setAttribute("aria-expanded", "false");
    button.setAttribute("aria-label", m.pub_why({ n: scoreText(row.score), name: isolated(row.name) }));
    const values = ownColumns(data.tie_breaks).map((at, place) => {
      const number = score(row.values[at], quarters[at]);
      if (row.pending) number.classList.add("prov");
      const node = cell(`num tb${place > 1 ? " more" : ""}`, number);
      node.dataset.code = data.tie_breaks[at].code;
      return node;
    });
    const line = el(
      "tr",
      "",
      rankCell(row),
      cell("pl", nameLink(row, data.team)),
      cell("fed q", row.federation ?? ""),
      ...(data.team ? [] : [cell("num rtg q", row.rating ? String(row.rating) : "–")]),
      cell("num pts", button),
      ...(data.scores ? [cell("num", score(row.second_score ?? ""))] : []),
      ...values,
    );
    line.dataset.no = String(row.no);
    return line;
  }

  /** @param {Element} target */
  #click(target) {
    const line = /** @type {HTMLElement|null} */ (target.closest("tr[data-no]"));
    if (!line || target.closest("a")) return;
    const key = line.dataset.no ?? "";
    const code = /** @type {HTMLElement|null} */ (target.closest("td"))?.dataset.code ?? "";
    const known = this.open.get(key);
    if (known && (!code || known.panel.chosen === code)) this.#close(key);
    else if (known) known.panel.choose(code);
    else this.#openLine(key, line, code);
  }

  /** @param {string} key @param {HTMLElement} line @param {string} code */
  #openLine(key, line, code) {
    const panel = new WhyPanel(`why-${key}`, this.data?.team ?? false);
    panel.choose(code);
    const td = cell("whycell", panel.node);
    td.setAttribute("colspan", String(line.children.length));
    const below = el("tr", "whyline", td);
    this.open.set(key, { panel, line: below });
    this.rows?.attach(key, below);
    this.#mark(key, true);
    void this.#ask(key);
  }

  /** @param {string} key */
  #close(key) {
    const known = this.open.get(key);
    if (known) this.rows?.detach(key, known.line);
    this.open.delete(key);
    this.#mark(key, false);
  }

  /** Updates an open explanation after a change. @param {string} key @param {boolean} changed true if the row's numbers changed */
  #reopen(key, changed) {
    const known = this.open.get(key);
    if (!known) return;
    if (changed) {
      this.rows?.attach(key, known.line);
      this.#mark(key, true);
    }
    void this.#ask(key);
  }

  /** @param {string} key @param {boolean} open */
  #mark(key, open) {
    const button = this.rows?.known.get(key)?.nodes[0].querySelector("button.why");
    button?.setAttribute("aria-expanded", String(open));
    if (open) button?.setAttribute("aria-controls", `why-${key}`);
    else button?.removeAttribute("aria-controls");
    button?.closest("tr")?.classList.toggle("sel", open);
  }

  /** @param {string} key */
  async #ask(key) {
    const known = this.open.get(key);
    try {
      const response = await fetch(`/live/event/why/${key}.json?after=${this.data?.after}`, { cache: "no-cache" });
      if (response.ok) known?.panel.show(await response.json());
      else if (known) setText(known.panel.node, m.pub_why_not_now());
    } catch {
      if (known && !known.panel.why) setText(known.panel.node, m.pub_no_link());
    }
  }
}
