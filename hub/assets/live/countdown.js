// The time until the scheduled start. Said once, politely; the ticks are only drawn.

import { setText } from "./dom.js";

const SECOND = 1e6;

/**
 * `Starts in 4:12`, rounded up as a clock is; empty once the time has come.
 * @param {number} leftUs
 */
export function startsIn(leftUs) {
  const s = Math.ceil(leftUs / SECOND);
  if (s <= 0) return "";
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const h = Math.floor(s / 3600);
  const m = Math.floor(s / 60) % 60;
  return `Starts in ${h ? `${h}:${two(m)}` : m}:${two(s % 60)}`;
}

export class Countdown {
  /** @param {HTMLElement} node */
  constructor(node) {
    this.node = node;
    /** @type {number|undefined} */
    this.startsAtUs = undefined;
  }

  /** @param {number|undefined} startsAtUs hub instant of the scheduled start */
  set(startsAtUs) {
    this.startsAtUs = startsAtUs;
    if (startsAtUs === undefined) this.#show("");
  }

  /** @param {number} hubUs */
  draw(hubUs) {
    if (this.startsAtUs === undefined) return Infinity;
    const leftUs = this.startsAtUs - hubUs;
    this.#show(startsIn(leftUs));
    return leftUs > 0 ? hubUs + (leftUs % SECOND || SECOND) : Infinity;
  }

  /** @param {string} text */
  #show(text) {
    setText(this.node, text);
    this.node.hidden = !text;
  }
}
