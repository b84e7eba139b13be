// The building blocks of the event pages: linked names, score cells, tables that are updated in place.

import { m } from "$gen/words/messages.js";
import { decimalText, quarters, scoreText } from "$lib/event/score.js";
import { el } from "../live/dom.js";

/**
 * @typedef {object} Name a participant
 * @property {number} no
 * @property {string} name
 * @property {string} [title]
 * @property {string} [federation]
 * @property {number} [rating]
 */

/**
 * @param {string} href
 * @param {...(Node|string)} children
 * @returns {HTMLAnchorElement}
 */
export function link(href, ...children) {
  const node = /** @type {HTMLAnchorElement} */ (el("a", "", ...children));
  node.href = href;
  return node;
}

/** Builds a participant's name with the title, linked to the participant's card. @param {Name} who @param {boolean} [team] */
export function nameLink(who, team = false) {
  const parts = who.title ? [el("span", "title", who.title), " "] : [];
  return link(team ? `/event/teams/${who.no}` : `/event/players/${who.no}`, ...parts, el("bdi", "", who.name || m.pub_no({ n: who.no })));
}

/** Formats federation and rating: `NOR 2345`. @param {Name} who */
export function originText(who) {
  return [who.federation, who.rating].filter(Boolean).join(" ");
}

/**
 * Builds a number for a column. A fraction in quarters is a separate element, so that whole numbers align.
 * @param {string} text
 * @param {boolean} [asQuarters] true if the column shows fractions as quarters
 */
export function score(text, asQuarters = true) {
  const parts = asQuarters ? quarters(text) : null;
  if (!parts) return el("span", "score", asQuarters ? scoreText(text) : decimalText(text));
  return el("span", "score", el("span", "w", parts[0]), el("span", "h", parts[1]));
}

/**
 * @param {string} className
 * @param {...(Node|string)} children
 */
export function cell(className, ...children) {
  return el("td", className, ...children);
}

/** Builds the head of a column. @param {string} text @param {string} [className] @param {string} [title] the full text */
export function head(text, className = "", title = "") {
  const node = el("th", className);
  node.setAttribute("scope", "col");
  if (title) {
    const short = /** @type {HTMLElement} */ (el("abbr", "", text));
    short.title = title;
    node.append(short);
  } else node.append(text);
  return node;
}

/**
 * Builds a table with a caption for screen readers.
 * @param {string} caption
 * @param {string} className
 * @param {Node[]} heads
 */
export function table(caption, className, heads) {
  const body = el("tbody");
  const node = el("table", className, el("caption", "vh", caption), el("thead", "", el("tr", "", ...heads)), body);
  return { node, body };
}

/** The rows of a table, by key. Unchanged rows keep their elements and the lines attached to them. */
export class Rows {
  /** @param {HTMLElement} body */
  constructor(body) {
    this.body = body;
    /** @type {Map<string, {text: string, nodes: HTMLElement[]}>} */
    this.known = new Map();
  }

  /**
   * @template T
   * @param {T[]} items
   * @param {(item: T) => string} keyOf
   * @param {(item: T) => HTMLElement} build
   * @returns {string[]} the keys of the rows that changed
   */
  show(items, keyOf, build) {
    const before = this.known;
    const changed = [];
    this.known = new Map();
    /** @type {Element|null} */
    let place = this.body.firstElementChild;
    for (const item of items) {
      const key = keyOf(item);
      const text = JSON.stringify(item);
      let row = before.get(key);
      if (row?.text !== text) {
        const node = build(item);
        if (row) {
          changed.push(key);
          if (place && row.nodes.includes(/** @type {HTMLElement} */ (place))) place = after(row.nodes);
          const hadFocus = row.nodes.some((old) => old.contains(document.activeElement));
          row.nodes.forEach((old) => old.remove());
          row = { text, nodes: [node] };
          this.#insert(row.nodes, place);
          if (hadFocus) /** @type {HTMLElement|null} */ (node.querySelector("button, a"))?.focus();
        } else {
          row = { text, nodes: [node] };
          this.#insert(row.nodes, place);
        }
      } else if (row.nodes[0] === place) {
        place = after(row.nodes);
      } else this.#insert(row.nodes, place);
      this.known.set(key, row);
    }
    for (const [key, row] of before) if (!this.known.has(key)) row.nodes.forEach((node) => node.remove());
    return changed;
  }

  /** Attaches a line below a row; the line moves with the row. @param {string} key @param {HTMLElement} node */
  attach(key, node) {
    const row = this.known.get(key);
    if (!row) return;
    row.nodes[row.nodes.length - 1].after(node);
    row.nodes.push(node);
  }

  /** @param {string} key @param {HTMLElement} node */
  detach(key, node) {
    node.remove();
    const row = this.known.get(key);
    if (row) row.nodes = row.nodes.filter((other) => other !== node);
  }

  /** @param {HTMLElement[]} nodes @param {Element|null} place */
  #insert(nodes, place) {
    for (const node of nodes) this.body.insertBefore(node, place);
  }
}

/** @param {HTMLElement[]} nodes */
function after(nodes) {
  return nodes[nodes.length - 1].nextElementSibling;
}

/** Builds a heading for the top of a page, with further elements at its end. @param {string} text @param {...(Node|string)} more */
export function heading(text, ...more) {
  return el("header", "head", el("h1", "", el("bdi", "", text)), ...more);
}
