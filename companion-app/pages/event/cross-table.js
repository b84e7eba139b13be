// The cross table: every participant's results, best first, with opponents identified by their line.

import { m } from "$gen/words/messages.js";
import { scoreText } from "$lib/event/score.js";
import { isolated } from "$lib/words/isolated.js";
import { disc, el } from "../live/dom.js";
import { sideWord } from "../live/words.js";
import { Rows, cell, head, heading, nameLink, score, table } from "./parts.js";
import { byeWord, matchKind } from "./phrases.js";
import { provisionalChip } from "./standings-words.js";

/**
 * @typedef {{opponent: number|null, line: number, colour: "white"|"black", board: number, mark: string|null, points: string}} GameCell
 * @typedef {{bye: string, bye_code?: string, points: string}} FreeCell
 * @typedef {{round: number, opponent?: import("./parts.js").Name, rank: number, line: number, colour?: "white"|"black", kind: string, bye_code?: string, points: string, second: string}} MatchCell
 * @typedef {import("./parts.js").Name & {line: number, rank: number, shared?: boolean, score: string, cells?: (GameCell|FreeCell|null)[], matches?: MatchCell[]}} Line
 * @typedef {{after: number, rounds: number, provisional: boolean, open: number, team: boolean, rows: Line[]}} Data `/live/event/cross-table.json`
 */

export class CrossTable {
  /** @param {HTMLElement} page */
  constructor(page) {
    this.page = page;
    this.rounds = 0;
  }

  url() {
    return "/live/event/cross-table.json";
  }

  title() {
    return m.cross_table();
  }

  /** @param {Data} data */
  draw(data) {
    if (data.rounds !== this.rounds || !this.rows?.body.isConnected) this.#lay(data);
    this.rounds = data.rounds;
    this.top?.replaceChildren(heading(m.cross_table(), provisionalChip(data)));
    const names = new Map(data.rows.map((row) => [row.no, row.name]));
    const changed =
      this.rows?.show(
        data.rows,
        (row) => String(row.no),
        (row) => line(row, data, names),
      ) ?? [];
    return changed.length ? [m.pub_changed({ what: m.cross_table() })] : [];
  }

  /** @param {Data} data */
  #lay(data) {
    const heads = [head("#", "num line"), head(data.team ? m.pub_team() : m.player(), "pl"), head(m.points(), "num"), head(m.place(), "num")];
    for (let round = 1; round <= data.rounds; round += 1) heads.push(head(String(round), "x", m.round_no({ n: round })));
    const { node, body } = table(m.pub_cross_caption(), "cross", heads);
    this.rows = new Rows(body);
    this.top = el("div");
    const scroll = el("div", "scroll", node);
    scroll.tabIndex = 0;
    scroll.setAttribute("role", "region");
    scroll.setAttribute("aria-label", m.cross_table());
    this.page.replaceChildren(this.top, el("section", "card wide", scroll));
  }
}

/** @param {Line} row @param {Data} data @param {Map<number, string>} names */
function line(row, data, names) {
  const cells = [];
  for (let index = 0; index < data.rounds; index += 1) {
    cells.push(data.team ? matchCell(row.matches?.[index]) : gameCell(row.cells?.[index] ?? null, names));
  }
  const place = row.rank ? `${row.shared ? "=" : ""}${row.rank}` : "";
  return el(
    "tr",
    "",
    cell("num line", String(row.line)),
    cell("pl", nameLink(row, data.team)),
    cell("num pts", score(row.score)),
    cell("num", place),
    ...cells,
  );
}

/** @param {GameCell|FreeCell|null} game @param {Map<number, string>} names */
function gameCell(game, names) {
  if (!game) return cell("x", "");
  if ("bye" in game) return freeCell(byeWord(game), game.bye_code, game.points);
  const words = `${m.pub_side_against({ side: sideWord(game.colour), name: isolated(names.get(game.opponent ?? -1) ?? m.pub_no_opponent()) })}, ${m.pub_line()} `;
  const opponent = game.opponent === null ? "–" : String(game.line);
  return cell("x", el("span", "vh", words), el("span", "opp", opponent), disc(game.colour), el("b", game.mark ? "" : "prov", game.mark ?? "*"));
}

/** @param {MatchCell|undefined} match */
function matchCell(match) {
  if (!match) return cell("x", "");
  if (!match.opponent) return freeCell(matchKind(match), match.bye_code, match.points);
  const words = `${m.pub_against({ name: isolated(match.opponent.name) })}, ${m.pub_line()} `;
  const points = el("b", match.kind === "pending" ? "prov" : "", match.kind === "pending" ? "*" : scoreText(match.points));
  return cell("x", el("span", "vh", words), el("span", "opp", String(match.line)), points, el("span", "q", ` ${scoreText(match.second)}`));
}

/** @param {string} words @param {string|undefined} code the code of the bye @param {string} points */
function freeCell(words, code, points) {
  const short = { zero: "–", pairing: m.pub_bye() }[code ?? ""] ?? "";
  return cell("x free", el("span", "vh", `${words}, `), el("span", "opp", short), el("b", "", scoreText(points)));
}
