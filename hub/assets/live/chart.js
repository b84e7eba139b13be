// Thinking time per move. Ink only: White's bars up and hollow, Black's down and solid, like the discs; nothing to learn.

import { el, svg } from "./dom.js";
import { lengthText } from "./clock-text.js";
import { SIDE_WORD } from "./words.js";

/**
 * @typedef {import("./words.js").Press} Press
 * @typedef {{x: number, y: number, width: number, height: number, press: Press}} Bar
 */

/** Lines at round lengths, seconds. */
const STEPS_S = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600];
/** A young game's bars stay slim. */
const LEAST_MOVES = 24;

/**
 * Where the bars stand: moves from left to right, White above the middle, Black below.
 * @param {Press[]} presses
 * @param {{width: number, half: number, middle: number, left?: number, gap?: number}} area `half`: height of the longest bar
 * @param {number} longestUs the length that fills `half`
 * @returns {Bar[]}
 */
export function bars(presses, { width, half, middle, left = 0, gap = 1 }, longestUs) {
  const slot = width / Math.max(LEAST_MOVES, lastMove(presses));
  return presses.map((press) => {
    const height = Math.max(0.6, (half * Math.min(press.used_us, longestUs)) / longestUs);
    return {
      x: left + slot * (press.n - 1) + slot * 0.16,
      y: press.side === "white" ? middle - gap - height : middle + gap,
      width: slot * 0.68,
      height,
      press,
    };
  });
}

/** @param {Press[]} presses */
export function lastMove(presses) {
  return presses.reduce((most, press) => Math.max(most, press.n), 0);
}

/** @param {Press[]} presses */
export function longest(presses) {
  return presses.reduce((/** @type {Press|null} */ most, press) => (most && most.used_us >= press.used_us ? most : press), null);
}

/**
 * The lines' distance: at most four to each side.
 * @param {number} longestUs
 */
export function lineStep(longestUs) {
  return 1e6 * (STEPS_S.find((step) => longestUs / 1e6 / step <= 4) ?? 7200);
}

/** @param {Bar} bar */
function rect(bar) {
  const { x, y, width, height, press } = bar;
  const shape = { class: press.side === "white" ? "w" : "b", x: x.toFixed(2), y: y.toFixed(2), width: width.toFixed(2), height: height.toFixed(2) };
  return svg("rect", shape);
}

/**
 * The summary beneath a featured board.
 * @param {HTMLElement} into
 * @param {Press[]} presses
 */
export function drawThinking(into, presses) {
  const top = longest(presses);
  if (!top) {
    into.replaceChildren();
    return;
  }
  const shapes = bars(presses, { width: 400, half: 28, middle: 30 }, top.used_us).map(rect);
  const label = `Thinking time per move; the longest is ${inWords(top)}.`;
  into.replaceChildren(svg("svg", { viewBox: "0 0 400 60", preserveAspectRatio: "none", role: "img", "aria-label": label }, ...shapes));
}

const WIDE = { width: 546, half: 126, middle: 140, left: 30, gap: 2 };

/**
 * The one-board page's chart, with lines and numbers.
 * @param {HTMLElement} into
 * @param {Press[]} presses
 * @returns {string} the unit of its numbers, empty when there are none
 */
export function drawChart(into, presses) {
  const top = longest(presses);
  if (!top) {
    into.replaceChildren(el("p", "empty", "No move has been completed yet."));
    return "";
  }
  const step = lineStep(top.used_us);
  const longestUs = Math.max(step, top.used_us * 1.04);
  const unit = step < 60e6 ? 1e6 : 60e6;
  const lines = [];
  for (let us = step; us <= longestUs; us += step) {
    for (const sign of [-1, 1]) {
      const y = WIDE.middle + sign * (WIDE.gap + (WIDE.half * us) / longestUs);
      lines.push(svg("path", { class: "g", d: `M${WIDE.left} ${y.toFixed(1)}H${WIDE.left + WIDE.width}` }));
      lines.push(svg("text", { x: WIDE.left - 6, y: (y + 4).toFixed(1), "text-anchor": "end" }, String(us / unit)));
    }
  }
  const slot = WIDE.width / Math.max(LEAST_MOVES, lastMove(presses));
  const numbers = [];
  for (let n = 1; n <= lastMove(presses); n = n === 1 ? 10 : n + 10) {
    numbers.push(svg("text", { x: (WIDE.left + slot * (n - 0.5)).toFixed(1), y: 296, "text-anchor": "middle" }, String(n)));
  }
  const shapes = bars(presses, WIDE, longestUs).map((bar) => {
    const shape = rect(bar);
    shape.append(svg("title", {}, inWords(bar.press)));
    return shape;
  });
  const label = `Thinking time per move. The longest is ${inWords(top)}.`;
  const axis = svg("path", { class: "ax", d: `M${WIDE.left} ${WIDE.middle}H${WIDE.left + WIDE.width}` });
  into.replaceChildren(svg("svg", { viewBox: "0 0 580 302", role: "img", "aria-label": label }, ...lines, axis, ...shapes, ...numbers));
  return unit === 1e6 ? "seconds" : "minutes";
}

/** @param {Press} press */
export function inWords(press) {
  return `move ${press.n}, ${SIDE_WORD[press.side]}, ${lengthText(press.used_us)}`;
}
