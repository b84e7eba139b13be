import { el } from "../live/dom.js";
import { dayText } from "./day.js";

/**
 * Builds the head of a sheet: event, title, city and date.
 * @param {import("./event.js").Overview} overview
 * @param {string} what
 * @param {string} [date]
 */
export function sheetHead(overview, what, date = "") {
  const where = [overview.city, date && dayText(date)].filter(Boolean).join(", ");
  return el("header", "sheethead", el("h2", "", el("bdi", "", overview.name)), el("p", "", el("b", "", what), ...(where ? [" · ", el("bdi", "", where)] : [])));
}
