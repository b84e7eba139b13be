// The explanation of a score or tie-break: its terms with adjustments and cuts, the games between tied players, and notes.

import { m } from "$gen/words/messages.js";
import { scoreText } from "$lib/event/score.js";
import { el } from "../live/dom.js";
import { cell, head, nameLink, score, table } from "./parts.js";
import { measureWord, noteText, termWords } from "./phrases.js";
import { titleOf } from "./tie-breaks.js";

/**
 * @typedef {import("./parts.js").Name} Name
 * @typedef {{round?: number, opponent?: Name, kind?: string, kind_code?: string, from?: string, from_code?: string, score?: string, factor?: string, adds: string, adjusted?: string, cut?: string, cut_code?: string}} Term
 * @typedef {{code: string, title: string, value: string, terms: Term[], tied?: (Name & {by?: string, measure?: import("./phrases.js").Measure, score: string, most: string, met: number})[], note?: string, notes?: import("./phrases.js").Note[]}} Figure
 * @typedef {{numbers: Figure[], after: number}} Why `/live/event/why/{no}.json`
 */

/** Returns the remarks shown beside a term's number. @param {Term} term */
export function remarks(term) {
  const { kind, from, cut } = termWords(term);
  return [kind, from, term.adjusted && m.pub_adjusted({ n: scoreText(term.adjusted) }), cut].filter(Boolean).join("; ");
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

  /** @param {string} code the score or tie-break to show */
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
      button.title = titleOf(number.code);
      button.setAttribute("aria-pressed", String(number === chosen));
      button.addEventListener("click", () => {
        this.choose(number.code);
        /** @type {HTMLElement|null} */ (this.node.querySelector('[aria-pressed="true"]'))?.focus();
      });
      return button;
    });
    const bar = el("div", "seg", ...choices);
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", m.pub_value());
    this.node.replaceChildren(bar, ...this.#number(chosen));
  }

  /** @param {Figure} number */
  #number(number) {
    const parts = [el("p", "what", el("b", "", `${titleOf(number.code)}: ${scoreText(number.value)}`))];
    if (number.terms.length) parts.push(this.#terms(number));
    if (number.tied?.length) parts.push(this.#tied(number));
    if (number.note) parts.push(el("p", "q", sentence(noteText(number))));
    if (!number.terms.length && !number.tied?.length && !number.note) parts.push(el("p", "q", m.pub_no_breakdown()));
    return parts;
  }

  /** @param {Figure} number */
  #terms({ code, value, terms }) {
    const products = terms.some((term) => term.factor !== undefined);
    const heads = [
      head(m.pub_round(), "num"),
      head(m.pub_opponent(), "pl"),
      ...(products ? [head(m.pub_theirs(), "num"), head(m.pub_own(), "num")] : []),
      head(m.pub_counts(), "num"),
      head(m.state_note(), "why-note"),
    ];
    const { node, body } = table(m.pub_breakdown({ what: titleOf(code), value: scoreText(value) }), "terms", heads);
    for (const term of terms) {
      const counts = term.cut ? el("s", "", score(term.adds)) : score(term.adds);
      const row = el(
        "tr",
        term.cut ? "cut" : "",
        cell("num", term.round ? String(term.round) : ""),
        cell("pl", term.opponent ? nameLink(term.opponent, this.team) : el("span", "q", "–")),
        ...(products ? [cell("num", score(term.score ?? "")), cell("num", `× ${scoreText(term.factor ?? "")}`)] : []),
        cell("num", counts),
        cell("why-note q", remarks(term)),
      );
      body.append(row);
    }
    return node;
  }

  /** @param {Figure} number */
  #tied({ code, tied = [] }) {
    const counted = tied.some((line) => line.by);
    const { node, body } = table(m.pub_tied_games({ what: titleOf(code) }), "terms", [
      head(m.pub_tied(), "pl"),
      ...(counted ? [head(m.pub_counted(), "why-note")] : []),
      head(m.pub_games(), "num"),
      head(m.pub_points(), "num"),
      head(m.pub_at_most(), "num"),
    ]);
    for (const line of tied) {
      body.append(
        el(
          "tr",
          "",
          cell("pl", nameLink(line, this.team)),
          ...(counted ? [cell("why-note q", measureWord(line))] : []),
          cell("num", String(line.met)),
          cell("num", score(line.score)),
          cell("num", score(line.most)),
        ),
      );
    }
    return node;
  }
}

/** @param {string} text */
function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
