// The wall: a screen that shows the boards in turn, large enough to read across the hall.

import { m } from "$gen/words/messages.js";
import { byId, setText } from "./dom.js";

const EVERY_MS = 15_000;

/**
 * Returns the range of indexes on one page.
 * @param {number} page
 * @param {number} perPage
 * @param {number} count
 * @returns {[number, number]} the first index, and one past the last
 */
export function pageRange(page, perPage, count) {
  const pages = Math.max(1, Math.ceil(count / perPage));
  const first = (page % pages) * perPage;
  return [first, Math.min(count, first + perPage)];
}

/**
 * Returns a grid for `count` tiles in `room`: at least one column and one row, and otherwise no tile smaller than `least`.
 * @param {{width: number, height: number}} room
 * @param {{width: number, height: number}} least
 * @param {number} count
 */
export function gridFor(room, least, count) {
  const columns = Math.max(1, Math.min(Math.floor(room.width / least.width), Math.ceil(Math.sqrt(count * 1.2))));
  const rows = Math.max(1, Math.min(Math.floor(room.height / least.height), Math.ceil(count / columns)));
  return { columns, rows };
}

export class Wall {
  /** @param {HTMLElement} list */
  constructor(list) {
    this.list = list;
    /** @type {HTMLElement[]} */
    this.items = [];
    this.page = 0;
    this.sinceMs = performance.now();
    // The space for the boards is known only after the rest of the page is laid out, and changes with the screen's orientation.
    new ResizeObserver(() => this.#layout()).observe(list);
    setInterval(() => this.#tick(), 1000);
  }

  /** @param {HTMLElement[]} items the items of all pages, in order */
  setItems(items) {
    this.items = items;
    this.#layout();
  }

  /** @param {number} by */
  turn(by) {
    this.page = Math.max(0, this.page + by);
    this.sinceMs = performance.now();
    this.#layout();
  }

  #layout() {
    const box = this.list.getBoundingClientRect();
    const unit = parseFloat(getComputedStyle(this.list).fontSize);
    const count = this.items.length;
    const { columns, rows } = gridFor(box, { width: unit * 17.5, height: unit * 4.7 }, count);
    this.list.style.setProperty("--columns", String(columns));
    this.list.style.setProperty("--rows", String(rows));
    this.perPage = columns * rows;
    const pages = Math.max(1, Math.ceil(count / this.perPage));
    this.page %= pages;
    const [first, end] = pageRange(this.page, this.perPage, count);
    this.items.forEach((item, index) => (item.hidden = index < first || index >= end));
    byId("foot").hidden = pages < 2;
    if (pages < 2) return;
    setText(byId("foot-now"), m.pub_wall_now({ from: first + 1, to: end, all: count }));
    this.#tick();
  }

  #tick() {
    const count = this.items.length;
    const perPage = this.perPage ?? count;
    if (count <= perPage) return;
    const left = EVERY_MS - (performance.now() - this.sinceMs);
    if (left <= 0) return this.turn(1);
    const [first, end] = pageRange(this.page + 1, perPage, count);
    setText(byId("foot-next"), m.pub_wall_next({ from: first + 1, to: end, time: `0:${String(Math.ceil(left / 1000)).padStart(2, "0")}` }));
    byId("foot").style.setProperty("--done", String(1 - left / EVERY_MS));
  }
}
