// Helpers that build, find and change elements. They never parse text as HTML.

/**
 * @param {string} tag
 * @param {string} [className]
 * @param {...(Node|string)} children
 * @returns {HTMLElement}
 */
export function el(tag, className = "", ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...children);
  return node;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {string} tag
 * @param {Record<string, string|number>} attributes
 * @param {...(Node|string)} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return /** @type {SVGElement} */ (node);
}

/**
 * Builds an icon from the sprite at the top of the page.
 * @param {string} id
 */
export function sign(id) {
  return svg("svg", { class: "i", "aria-hidden": "true" }, svg("use", { href: `#sign-${id}` }));
}

/**
 * Builds the chip of a state: its icon, if it has one, and its word, with a class for the colour.
 * @param {{key: string, sign: string, short: string}} state
 * @param {string} [more] further classes
 */
export function chip(state, more = "") {
  const signs = state.sign ? [sign(state.sign)] : [];
  return el("span", `chip ${state.key} ${more}`.trim(), ...signs, el("span", "w", state.short));
}

/**
 * Sets a text only if it differs, so that unchanged text costs no layout.
 * @param {Node} node
 * @param {string} text
 */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Returns the element with this id. It must exist: each script is written for its page.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const node = document.getElementById(id);
  if (!node) throw new Error(`no element #${id}`);
  return node;
}

/** Builds a disc, which keeps its side's colour in every theme. @param {"white"|"black"} side */
export function disc(side) {
  return el("i", side === "white" ? "disc" : "disc b");
}
