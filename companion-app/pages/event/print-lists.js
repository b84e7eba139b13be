// Printed lists on A4: pairings by board and by name, standings. The table header is repeated on every page.

import { m } from "$gen/words/messages.js";
import { getLocale } from "$lib/words/catalogue.js";
import { inQuarters, ownColumns } from "$lib/event/score.js";
import { isolated } from "$lib/words/isolated.js";
import { el } from "../live/dom.js";
import { sideWord } from "../live/words.js";
import { cell, head, originText, score, table } from "./parts.js";
import { byeWord } from "./phrases.js";
import { sheetHead } from "./print-head.js";
import { middle } from "./round.js";
import { afterText, placesText, provisionalText } from "./standings-words.js";
import { titleOf } from "./tie-breaks.js";

/**
 * @typedef {import("./event.js").Overview} Overview
 * @typedef {import("./round.js").Data} Data
 * @typedef {import("./round.js").Seat} Seat
 */

/** @param {Data} data @param {Overview} overview */
export function byBoard(data, overview) {
  const { node, body } = table(m.pub_pairings_of({ n: data.round }), "paper", [
    head(m.board(), "num"),
    head(m.white(), "pl"),
    head(m.pub_rtg(), "num"),
    head(m.points(), "num"),
    head(m.result(), "res"),
    head(m.points(), "num"),
    head(m.pub_rtg(), "num"),
    head(m.black(), "pl"),
  ]);
  const matches = new Map((data.matches ?? []).map((line) => [line.match, line]));
  let match = 0;
  for (const board of data.boards) {
    const of = board.of_match?.[0] ?? 0;
    const line = matches.get(of);
    if (line && of !== match) body.append(matchRow(line));
    match = of;
    const [result] = middle(board);
    body.append(
      el("tr", "", cell("num no", String(board.board)), ...side(board.white), cell("res ltr", result || el("span", "blank")), ...side(board.black).reverse()),
    );
  }
  const byes = (data.team_byes ?? []).concat(data.byes);
  return [el("article", "sheet", sheetHead(overview, m.pub_pairings_of({ n: data.round }), data.date), node, ...without(byes))];
}

/** @param {import("./round.js").MatchLine} line */
function matchRow({ white, black }) {
  const names = cell("pl", el("bdi", "", white.name), " – ", el("bdi", "", black.name));
  names.setAttribute("colspan", "8");
  return el("tr", "match", names);
}

/** Lists the players by name, each with board, colour and opponent, or with a bye. @param {Data} data @param {Overview} overview */
export function byName(data, overview) {
  /** @type {{who: Seat, board: number, colour: string, against: Seat|null}[]} */
  const lines = [];
  for (const board of data.boards) {
    if (board.white) lines.push({ who: board.white, board: board.board, colour: sideWord("white"), against: board.black });
    if (board.black) lines.push({ who: board.black, board: board.board, colour: sideWord("black"), against: board.white });
  }
  const order = new Intl.Collator(getLocale(), { sensitivity: "base" });
  const free = data.byes.map((bye) => ({ who: bye, board: 0, colour: byeWord(bye), against: null }));
  const all = [...lines, ...free].sort((one, other) => order.compare(one.who.name, other.who.name));
  const { node, body } = table(m.pub_pairings_by_name_of({ n: data.round }), "paper names", [
    head(m.player(), "pl"),
    head(m.board(), "num"),
    head(m.pub_colour()),
    head(m.pub_opponent(), "pl"),
  ]);
  for (const { who, board, colour, against } of all) {
    body.append(
      el("tr", "", cell("pl", el("b", "", name(who))), cell("num no", board ? String(board) : ""), cell("", colour), cell("pl", against ? name(against) : "")),
    );
  }
  return [el("article", "sheet", sheetHead(overview, m.pub_pairings_by_name_of({ n: data.round }), data.date), node)];
}

/** @param {import("./standings-words.js").Data} data @param {Overview} overview */
export function standings(data, overview) {
  const quarters = data.tie_breaks.map((_, index) => inQuarters(data.rows.map((row) => row.values[index])));
  const heads = [
    head("#", "num"),
    head(data.team ? m.pub_team() : m.player(), "pl"),
    head(m.federation()),
    ...(data.team ? [] : [head(m.pub_rtg(), "num")]),
    head(data.scores?.[0] ?? m.points(), "num"),
    ...(data.scores ? [head(data.scores[1], "num")] : []),
    ...ownColumns(data.tie_breaks).map((at) => head(data.tie_breaks[at].code, "num")),
  ];
  const { node, body } = table(afterText(data), "paper", heads);
  for (const row of data.rows) {
    body.append(
      el(
        "tr",
        "",
        cell("num no", `${row.shared ? "=" : ""}${row.rank}`),
        cell("pl", name(row)),
        cell("", row.federation ?? ""),
        ...(data.team ? [] : [cell("num", row.rating ? String(row.rating) : "–")]),
        cell("num pts", score(row.score)),
        ...(data.scores ? [cell("num", score(row.second_score ?? ""))] : []),
        ...ownColumns(data.tie_breaks).map((at) => cell("num", score(row.values[at], quarters[at]))),
      ),
    );
  }
  const key = ownColumns(data.tie_breaks)
    .map((at) => `${data.tie_breaks[at].code}: ${titleOf(data.tie_breaks[at].code)}`)
    .join("; ");
  const what = [afterText(data), provisionalText(data)].filter(Boolean).join(" · ");
  return [
    el(
      "article",
      "sheet",
      sheetHead(overview, what),
      node,
      ...[key, placesText(data)].filter(Boolean).map((words) => el("p", "key", words)),
      ...(overview.chief_arbiter ? [el("p", "sign", `${m.pub_chief()}: `, el("bdi", "", overview.chief_arbiter))] : []),
    ),
  ];
}

/** @param {Seat|null} who */
function side(who) {
  return [cell("pl", who ? name(who) : m.pub_no_opponent()), cell("num", who?.rating ? String(who.rating) : ""), cell("num", who ? score(who.score) : "")];
}

/** @param {import("./parts.js").Name} who */
function name(who) {
  return el("bdi", "", [who.title, who.name].filter(Boolean).join(" "));
}

/** @param {import("./round.js").ByeLine[]} byes */
function without(byes) {
  if (!byes.length) return [];
  return [
    el(
      "p",
      "key",
      el("b", "", `${m.pub_without_game()}: `),
      byes.map((bye) => `${isolated(bye.name)} ${originText(bye)} (${byeWord(bye)})`.replace("  ", " ")).join("; "),
    ),
  ];
}
