// The chart of times used. It does not depend on colour: White's bars are hollow, like White's disc, and point up; Black's are solid and point
// down.

import { m } from "$gen/words/messages.js";
import { lengthText } from "$lib/draw/clock-text.js";
import { bars, lineStep, longest, room } from "$lib/draw/time-used.js";
import { el, svg } from "./dom.js";
import { sideWord } from "./words.js";

/**
 * @typedef {import("./board-view.js").Press} Press
 */

/** @param {import("$lib/draw/time-used.js").Bar<Press>} bar */
function rect(bar) {
  const { x, y, width, height, press } = bar;
  const shape = { class: press.side === "white" ? "w" : "b", x: x.toFixed(2), y: y.toFixed(2), width: width.toFixed(2), height: height.toFixed(2) };
  return svg("rect", shape);
}

/**
 * Draws the chart below a featured board.
 * @param {HTMLElement} into
 * @param {Press[]} presses
 */
export function drawTimesUsed(into, presses) {
  const top = longest(presses);
  if (!top) {
    into.replaceChildren();
    return;
  }
  const shapes = bars(presses, { width: 400, half: 28, middle: 30 }, top.usedUs).map(rect);
  const label = labelOf(top);
  into.replaceChildren(svg("svg", { viewBox: "0 0 400 60", preserveAspectRatio: "none", role: "img", "aria-label": label }, ...shapes));
}

const WIDE = { width: 546, half: 126, middle: 140, left: 30, gap: 2 };

/**
 * Draws the chart on the page of one board, with lines and numbers.
 * @param {HTMLElement} into
 * @param {Press[]} presses
 * @returns {"seconds"|"minutes"|null} the unit of the chart's numbers; null without moves
 */
export function drawChart(into, presses) {
  const top = longest(presses);
  if (!top) {
    into.replaceChildren(el("p", "empty", m.pub_no_move()));
    return null;
  }
  const step = lineStep(top.usedUs);
  const longestUs = Math.max(step, top.usedUs * 1.04);
  const unit = step < 60e6 ? 1e6 : 60e6;
  const lines = [];
  for (let us = step; us <= longestUs; us += step) {
    for (const sign of [-1, 1]) {
      const y = WIDE.middle + sign * (WIDE.gap + (WIDE.half * us) / longestUs);
      lines.push(svg("path", { class: "g", d: `M${WIDE.left} ${y.toFixed(1)}H${WIDE.left + WIDE.width}` }));
      lines.push(svg("text", { x: WIDE.left - 6, y: (y + 4).toFixed(1), "text-anchor": "end" }, String(us / unit)));
    }
  }
  const slot = WIDE.width / room(presses);
  const last = Math.max(...presses.map((press) => press.move));
  const numbers = [];
  for (let n = 1; n <= last; n = n === 1 ? 10 : n + 10) {
    numbers.push(svg("text", { x: (WIDE.left + slot * (n - 0.5)).toFixed(1), y: 296, "text-anchor": "middle" }, String(n)));
  }
  const shapes = bars(presses, WIDE, longestUs).map((bar) => {
    const shape = rect(bar);
    shape.append(svg("title", {}, `${moveMark(bar.press)} ${lengthText(bar.press.usedUs)}`));
    return shape;
  });
  const label = labelOf(top);
  const axis = svg("path", { class: "ax", d: `M${WIDE.left} ${WIDE.middle}H${WIDE.left + WIDE.width}` });
  into.replaceChildren(svg("svg", { viewBox: "0 0 580 302", role: "img", "aria-label": label }, ...lines, axis, ...shapes, ...numbers));
  return unit === 1e6 ? "seconds" : "minutes";
}

/** @param {Press} top the press with the longest time used */
function labelOf(top) {
  return m.chart_label({ side: sideWord(top.side), move: String(top.move), time: lengthText(top.usedUs) });
}

/** Formats a move number as on a score sheet: `12.` or `12…`. @param {Press} press */
export function moveMark(press) {
  return press.side === "white" ? `${press.move}.` : `${press.move}…`;
}
