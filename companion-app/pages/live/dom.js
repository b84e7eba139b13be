// Few and small helpers for building elements. Text only ever enters the page as text.

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
 * One of the signs at the top of the page.
 * @param {string} id
 */
export function sign(id) {
  return svg("svg", { class: "i", "aria-hidden": "true" }, svg("use", { href: `#sign-${id}` }));
}

/**
 * A state's chip: sign and word, and its class for the colour.
 * @param {{key: string, sign: string, short: string}} state
 * @param {string} [more] further classes
 */
export function chip(state, more = "") {
  const signs = state.sign ? [sign(state.sign)] : [];
  return el("span", `chip ${state.key} ${more}`.trim(), ...signs, el("span", "w", state.short));
}

/**
 * Writes text only when it differs, so that a still page costs nothing.
 * @param {Node} node
 * @param {string} text
 */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * The element with this id; the pages are written together with their scripts, so it is there.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const node = document.getElementById(id);
  if (!node) throw new Error(`no element #${id}`);
  return node;
}

/** A disc that keeps its side's colour in every palette. @param {"white"|"black"} side */
export function disc(side) {
  return el("i", side === "white" ? "disc" : "disc b");
}
