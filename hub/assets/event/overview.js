// The event at a glance: its facts, its rounds, the head of the table.

import { el, isolated } from "../live/dom.js";
import { cell, head, heading, link, nameLink, score, table } from "./parts.js";
import { stateText } from "./round.js";
import { dayText, ownColumns } from "./score.js";
import { afterText, provisionalChip, rankCell } from "./standings.js";

/** Lines of the standings that stand here. */
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

  /** @param {import("./standings.js").Data} data @param {import("./event.js").Overview} overview */
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
  const days = starts && ends && starts !== ends ? `${dayText(starts)} to ${dayText(ends)}` : starts ? dayText(starts) : "";
  return [[isolated(city ?? ""), federation].filter(Boolean).join(", "), days].filter(Boolean).join(" · ");
}

/** @param {import("./event.js").Overview} overview */
function rounds(overview) {
  const items = [];
  for (let round = 1; round <= overview.rounds; round += 1) {
    const line = overview.paired.find((paired) => paired.round === round);
    const words = line ? stateText(line) : "To come";
    const day = line?.date ? dayText(line.date) : "";
    const node = line ? link(`/event/rounds/${round}`, el("b", "", `Round ${round}`), el("span", "q", [words, day].filter(Boolean).join(" · "))) : el("span", "", el("b", "", `Round ${round}`), el("span", "q", words));
    items.push(el("li", line ? "" : "ahead", node));
  }
  const list = el("ol", "roundlist", ...items);
  return el("section", "card", el("h2", "", "Rounds"), list);
}

/** @param {import("./event.js").Overview} overview */
function facts(overview) {
  const count = (/** @type {number} */ n, /** @type {string} */ one) => `${n} ${one}${n === 1 ? "" : "s"}`;
  const who = overview.team ? `${count(overview.teams, "team")}, ${count(overview.players, "player")}` : count(overview.players, "player");
  const system = overview.system === "swiss" ? "Swiss system" : "Round robin";
  /** @type {[string, string][]} */
  const pairs = [
    ["Players", who],
    ["System", `${system}, ${count(overview.rounds, "round")}`],
    ["Time control", overview.time_control ?? ""],
    ["Chief arbiter", overview.chief_arbiter ?? ""],
    ["Deputies", (overview.deputies ?? []).join(", ")],
    ["Tie-breaks", overview.tie_breaks.map(({ code, title }) => `${title} (${code})`).join(", ")],
  ];
  const list = el("dl", "facts", ...pairs.filter(([, text]) => text).flatMap(([term, text]) => [el("dt", "", term), el("dd", "", el("bdi", "", text))]));
  return el("section", "card", el("h2", "", "The event"), list);
}

/** @param {import("./standings.js").Data} data */
function leaders(data) {
  const [at] = ownColumns(data.tie_breaks);
  const first = data.tie_breaks[at];
  const { node, body } = table("The first of the standings", "stand", [head("#", "num"), head(data.team ? "Team" : "Player", "pl"), head(data.scores?.[0] ?? "Pts", "num"), ...(first ? [head(first.code, "num", first.title)] : [])]);
  for (const row of data.rows.slice(0, FIRST)) {
    const values = first ? [cell("num", score(row.values[at]))] : [];
    body.append(el("tr", "", rankCell(row), cell("pl", nameLink(row, data.team)), cell("num pts", score(row.score)), ...values));
  }
  const all = data.rows.length > FIRST ? [el("p", "more", link("/event/standings", `All ${data.rows.length}`))] : [];
  return el("section", "card", el("header", "", el("h2", "", afterText(data)), provisionalChip(data)), node, ...all);
}

/** @param {import("./event.js").Overview} overview */
function printed(overview) {
  const { present } = overview;
  const of = present ? `?round=${present}` : "";
  const papers = [
    ...(present ? [["pairings", "Pairings by board"], ["names", "Pairings by name"], ["slips", "Result slips"], ["cards", "Board cards"]] : []),
    ["standings", "Standings"],
  ];
  return el("nav", "papers", el("h2", "", "On paper"), el("ul", "", ...papers.map(([what, words]) => el("li", "", link(`/event/print/${what}${what === "standings" ? "" : of}`, words)))));
}
