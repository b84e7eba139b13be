// A player's card: who, where in the table, and round by round.

import { disc, el } from "../live/dom.js";
import { cell, head, heading, link, nameLink, originText, score, table } from "./parts.js";
import { ordinal, ownColumns, scoreText } from "./score.js";

/**
 * @typedef {{round: number, points: string, bye?: string, board?: number, colour?: "white"|"black", opponent?: import("./parts.js").Name|null, opponent_rank?: number, state?: string, mark?: string|null}} Game
 * @typedef {object} Card `/live/event/players/{no}.json`
 * @property {number} no
 * @property {string} name
 * @property {string} [title]
 * @property {string} [federation]
 * @property {number} [rating]
 * @property {number} [fide_id]
 * @property {import("./parts.js").Name} [team]
 * @property {number} rounds
 * @property {number} after
 * @property {string} score
 * @property {number|null} rank
 * @property {boolean} shared
 * @property {boolean} pending
 * @property {import("./event.js").TieBreak[]} tie_breaks
 * @property {string[]} values
 * @property {string} [performance]
 * @property {number} [left_after]
 * @property {Game[]} games
 */

export class Player {
  /** @param {HTMLElement} page @param {number} no */
  constructor(page, no) {
    this.page = page;
    this.no = no;
    this.name = "";
  }

  url() {
    return `/live/event/players/${this.no}.json`;
  }

  title() {
    return this.name || `Player ${this.no}`;
  }

  /** @param {Card} card */
  draw(card) {
    this.name = card.name;
    this.page.replaceChildren(who(card), numbers(card), games(card));
    return [];
  }
}

/** @param {Card} card */
function who(card) {
  const facts = el("p", "q", [card.title, originText(card), `No. ${card.no}`].filter(Boolean).join(" · "));
  if (card.team) facts.append(" · ", nameLink(card.team, true));
  if (card.fide_id) {
    const profile = link(`https://ratings.fide.com/profile/${card.fide_id}`, `FIDE ${card.fide_id}`);
    profile.rel = "noreferrer external";
    facts.append(" · ", profile);
  }
  if (card.left_after !== undefined) facts.append(card.left_after ? ` · left after round ${card.left_after}` : " · did not play");
  return heading(card.name, facts);
}

/**
 * The numbers in large: place, points, tie-breaks, performance.
 * @param {{rank: number|null, shared: boolean, pending: boolean, score: string, second_score?: string, scores?: [string, string], values: string[], tie_breaks: import("./event.js").TieBreak[], performance?: string}} card
 */
export function numbers(card) {
  /** @type {[string, string, string][]} */
  const tiles = [];
  if (card.rank) tiles.push([card.shared ? "Place, shared" : "Place", ordinal(card.rank), ""]);
  tiles.push([card.scores?.[0] ?? "Points", scoreText(card.score), ""]);
  if (card.scores) tiles.push([card.scores[1], scoreText(card.second_score ?? "–"), ""]);
  for (const at of ownColumns(card.tie_breaks)) tiles.push([card.tie_breaks[at].code, scoreText(card.values[at] ?? "–"), card.tie_breaks[at].title]);
  if (card.performance) tiles.push(["Performance", card.performance, "Tournament performance rating"]);
  const shown = tiles.filter(([, value]) => value !== "–");
  return el("dl", "numbers", ...shown.map(([term, value, title]) => {
    const name = el("dt", "", term);
    if (title) name.title = title;
    return el("div", "", name, el("dd", card.pending ? "prov" : "", value));
  }));
}

/** @param {Card} card */
function games(card) {
  const { node, body } = table("Round by round", "games-of", [head("Round", "num"), head("Board", "num brd"), head("Opponent", "pl"), head("Rtg", "num rtg"), head("Result", "num res"), head("Pts", "num")]);
  let sum = 0;
  for (const game of card.games) {
    sum += Number(game.points);
    body.append(row(game, String(Math.round(sum * 100) / 100)));
  }
  const empty = card.games.length ? [] : [el("p", "empty", "No game yet.")];
  return el("section", "card wide", node, ...empty);
}

/** @param {Game} game @param {string} sum */
function row(game, sum) {
  const round = link(`/event/rounds/${game.round}`, String(game.round));
  const total = score(sum.includes(".") ? sum : `${sum}.0`);
  if (game.bye !== undefined) {
    return el("tr", "", cell("num", round), cell("num brd", ""), cell("pl q", game.bye), cell("num rtg", ""), cell("num res", el("b", "", scoreText(game.points))), cell("num q", total));
  }
  const opponent = game.opponent ? [disc(game.colour ?? "white"), el("span", "vh", `${game.colour === "white" ? "White" : "Black"} against `), nameLink(game.opponent)] : ["nobody"];
  const mark = game.mark ?? { playing: "playing", adjourned: "adjourned" }[game.state ?? ""] ?? "";
  return el("tr", game.mark ? "" : "open",
    cell("num", round), cell("num brd q", String(game.board ?? "")), cell("pl", ...opponent, game.opponent_rank ? el("small", "q", ` ${ordinal(game.opponent_rank)}`) : ""),
    cell("num rtg q", game.opponent?.rating ? String(game.opponent.rating) : ""), cell("num res", game.mark ? el("b", "", mark) : el("span", "q", mark)), cell("num q", game.mark ? total : ""));
}
