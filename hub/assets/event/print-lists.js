// Lists on A4: pairings by board and by name, standings. Their head is repeated on every page by the table itself.

import { el, isolated } from "../live/dom.js";
import { cell, head, originText, score, table } from "./parts.js";
import { sheetHead } from "./print-head.js";
import { middle } from "./round.js";
import { inQuarters, ownColumns } from "./score.js";
import { afterText, placesText, provisionalText } from "./standings.js";

/**
 * @typedef {import("./event.js").Overview} Overview
 * @typedef {import("./round.js").Data} Data
 * @typedef {import("./round.js").Seat} Seat
 */

/** @param {Data} data @param {Overview} overview */
export function byBoard(data, overview) {
  const { node, body } = table(`Pairings of round ${data.round}`, "paper", [head("Board", "num"), head("White", "pl"), head("Rtg", "num"), head("Pts", "num"), head("Result", "res"), head("Pts", "num"), head("Rtg", "num"), head("Black", "pl")]);
  const matches = new Map((data.matches ?? []).map((line) => [line.match, line]));
  let match = 0;
  for (const board of data.boards) {
    const of = board.of_match?.[0] ?? 0;
    const line = matches.get(of);
    if (line && of !== match) body.append(matchRow(line));
    match = of;
    const [result] = middle(board);
    body.append(el("tr", "", cell("num no", String(board.board)), ...side(board.white), cell("res ltr", result || el("span", "blank")), ...side(board.black).reverse()));
  }
  const byes = (data.team_byes ?? []).concat(data.byes);
  return [el("article", "sheet", sheetHead(overview, `Round ${data.round}, pairings`, data.date), node, ...without(byes))];
}

/** @param {import("./round.js").MatchLine} line */
function matchRow({ white, black }) {
  const names = cell("pl", el("bdi", "", white.name), " – ", el("bdi", "", black.name));
  names.setAttribute("colspan", "8");
  return el("tr", "match", names);
}

/** Everybody in order of the names, with board, colour and opponent. @param {Data} data @param {Overview} overview */
export function byName(data, overview) {
  /** @type {{who: Seat, board: number, colour: string, against: Seat|null}[]} */
  const lines = [];
  for (const board of data.boards) {
    if (board.white) lines.push({ who: board.white, board: board.board, colour: "White", against: board.black });
    if (board.black) lines.push({ who: board.black, board: board.board, colour: "Black", against: board.white });
  }
  const order = new Intl.Collator("en", { sensitivity: "base" });
  const free = data.byes.map((bye) => ({ who: bye, board: 0, colour: bye.bye, against: null }));
  const all = [...lines, ...free].sort((one, other) => order.compare(one.who.name, other.who.name));
  const { node, body } = table(`Pairings of round ${data.round} by name`, "paper names", [head("Player", "pl"), head("Board", "num"), head("Colour"), head("Opponent", "pl")]);
  for (const { who, board, colour, against } of all) {
    body.append(el("tr", "", cell("pl", el("b", "", name(who))), cell("num no", board ? String(board) : ""), cell("", colour), cell("pl", against ? name(against) : "")));
  }
  return [el("article", "sheet", sheetHead(overview, `Round ${data.round}, pairings by name`, data.date), node)];
}

/** @param {import("./standings.js").Data} data @param {Overview} overview */
export function standings(data, overview) {
  const quarters = data.tie_breaks.map((_, index) => inQuarters(data.rows.map((row) => row.values[index])));
  const heads = [head("#", "num"), head(data.team ? "Team" : "Player", "pl"), head("Fed"), ...(data.team ? [] : [head("Rtg", "num")]), head(data.scores?.[0] ?? "Pts", "num"), ...(data.scores ? [head(data.scores[1], "num")] : []), ...ownColumns(data.tie_breaks).map((at) => head(data.tie_breaks[at].code, "num"))];
  const { node, body } = table(afterText(data), "paper", heads);
  for (const row of data.rows) {
    body.append(el("tr", "", cell("num no", `${row.rank}${row.shared ? "=" : ""}`), cell("pl", name(row)), cell("", row.federation ?? ""), ...(data.team ? [] : [cell("num", row.rating ? String(row.rating) : "–")]), cell("num pts", score(row.score)), ...(data.scores ? [cell("num", score(row.second_score ?? ""))] : []), ...ownColumns(data.tie_breaks).map((at) => cell("num", score(row.values[at], quarters[at])))));
  }
  const key = ownColumns(data.tie_breaks).map((at) => `${data.tie_breaks[at].code}: ${data.tie_breaks[at].title}`).join("; ");
  const what = [afterText(data), provisionalText(data)].filter(Boolean).join(", ").replace(", Provisional", ", provisional");
  return [el("article", "sheet", sheetHead(overview, what), node, ...[key, placesText(data)].filter(Boolean).map((words) => el("p", "key", words)), ...(overview.chief_arbiter ? [el("p", "sign", "Chief arbiter: ", el("bdi", "", overview.chief_arbiter))] : []))];
}

/** @param {Seat|null} who */
function side(who) {
  return [cell("pl", who ? name(who) : "nobody"), cell("num", who?.rating ? String(who.rating) : ""), cell("num", who ? score(who.score) : "")];
}

/** @param {import("./parts.js").Name} who */
function name(who) {
  return el("bdi", "", [who.title, who.name].filter(Boolean).join(" "));
}

/** @param {import("./round.js").ByeLine[]} byes */
function without(byes) {
  if (!byes.length) return [];
  return [el("p", "key", el("b", "", "Without a game: "), byes.map((bye) => `${isolated(bye.name)} ${originText(bye)} (${bye.bye})`.replace("  ", " ")).join("; "))];
}
