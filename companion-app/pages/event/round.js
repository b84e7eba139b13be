// A round: pairings by board with results, byes, and in a team event each match with its boards.

import { m } from "$gen/words/messages.js";
import { scoreText } from "$lib/event/score.js";
import { hasWords } from "$lib/words/plain.js";
import { halvesText } from "$lib/words/results.js";
import { disc, el, setText, sign } from "../live/dom.js";
import { dayText } from "./day.js";
import { Rows, cell, head, heading, link, nameLink, score, table } from "./parts.js";
import { byeWord, stateWord } from "./phrases.js";

/**
 * @typedef {import("./parts.js").Name & {score: string}} Seat
 * @typedef {{white: string, black: string, unrated?: boolean, tally?: [number, number]}} Result
 * @typedef {{board: number, of_match?: [number, number], sector?: string, white: Seat|null, black: Seat|null, state: "paired"|"playing"|"adjourned"|"over", result: Result|null}} BoardLine
 * @typedef {Seat & {game_points: string}} TeamSeat
 * @typedef {{match: number, white: TeamSeat, black: TeamSeat}} MatchLine
 * @typedef {Seat & {bye: string, bye_code?: string, points: string}} ByeLine
 * @typedef {object} Data `/live/event/rounds/{no}.json`
 * @property {number} round
 * @property {number} rounds
 * @property {string} [date]
 * @property {"paired"|"playing"|"finished"|"confirmed"} state
 * @property {number} results
 * @property {BoardLine[]} boards
 * @property {MatchLine[]} [matches]
 * @property {ByeLine[]} byes
 * @property {ByeLine[]} [team_byes]
 */

/** Describes the progress of a round. @param {{state: string, results: number, boards: {length: number}|number}} round */
export function stateText({ state, results, boards }) {
  const all = typeof boards === "number" ? boards : boards.length;
  switch (state) {
    case "confirmed":
      return m.pub_confirmed();
    case "finished":
      return m.pub_finished();
    case "playing":
      return m.pub_results_of({ n: results, all });
    default:
      return results ? m.pub_results_of({ n: results, all }) : m.state_ready();
  }
}

/**
 * Returns a board's result, empty if there is none, and a remark: unrated, in progress or adjourned.
 * @param {BoardLine} board
 * @returns {[string, string]}
 */
export function middle({ result, state }) {
  if (result) return [halvesText([result.white, result.black]), result.unrated ? m.pub_unrated() : ""];
  return ["", stateWord(state)];
}

export class Round {
  /** @param {HTMLElement} page @param {number} no 0 for the current round */
  constructor(page, no) {
    this.page = page;
    this.no = no;
    this.shown = 0;
    this.query = "";
    /** @type {Map<string, BoardLine>} */
    this.before = new Map();
  }

  /** @param {import("./event.js").Overview} overview */
  url(overview) {
    const no = this.no || overview.present;
    return no ? `/live/event/rounds/${no}.json` : "/live/event/standings.json";
  }

  title() {
    return this.shown ? m.round_no({ n: this.shown }) : m.pub_pairings();
  }

  /** @param {Data} data @param {import("./event.js").Overview} overview */
  draw(data, overview) {
    if (!data.boards) {
      this.page.replaceChildren(heading(m.pub_pairings()), el("p", "empty", m.pub_no_round()));
      return [];
    }
    if (!this.rows?.body.isConnected || this.shown !== data.round) this.#lay(data.round);
    this.#head(data, overview);
    const isNow = data.round === overview.present && overview.boards > 0;
    const rows = /** @type {Rows} */ (this.rows);
    rows.show(lines(data), keyOf, (line) => ("match" in line ? this.#match(line) : this.#board(line, isNow)));
    this.data = data;
    this.#find();
    this.#byes(data, overview.team);
    const words = this.#news(data);
    this.before = new Map(data.boards.map((board) => [String(board.board), board]));
    return words;
  }

  /** @param {number} round */
  #lay(round) {
    this.shown = round;
    this.before.clear();
    const heads = [
      head(m.board(), "num"),
      head(m.white(), "pl"),
      head(m.points(), "num s"),
      head(m.result(), "res"),
      head(m.points(), "num s"),
      head(m.black(), "pl"),
    ];
    const { node, body } = table(m.pub_pairings_of({ n: round }), "pairs", heads);
    this.rows = new Rows(body);
    this.top = el("div");
    this.byeList = el("section", "byes");
    this.none = el("p", "empty");
    const input = /** @type {HTMLInputElement} */ (el("input"));
    Object.assign(input, { type: "search", placeholder: m.find_hint(), autocomplete: "off", spellcheck: false });
    input.addEventListener("input", () => {
      this.query = input.value;
      this.#find();
    });
    const field = el("label", "field", sign("search"), el("span", "vh", m.pub_find()), input);
    this.page.replaceChildren(this.top, el("div", "tools", field), el("section", "card wide", node, this.none), this.byeList);
  }

  /** @param {Data} data @param {import("./event.js").Overview} overview */
  #head(data, overview) {
    const rounds = el("nav", "seg rounds");
    rounds.setAttribute("aria-label", m.rounds());
    for (const { round } of overview.paired) {
      const tab = link(`/event/rounds/${round}`, String(round));
      tab.setAttribute("aria-label", m.round_no({ n: round }));
      if (round === data.round) tab.setAttribute("aria-current", "page");
      rounds.append(tab);
    }
    const print = link(`/event/print/pairings?round=${data.round}`, m.print());
    print.className = "btn quiet";
    const facts = [data.date && dayText(data.date), stateText(data)].filter(Boolean).join(" · ");
    this.top?.replaceChildren(heading(m.round_no({ n: data.round }), el("p", "q", facts), el("span", "end", overview.paired.length > 1 ? rounds : "", print)));
  }

  /** @param {BoardLine} board @param {boolean} isNow true if the board's clock is on the live page */
  #board(board, isNow) {
    const number = isNow ? link(`/board/${board.board}`, String(board.board)) : String(board.board);
    if (typeof number !== "string") number.setAttribute("aria-label", m.pub_board_clocks({ board: board.board }));
    const [text, word] = middle(board);
    const middleCell = cell(
      "res",
      text ? el("b", "ltr", text) : "",
      word ? el("span", "q", word) : "",
      board.result?.tally ? el("span", "q ltr", board.result.tally.join(":")) : "",
    );
    const row = el(
      "tr",
      board.result ? "" : "open",
      cell("num no", number),
      ...seat(board.white, "white"),
      middleCell,
      ...seat(board.black, "black").reverse(),
    );
    row.dataset.board = String(board.board);
    return row;
  }

  /** @param {MatchLine} line */
  #match({ match, white, black }) {
    const points = `${scoreText(white.game_points)}–${scoreText(black.game_points)}`;
    const node = el(
      "tr",
      "match",
      cell("num", ""),
      cell("pl", nameLink(white, true)),
      cell("num s q", score(white.score)),
      cell("res", el("b", "ltr", points)),
      cell("num s q", score(black.score)),
      cell("pl", nameLink(black, true)),
    );
    node.dataset.match = String(match);
    return node;
  }

  #find() {
    const wanted = this.query.trim();
    let found = 0;
    for (const line of this.data ? lines(this.data) : []) {
      const row = this.rows?.known.get(keyOf(line))?.nodes[0];
      if (!row) continue;
      const number = "board" in line ? String(line.board) : "";
      row.hidden = /^\d+$/.test(wanted) ? number !== wanted : !hasWords(`${line.white?.name ?? ""} ${line.black?.name ?? ""}`, wanted);
      if (!row.hidden) found += 1;
    }
    if (!this.none) return;
    this.none.hidden = found > 0;
    setText(this.none, wanted ? m.pub_nothing_found({ name: wanted }) : m.pub_no_pairing());
  }

  /** @param {Data} data @param {boolean} team */
  #byes(data, team) {
    const all = team ? (data.team_byes ?? []) : data.byes;
    const items = all.map((line) => el("li", "", nameLink(line, team), el("span", "q", ` ${byeWord(line)}, ${scoreText(line.points)}`)));
    this.byeList?.replaceChildren(...(items.length ? [el("h2", "", m.pub_without_game()), el("ul", "", ...items)] : []));
  }

  /** Returns announcements of the results that are new since the last drawing. @param {Data} data */
  #news(data) {
    const news = data.boards.filter((board) => board.result && !this.before.get(String(board.board))?.result);
    return this.before.size ? news.map((board) => m.pub_board_says({ board: board.board, what: `${middle(board)[0]}.` })) : [];
  }
}

/** Returns the boards in order; in a team event, each match comes before its boards. @param {Data} data @returns {(BoardLine|MatchLine)[]} */
function lines({ boards, matches = [] }) {
  if (!matches.length) return boards;
  const of = (/** @type {number} */ match) => boards.filter((board) => board.of_match?.[0] === match);
  return [...matches.flatMap((line) => [line, ...of(line.match)]), ...boards.filter((board) => !board.of_match)];
}

/** @param {BoardLine|MatchLine} line */
function keyOf(line) {
  return "match" in line ? `m${line.match}` : `b${line.board}`;
}

/** @param {Seat|null} who @param {"white"|"black"} side */
function seat(who, side) {
  const name = who ? nameLink(who) : el("span", "q", m.pub_no_opponent());
  const origin = el("small", "q", el("span", "from", who?.federation ?? ""), " ", who?.rating ? String(who.rating) : "");
  return [cell(`pl ${side}`, disc(side), el("span", "nm", name, " ", origin)), cell("num s q", who ? score(who.score) : "")];
}
