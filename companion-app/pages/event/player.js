// A player's card: personal data, place and games.

import { m } from "$gen/words/messages.js";
import { ownColumns, scoreText } from "$lib/event/score.js";
import { disc, el } from "../live/dom.js";
import { sideWord } from "../live/words.js";
import { cell, head, heading, link, nameLink, originText, score, table } from "./parts.js";
import { byeWord, stateWord } from "./phrases.js";
import { titleOf } from "./tie-breaks.js";

/**
 * @typedef {{round: number, points: string, bye?: string, bye_code?: string, board?: number, colour?: "white"|"black", opponent?: import("./parts.js").Name|null, opponent_rank?: number, state?: string, mark?: string|null}} Game
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
    return this.name || m.player_edit({ no: this.no });
  }

  /** @param {Card} card */
  draw(card) {
    this.name = card.name;
    this.page.replaceChildren(who(card), numbers(card), games(card));
    return [];
  }
}

/** Describes a player's withdrawal. @param {number} round the last round before the withdrawal; 0 for none */
export function leftText(round) {
  return round ? m.pub_left_after({ n: round }) : m.pub_did_not_play();
}

/** @param {Card} card */
function who(card) {
  const facts = el("p", "q", [card.title, originText(card), m.pub_no({ n: card.no })].filter(Boolean).join(" · "));
  if (card.team) facts.append(" · ", nameLink(card.team, true));
  if (card.fide_id) {
    const profile = link(`https://ratings.fide.com/profile/${card.fide_id}`, `FIDE ${card.fide_id}`);
    profile.rel = "noreferrer external";
    facts.append(" · ", profile);
  }
  if (card.left_after !== undefined) facts.append(` · ${leftText(card.left_after)}`);
  return heading(card.name, facts);
}

/**
 * Builds the key figures: place, points, tie-breaks, performance.
 * @param {{rank: number|null, shared: boolean, pending: boolean, score: string, second_score?: string, scores?: [string, string], values: string[], tie_breaks: import("./event.js").TieBreak[], performance?: string}} card
 */
export function numbers(card) {
  /** @type {[string, string, string][]} */
  const tiles = [];
  if (card.rank) tiles.push([card.shared ? m.pub_place_shared() : m.place(), String(card.rank), ""]);
  tiles.push([card.scores?.[0] ?? m.pub_points(), scoreText(card.score), ""]);
  if (card.scores) tiles.push([card.scores[1], scoreText(card.second_score ?? "–"), ""]);
  for (const at of ownColumns(card.tie_breaks)) tiles.push([card.tie_breaks[at].code, scoreText(card.values[at] ?? "–"), titleOf(card.tie_breaks[at].code)]);
  if (card.performance) tiles.push([m.pub_performance(), card.performance, m.tb_tpr()]);
  const shown = tiles.filter(([, value]) => value !== "–");
  return el(
    "dl",
    "numbers",
    ...shown.map(([term, value, title]) => {
      const name = el("dt", "", term);
      if (title) name.title = title;
      return el("div", "", name, el("dd", card.pending ? "prov" : "", value));
    }),
  );
}

/** @param {Card} card */
function games(card) {
  const { node, body } = table(m.pub_round_by_round(), "games-of", [
    head(m.pub_round(), "num"),
    head(m.board(), "num brd"),
    head(m.pub_opponent(), "pl"),
    head(m.pub_rtg(), "num rtg", m.rating()),
    head(m.result(), "num res"),
    head(m.points(), "num"),
  ]);
  let sum = 0;
  for (const game of card.games) {
    sum += Number(game.points);
    body.append(row(game, String(Math.round(sum * 100) / 100)));
  }
  const empty = card.games.length ? [] : [el("p", "empty", m.pub_no_game())];
  return el("section", "card wide", node, ...empty);
}

/** @param {Game} game @param {string} sum */
function row(game, sum) {
  const round = link(`/event/rounds/${game.round}`, String(game.round));
  const total = score(sum.includes(".") ? sum : `${sum}.0`);
  if (game.bye !== undefined) {
    return el(
      "tr",
      "",
      cell("num", round),
      cell("num brd", ""),
      cell("pl q", byeWord({ bye: game.bye, bye_code: game.bye_code })),
      cell("num rtg", ""),
      cell("num res", el("b", "", scoreText(game.points))),
      cell("num q", total),
    );
  }
  const opponent = game.opponent
    ? [
        disc(game.colour ?? "white"),
        el("span", "vh", `${m.pub_side_against({ side: sideWord(game.colour ?? "white"), name: "" }).trim()} `),
        nameLink(game.opponent),
      ]
    : [m.pub_no_opponent()];
  const mark = game.mark ?? stateWord(game.state);
  return el(
    "tr",
    game.mark ? "" : "open",
    cell("num", round),
    cell("num brd q", String(game.board ?? "")),
    cell("pl", ...opponent, game.opponent_rank ? el("small", "q", ` ${m.pub_at_place({ n: game.opponent_rank })}`) : ""),
    cell("num rtg q", game.opponent?.rating ? String(game.opponent.rating) : ""),
    cell("num res", game.mark ? el("b", "", mark) : el("span", "q", mark)),
    cell("num q", game.mark ? total : ""),
  );
}
