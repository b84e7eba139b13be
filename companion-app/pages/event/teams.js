// The teams with their players, and a team's card with its matches.

import { m } from "$gen/words/messages.js";
import { scoreText } from "$lib/event/score.js";
import { el } from "../live/dom.js";
import { cell, head, heading, link, nameLink, score, table } from "./parts.js";
import { numbers } from "./player.js";
import { matchKind, stateWord } from "./phrases.js";

/**
 * @typedef {import("./parts.js").Name} Name
 * @typedef {Name & {rank: number|null, score: string, players: Name[]}} TeamLine
 * @typedef {Name & {rounds: number, rank: number|null, shared: boolean, pending: boolean, score: string, second_score?: string, scores: [string, string], tie_breaks: import("./event.js").TieBreak[], values: string[], matches: import("./cross-table.js").MatchCell[], players: (Name & {score: string, games: number})[]}} TeamCard
 */

export class Teams {
  /** @param {HTMLElement} page */
  constructor(page) {
    this.page = page;
  }

  url() {
    return "/live/event/teams.json";
  }

  title() {
    return m.teams();
  }

  /** @param {{teams: TeamLine[]}} data */
  draw(data) {
    const cards = data.teams.map((team) => {
      const place = team.rank ? `${m.pub_at_place({ n: team.rank })}, ${m.pub_score({ n: scoreText(team.score), points: Number(team.score) })}` : "";
      const players = team.players.map((player) => el("li", "", nameLink(player), el("span", "q", player.rating ? ` ${player.rating}` : "")));
      return el("li", "card", el("h2", "", nameLink(team, true), el("span", "q end", place)), el("ol", "roster", ...players));
    });
    this.page.replaceChildren(heading(m.teams(), el("span", "q", String(data.teams.length))), el("ul", "teamcards", ...cards));
    return [];
  }
}

export class Team {
  /** @param {HTMLElement} page @param {number} no */
  constructor(page, no) {
    this.page = page;
    this.no = no;
    this.name = "";
  }

  url() {
    return `/live/event/teams/${this.no}.json`;
  }

  title() {
    return this.name || `${m.pub_team()} ${this.no}`;
  }

  /** @param {TeamCard} card */
  draw(card) {
    this.name = card.name;
    this.page.replaceChildren(heading(card.name, el("p", "q", card.federation ?? "")), numbers(card), el("div", "two", matches(card), roster(card)));
    return [];
  }
}

/** @param {TeamCard} card */
function matches(card) {
  const { node, body } = table(m.pub_matches(), "games-of", [
    head(m.pub_round(), "num"),
    head(m.pub_opponent(), "pl"),
    head(card.scores[0], "num"),
    head(card.scores[1], "num"),
  ]);
  for (const match of card.matches) {
    const against = match.opponent
      ? [nameLink(match.opponent, true), el("small", "q", match.rank ? ` ${m.pub_at_place({ n: match.rank })}` : "")]
      : [el("span", "q", matchKind(match))];
    const open = match.kind === "pending";
    body.append(
      el(
        "tr",
        open ? "open" : "",
        cell("num", link(`/event/rounds/${match.round}`, String(match.round))),
        cell("pl", ...against),
        cell("num pts", open ? el("span", "q", stateWord("playing")) : score(match.points)),
        cell("num q", score(match.second)),
      ),
    );
  }
  return el("section", "card", el("h2", "", m.pub_matches()), node);
}

/** @param {TeamCard} card */
function roster(card) {
  const { node, body } = table(m.pub_roster(), "list", [
    head(m.player(), "pl"),
    head(m.pub_rtg(), "num rtg", m.rating()),
    head(m.pub_games(), "num"),
    head(m.points(), "num"),
  ]);
  for (const player of card.players) {
    body.append(
      el(
        "tr",
        "",
        cell("pl", nameLink(player)),
        cell("num rtg q", player.rating ? String(player.rating) : "–"),
        cell("num", String(player.games)),
        cell("num pts", score(player.score)),
      ),
    );
  }
  return el("section", "card", el("h2", "", m.players()), node);
}
