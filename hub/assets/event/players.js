// Everybody who plays, findable as one types a name.

import { el, setText, sign } from "../live/dom.js";
import { Rows, cell, head, heading, nameLink, score, table } from "./parts.js";
import { plain } from "./round.js";

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
    return "Players";
  }

  /** @param {Data} data */
  draw(data) {
    if (!this.rows?.body.isConnected) this.#lay(data.team);
    this.lines = data.players;
    this.rows?.show(data.players, (line) => String(line.no), (line) => row(line, data.team));
    this.#find();
    return [];
  }

  /** @param {boolean} team */
  #lay(team) {
    const heads = [head("No.", "num"), head("Player", "pl"), head("Fed", "fed"), head("Rtg", "num rtg"), ...(team ? [head("Team", "tm")] : []), head("Pts", "num"), ...(team ? [] : [head("Place", "num")])];
    const { node, body } = table("Players", "list", heads);
    this.rows = new Rows(body);
    const input = /** @type {HTMLInputElement} */ (el("input"));
    Object.assign(input, { type: "search", placeholder: "Player", autocomplete: "off", spellcheck: false });
    input.addEventListener("input", () => {
      this.query = input.value;
      this.#find();
    });
    this.count = el("span", "q");
    this.nobody = el("p", "empty");
    const field = el("label", "field", sign("search"), el("span", "vh", "Find a player"), input);
    this.page.replaceChildren(heading("Players", this.count), el("div", "tools", field), el("section", "card wide", node, this.nobody));
  }

  #find() {
    const words = plain(this.query).split(/\s+/).filter(Boolean);
    let found = 0;
    for (const line of this.lines) {
      const node = this.rows?.known.get(String(line.no))?.nodes[0];
      if (!node) continue;
      const text = plain(`${line.name} ${line.federation ?? ""} ${line.team?.name ?? ""}`);
      node.hidden = !words.every((word) => text.includes(word) || String(line.no) === word);
      if (!node.hidden) found += 1;
    }
    if (this.count) setText(this.count, words.length ? `${found} of ${this.lines.length}` : String(this.lines.length));
    if (!this.nobody) return;
    this.nobody.hidden = found > 0;
    setText(this.nobody, this.query ? `Nobody here is called “${this.query.trim()}”.` : "Nobody has entered yet.");
  }
}

/** @param {Line} line @param {boolean} team */
function row(line, team) {
  const left = line.left_after === undefined ? [] : [el("small", "q", line.left_after ? ` left after round ${line.left_after}` : " did not play")];
  return el("tr", "",
    cell("num q", String(line.no)), cell("pl", nameLink(line), ...left), cell("fed q", line.federation ?? ""), cell("num rtg q", line.rating ? String(line.rating) : "–"),
    ...(team ? [cell("tm", line.team ? nameLink(line.team, true) : "")] : []),
    cell("num pts", score(line.score)), ...(team ? [] : [cell("num", line.rank ? String(line.rank) : "–")]));
}
