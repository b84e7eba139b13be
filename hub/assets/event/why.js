// How a number comes about: the addends one by one, what was adjusted and what was left out.

import { el } from "../live/dom.js";
import { cell, head, nameLink, score, table } from "./parts.js";
import { scoreText } from "./score.js";

/**
 * @typedef {import("./parts.js").Name} Name
 * @typedef {{round?: number, opponent?: Name, kind?: string, from?: string, score?: string, factor?: string, adds: string, adjusted?: string, cut?: string}} Term
 * @typedef {{code: string, title: string, value: string, terms: Term[], tied?: (Name & {by?: string, score: string, most: string, met: number})[], note?: string}} Figure
 * @typedef {{numbers: Figure[], after: number}} Why `/live/event/why/{no}.json`
 */

/** What is to be said of an addend beside its number. @param {Term} term */
export function remarks(term) {
  return [
    term.kind,
    term.from,
    term.adjusted && `${scoreText(term.adjusted)} of it for unplayed rounds that count as draws (16.3)`,
    term.cut,
  ].filter(Boolean).join("; ");
}

export class WhyPanel {
  /**
   * @param {string} id
   * @param {boolean} team
   */
  constructor(id, team) {
    this.team = team;
    this.node = el("div", "whybox");
    this.node.id = id;
    this.chosen = "";
    /** @type {Why|null} */
    this.why = null;
    this.node.append(el("p", "q", "…"));
  }

  /** @param {string} code the number to show first */
  choose(code) {
    this.chosen = code;
    this.#draw();
  }

  /** @param {Why|null} why */
  show(why) {
    this.why = why;
    this.#draw();
  }

  #draw() {
    if (!this.why) return;
    const { numbers } = this.why;
    const chosen = numbers.find((number) => number.code === this.chosen) ?? numbers[0];
    const choices = numbers.map((number) => {
      const button = /** @type {HTMLButtonElement} */ (el("button", "", el("span", "", number.code), el("b", "", scoreText(number.value))));
      button.type = "button";
      button.title = number.title;
      button.setAttribute("aria-pressed", String(number === chosen));
      button.addEventListener("click", () => {
        this.choose(number.code);
        /** @type {HTMLElement|null} */ (this.node.querySelector('[aria-pressed="true"]'))?.focus();
      });
      return button;
    });
    const bar = el("div", "seg", ...choices);
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", "Which number");
    this.node.replaceChildren(bar, ...this.#number(chosen));
  }

  /** @param {Figure} number */
  #number(number) {
    const parts = [el("p", "what", el("b", "", `${number.title}: ${scoreText(number.value)}`))];
    if (number.terms.length) parts.push(this.#terms(number));
    if (number.tied?.length) parts.push(this.#tied(number));
    if (number.note) parts.push(el("p", "q", sentence(number.note)));
    if (!number.terms.length && !number.tied?.length && !number.note) parts.push(el("p", "q", "This number stands for itself."));
    return parts;
  }

  /** @param {Figure} number */
  #terms({ title, value, terms }) {
    const products = terms.some((term) => term.factor !== undefined);
    const heads = [head("Round", "num"), head("Opponent", "pl"), ...(products ? [head("Theirs", "num"), head("Own", "num")] : []), head("Counts", "num"), head("Note", "why-note")];
    const { node, body } = table(`${title}, ${value}: what it is made of`, "terms", heads);
    for (const term of terms) {
      const counts = term.cut ? el("s", "", score(term.adds)) : score(term.adds);
      const row = el("tr", term.cut ? "cut" : "",
        cell("num", term.round ? String(term.round) : ""),
        cell("pl", term.opponent ? nameLink(term.opponent, this.team) : el("span", "q", "–")),
        ...(products ? [cell("num", score(term.score ?? "")), cell("num", `× ${scoreText(term.factor ?? "")}`)] : []),
        cell("num", counts),
        cell("why-note q", remarks(term)));
      body.append(row);
    }
    return node;
  }

  /** @param {Figure} number */
  #tied({ title, tied = [] }) {
    const counted = tied.some((line) => line.by);
    const { node, body } = table(`${title}: the games among those who are tied`, "terms", [head("Tied", "pl"), ...(counted ? [head("Counted", "why-note")] : []), head("Games", "num"), head("Points", "num"), head("At most", "num")]);
    for (const line of tied) {
      body.append(el("tr", "", cell("pl", nameLink(line, this.team)), ...(counted ? [cell("why-note q", line.by ?? "")] : []), cell("num", String(line.met)), cell("num", score(line.score)), cell("num", score(line.most))));
    }
    return node;
  }
}

/** @param {string} text */
function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
