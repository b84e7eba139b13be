// The texts of the standings tables: the rounds counted, provisional results, and places.

import { m } from "$gen/words/messages.js";
import { chip, el } from "../live/dom.js";
import { cell } from "./parts.js";

/**
 * @typedef {import("./parts.js").Name & {rank: number, shared?: boolean, score: string, second_score?: string, values: string[], pending?: boolean}} Row
 * @typedef {object} Data `/live/event/standings.json`
 * @property {number} version
 * @property {number} after
 * @property {number} rounds
 * @property {boolean} provisional
 * @property {number} open
 * @property {boolean} [places_of_file] true if the places come from an imported file
 * @property {boolean} team
 * @property {[string, string]} [scores] the codes of a team's two scores: `MP`, `GP`
 * @property {import("./event.js").TieBreak[]} tie_breaks
 * @property {Row[]} rows
 */

/**
 * Describes the rounds counted, for example `Standings after round 3 of 9`, or `in round 3` while its games are played.
 * @param {{after: number, rounds: number, provisional: boolean, open: number}} data
 */
export function afterText({ after, rounds, provisional, open }) {
  if (!after) return m.pub_starting_order();
  if (open) return m.pub_standings_in({ n: after, all: rounds });
  return after === rounds && !provisional ? m.pub_final() : m.pub_standings_after({ n: after, all: rounds });
}

/**
 * Describes why the standings are provisional: the number of games without a result, if any. Empty if they are not provisional.
 * @param {{provisional: boolean, open: number}} data
 */
export function provisionalText({ provisional, open }) {
  if (!provisional) return "";
  return open ? m.pub_provisional_open({ n: open }) : m.provisional();
}

/** Describes the source of places taken from an imported file; empty if they are computed. @param {{places_of_file?: boolean}} data */
export function placesText({ places_of_file }) {
  return places_of_file ? m.pub_places_of_file() : "";
}

/** @param {{provisional: boolean, open: number}} data */
export function provisionalChip(data) {
  const words = provisionalText(data);
  const node = chip({ key: "provisional", sign: "provisional", short: words });
  node.hidden = !words;
  return node;
}

/** Builds the cell with a participant's place; it is marked as provisional while one of the participant's games is open. @param {Row} row */
export function rankCell(row) {
  const number = el("span", row.pending ? "prov" : "", String(row.rank));
  return cell("num rank", row.shared ? el("span", "eq", el("span", "vh", `${m.pub_shared()} `), "=") : "", number);
}
