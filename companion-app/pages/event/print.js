// Printing on A4 with the browser's own dialog. The screen shows the sheets as they will be printed.

import { m } from "$gen/words/messages.js";
import { el } from "../live/dom.js";
import { link } from "./parts.js";
import { boardCards } from "./print-cards.js";
import { byBoard, byName, standings } from "./print-lists.js";
import { slips } from "./print-slips.js";

/**
 * @typedef {import("./event.js").Overview} Overview
 * @typedef {{title: () => string, perRound: boolean, draw: (data: any, overview: Overview) => HTMLElement[]}} Paper
 */

/** @type {Record<string, Paper>} */
const PAPERS = {
  pairings: { title: () => m.pub_by_board(), perRound: true, draw: byBoard },
  names: { title: () => m.pub_by_name(), perRound: true, draw: byName },
  slips: { title: () => m.pub_slips(), perRound: true, draw: slips },
  cards: { title: () => m.pub_cards(), perRound: true, draw: boardCards },
  standings: { title: () => m.view_standings(), perRound: false, draw: standings },
};

/**
 * @param {string} name
 * @param {URLSearchParams} wanted
 * @param {HTMLElement} page
 * @returns {import("./event.js").View}
 */
export function printView(name, wanted, page) {
  const paper = PAPERS[name] ?? PAPERS.pairings;
  const wantedRound = Number(wanted.get("round")) || 0;
  const roundOf = (/** @type {Overview} */ overview) => {
    const paired = overview.paired.map(({ round }) => round);
    return paired.includes(wantedRound) ? wantedRound : (overview.present ?? 0);
  };
  document.documentElement.dataset.paper = name;
  return {
    title: () => paper.title(),
    url: (overview) => {
      if (!paper.perRound) return `/live/event/standings.json${wanted.get("after") ? `?after=${wanted.get("after")}` : ""}`;
      return roundOf(overview) ? `/live/event/rounds/${roundOf(overview)}.json` : "/live/event/standings.json";
    },
    draw: (data, overview) => {
      const sheets = paper.perRound && !roundOf(overview) ? [el("p", "empty", m.pub_no_round())] : paper.draw(data, overview);
      page.replaceChildren(toolbar(name, paper, roundOf(overview), overview), ...sheets);
      for (const nav of page.querySelectorAll(".head .seg")) showCurrent(/** @type {HTMLElement} */ (nav));
      return [];
    },
  };
}

/** Scrolls the row of tabs to the current tab, but never the page itself. @param {HTMLElement} nav */
function showCurrent(nav) {
  const current = /** @type {HTMLElement|null} */ (nav.querySelector("[aria-current]"));
  if (current) nav.scrollLeft = current.offsetLeft - nav.offsetLeft - (nav.clientWidth - current.offsetWidth) / 2;
}

/** @param {string} name @param {Paper} paper @param {number} round @param {Overview} overview */
function toolbar(name, paper, round, overview) {
  const print = /** @type {HTMLButtonElement} */ (el("button", "btn pri", m.print()));
  print.type = "button";
  print.addEventListener("click", () => window.print());
  const tabs = Object.entries(PAPERS).map(([key, { title, perRound }]) => {
    const tab = link(`/event/print/${key}${perRound && round ? `?round=${round}` : ""}`, title());
    if (key === name) tab.setAttribute("aria-current", "page");
    return tab;
  });
  const papers = el("nav", "seg", ...tabs);
  papers.setAttribute("aria-label", m.pub_papers());
  const rounds = el("nav", "seg rounds");
  rounds.setAttribute("aria-label", m.rounds());
  if (paper.perRound && overview.paired.length > 1) {
    for (const line of overview.paired) {
      const tab = link(`/event/print/${name}?round=${line.round}`, String(line.round));
      if (line.round === round) tab.setAttribute("aria-current", "page");
      rounds.append(tab);
    }
  }
  return el("header", "head noprint", el("h1", "vh", paper.title()), papers, rounds.childElementCount ? rounds : "", el("span", "end", print));
}
