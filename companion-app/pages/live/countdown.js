// The countdown to the scheduled start. It is only drawn, never announced.

import { m } from "$gen/words/messages.js";
import { clockText } from "$lib/draw/clock-text.js";
import { setText } from "./dom.js";

const SECOND = 1e6;

/**
 * Formats the time until the start, rounded up: `Starts in 4:12`; empty once the start has come.
 * @param {number} leftUs
 */
export function startsIn(leftUs) {
  if (leftUs <= 0) return "";
  // Below ten seconds `clockText` would show tenths.
  const s = Math.ceil(leftUs / SECOND);
  return m.pub_starts_in({ time: s < 10 ? `0:0${s}` : clockText(s * SECOND)[0] });
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
