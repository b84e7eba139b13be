// The list of players, filtered as the reader types.

import { m } from "$gen/words/messages.js";
import { hasWords } from "$lib/words/plain.js";
import { el, setText, sign } from "../live/dom.js";
import { Rows, cell, head, heading, nameLink, score, table } from "./parts.js";
import { leftText } from "./player.js";

/**
 * @typedef {import("./parts.js").Name & {team?: import("./parts.js").Name, score: string, rank: number|null, left_after?: number}} Line
 * @typedef {{team: boolean, players: Line[]}} Data `/live/event/players.json`
 */

export class Players {
  /** @param {HTMLElement} page */
  constructor(page) {
    this.page = page;
    this.query = "";
    /** @type {Line[]} */
    this.lines = [];
  }

  url() {
    return "/live/event/players.json";
  }

  title() {
    return m.players();
  }

  /** @param {Data} data */
  draw(data) {
    if (!this.rows?.body.isConnected) this.#lay(data.team);
    this.lines = data.players;
    this.rows?.show(
      data.players,
      (line) => String(line.no),
      (line) => row(line, data.team),
    );
    this.#find();
    return [];
  }

  /** @param {boolean} team */
  #lay(team) {
    const heads = [
      head(m.pub_number(), "num"),
      head(m.player(), "pl"),
      head(m.federation(), "fed"),
      head(m.pub_rtg(), "num rtg", m.rating()),
      ...(team ? [head(m.pub_team(), "tm")] : []),
      head(m.points(), "num"),
      ...(team ? [] : [head(m.place(), "num")]),
    ];
    const { node, body } = table(m.players(), "list", heads);
    this.rows = new Rows(body);
    const input = /** @type {HTMLInputElement} */ (el("input"));
    Object.assign(input, { type: "search", placeholder: m.player(), autocomplete: "off", spellcheck: false });
    input.addEventListener("input", () => {
      this.query = input.value;
      this.#find();
    });
    this.count = el("span", "q");
    this.none = el("p", "empty");
    const field = el("label", "field", sign("search"), el("span", "vh", m.pub_find_player()), input);
    this.page.replaceChildren(heading(m.players(), this.count), el("div", "tools", field), el("section", "card wide", node, this.none));
  }

  #find() {
    const wanted = this.query.trim();
    let found = 0;
    for (const line of this.lines) {
      const node = this.rows?.known.get(String(line.no))?.nodes[0];
      if (!node) continue;
      node.hidden = /^\d+$/.test(wanted) ? String(line.no) !== wanted : !hasWords(`${line.name} ${line.federation ?? ""} ${line.team?.name ?? ""}`, wanted);
      if (!node.hidden) found += 1;
    }
    if (this.count) setText(this.count, wanted ? m.n_of({ n: found, all: this.lines.length }) : String(this.lines.length));
    if (!this.none) return;
    this.none.hidden = found > 0;
    setText(this.none, wanted ? m.pub_no_player_found({ name: wanted }) : m.pub_no_players());
  }
}

/** @param {Line} line @param {boolean} team */
function row(line, team) {
  const left = line.left_after === undefined ? [] : [el("small", "q", ` ${leftText(line.left_after)}`)];
  return el(
    "tr",
    "",
    cell("num q", String(line.no)),
    cell("pl", nameLink(line), ...left),
    cell("fed q", line.federation ?? ""),
    cell("num rtg q", line.rating ? String(line.rating) : "–"),
    ...(team ? [cell("tm", line.team ? nameLink(line.team, true) : "")] : []),
    cell("num pts", score(line.score)),
    ...(team ? [] : [cell("num", line.rank ? String(line.rank) : "–")]),
  );
}
