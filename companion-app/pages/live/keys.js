// Keyboard control of the pages. The list of boards is a single tab stop (roving tab index), in which the arrow keys move by rows and columns.
// Single keys work anywhere on a page except in form fields.

/**
 * Returns the target of a key in a grid read from left to right.
 * @param {string} key
 * @param {number} at the current index
 * @param {number} count
 * @param {number} columns
 * @returns {number} the new index, or −1 if the key has no meaning here
 */
export function moveTo(key, at, count, columns) {
  const within = (/** @type {number} */ to) => (to >= 0 && to < count ? to : at);
  switch (key) {
    case "ArrowLeft":
      return within(at - 1);
    case "ArrowRight":
      return within(at + 1);
    case "ArrowUp":
      return within(at - columns);
    case "ArrowDown":
      return at + columns < count ? at + columns : lastRow(at, count, columns) ? at : count - 1;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return -1;
  }
}

/**
 * @param {number} at
 * @param {number} count
 * @param {number} columns
 */
function lastRow(at, count, columns) {
  return Math.floor(at / columns) === Math.floor((count - 1) / columns);
}

export class Roving {
  /**
   * @param {HTMLElement} list
   * @param {() => HTMLElement[]} links the links that can be reached, in order
   */
  constructor(list, links) {
    this.links = links;
    /** @type {HTMLElement|null} */
    this.stop = null;
    list.addEventListener("focusin", (event) => {
      const link = /** @type {HTMLElement} */ (event.target);
      if (links().includes(link)) this.#stopAt(link);
    });
    list.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const all = links();
      const at = all.indexOf(/** @type {HTMLElement} */ (event.target));
      if (at < 0) return;
      const to = moveTo(event.key, at, all.length, this.#columns(all));
      if (to < 0) return;
      event.preventDefault();
      all[to].focus();
    });
  }

  /** Keeps exactly one link in the tab order after links were added or removed. */
  refresh() {
    const all = this.links();
    if (all.length && (!this.stop || !all.includes(this.stop))) this.#stopAt(all[0]);
  }

  /** @param {HTMLElement} link */
  #stopAt(link) {
    if (this.stop) this.stop.tabIndex = -1;
    link.tabIndex = 0;
    this.stop = link;
  }

  /** @param {HTMLElement[]} all */
  #columns(all) {
    const top = all[0].getBoundingClientRect().top;
    const next = all.findIndex((link) => link.getBoundingClientRect().top > top + 1);
    return next < 0 ? all.length : next;
  }
}

/**
 * Registers single keys that work anywhere on the page, except in form fields.
 * @param {Record<string, () => void>} actions by key; letters in lower case
 */
export function globalKeys(actions) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.matches("input, textarea, select, [contenteditable]")) return;
    const act = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}
