// The overview of the event: rounds, facts, the first places, and links to the pages for printing.

import { m } from "$gen/words/messages.js";
import { ownColumns } from "$lib/event/score.js";
import { isolated } from "$lib/words/isolated.js";
import { el } from "../live/dom.js";
import { dayText } from "./day.js";
import { cell, head, heading, link, nameLink, score, table } from "./parts.js";
import { stateText } from "./round.js";
import { titleOf } from "./tie-breaks.js";
import { afterText, provisionalChip, rankCell } from "./standings-words.js";

/** The number of places shown. */
const FIRST = 10;

export class Overview {
  /** @param {HTMLElement} page */
  constructor(page) {
    this.page = page;
  }

  url() {
    return "/live/event/standings.json";
  }

  title() {
    return "";
  }

  /** @param {import("./standings-words.js").Data} data @param {import("./event.js").Overview} overview */
  draw(data, overview) {
    this.page.replaceChildren(
      heading(overview.name, el("p", "q", where(overview))),
      el("div", "two", el("div", "col", rounds(overview), facts(overview)), leaders(data)),
      printed(overview),
    );
    return [];
  }
}

/** @param {import("./event.js").Overview} overview */
function where({ city, federation, starts, ends }) {
  const days = starts && ends && starts !== ends ? m.pub_days({ from: dayText(starts), to: dayText(ends) }) : starts ? dayText(starts) : "";
  return [[isolated(city ?? ""), federation].filter(Boolean).join(", "), days].filter(Boolean).join(" · ");
}

/** @param {import("./event.js").Overview} overview */
function rounds(overview) {
  const items = [];
  for (let round = 1; round <= overview.rounds; round += 1) {
    const line = overview.paired.find((paired) => paired.round === round);
    const words = line ? stateText(line) : m.pub_to_come();
    const day = line?.date ? dayText(line.date) : "";
    const node = line
      ? link(`/event/rounds/${round}`, el("b", "", m.round_no({ n: round })), el("span", "q", [words, day].filter(Boolean).join(" · ")))
      : el("span", "", el("b", "", m.round_no({ n: round })), el("span", "q", words));
    items.push(el("li", line ? "" : "ahead", node));
  }
  const list = el("ol", "roundlist", ...items);
  return el("section", "card", el("h2", "", m.rounds()), list);
}

/** @param {import("./event.js").Overview} overview */
function facts(overview) {
  const who = [...(overview.team ? [m.pub_teams({ n: overview.teams })] : []), m.import_players({ n: overview.players })].join(", ");
  const system = overview.system === "swiss" ? m.pub_swiss() : m.pub_round_robin();
  /** @type {[string, string][]} */
  const pairs = [
    [m.players(), who],
    [m.pub_system(), `${system}, ${m.pub_rounds({ n: overview.rounds })}`],
    [m.control(), overview.time_control ?? ""],
    [m.pub_chief(), overview.chief_arbiter ?? ""],
    [m.pub_deputies(), (overview.deputies ?? []).join(", ")],
    [m.pub_tie_breaks(), overview.tie_breaks.map(({ code }) => `${titleOf(code)} (${code})`).join(", ")],
  ];
  const list = el("dl", "facts", ...pairs.filter(([, text]) => text).flatMap(([term, text]) => [el("dt", "", term), el("dd", "", el("bdi", "", text))]));
  return el("section", "card", el("h2", "", m.pub_event()), list);
}

/** @param {import("./standings-words.js").Data} data */
function leaders(data) {
  const [at] = ownColumns(data.tie_breaks);
  const first = data.tie_breaks[at];
  const { node, body } = table(m.view_standings(), "stand", [
    head("#", "num"),
    head(data.team ? m.pub_team() : m.player(), "pl"),
    head(data.scores?.[0] ?? m.points(), "num"),
    ...(first ? [head(first.code, "num", titleOf(first.code))] : []),
  ]);
  for (const row of data.rows.slice(0, FIRST)) {
    const values = first ? [cell("num", score(row.values[at]))] : [];
    body.append(el("tr", "", rankCell(row), cell("pl", nameLink(row, data.team)), cell("num pts", score(row.score)), ...values));
  }
  const all = data.rows.length > FIRST ? [el("p", "more", link("/event/standings", m.pub_all_n({ n: data.rows.length })))] : [];
  return el("section", "card", el("header", "", el("h2", "", afterText(data)), provisionalChip(data)), node, ...all);
}

/** @param {import("./event.js").Overview} overview */
function printed(overview) {
  const { present } = overview;
  const of = present ? `?round=${present}` : "";
  const papers = [
    ...(present
      ? [
          ["pairings", m.pub_by_board()],
          ["names", m.pub_by_name()],
          ["slips", m.pub_slips()],
          ["cards", m.pub_cards()],
        ]
      : []),
    ["standings", m.view_standings()],
  ];
  return el(
    "nav",
    "papers",
    el("h2", "", m.pub_on_paper()),
    el("ul", "", ...papers.map(([what, words]) => el("li", "", link(`/event/print/${what}${what === "standings" ? "" : of}`, words)))),
  );
}
