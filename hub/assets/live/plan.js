// Draws clocks from the hub's plan. Knows no rules of time: delay, byo-yomi and the like are all in the segments.

/**
 * @typedef {object} Segment
 * @property {number} from_us hub instant
 * @property {number} white_us
 * @property {number} black_us
 * @property {-1|0|1} white_rate
 * @property {-1|0|1} black_rate
 * @property {string} white_phase
 * @property {string} black_phase
 *
 * @typedef {{us: number, rate: number, phase: string}} Drawn one side at an instant
 * @typedef {{white: Drawn, black: Drawn, untilUs: number, waitUs: number}} Drawing
 *   `untilUs`: hub instant up to which the rates hold; `waitUs`: what is left of a delay before the running clock moves, else 0
 */

/**
 * @param {{plan: Segment[], running: string, white: {us: number, phase: string}, black: {us: number, phase: string}}} view
 * @param {number} nowUs the hub's time
 * @returns {Drawing}
 */
export function drawAt(view, nowUs) {
  const { plan } = view;
  let at = plan.length - 1;
  while (at > 0 && plan[at].from_us > nowUs) at -= 1;
  const segment = plan[at];
  if (!segment) {
    const still = (/** @type {{us: number, phase: string}} */ side) => ({ us: side.us, rate: 0, phase: side.phase });
    return { white: still(view.white), black: still(view.black), untilUs: Infinity, waitUs: 0 };
  }
  const next = plan[at + 1];
  // A plan that begins in the future has not begun: its first values stand.
  const elapsed = Math.max(0, nowUs - segment.from_us);
  const side = (/** @type {"white"|"black"} */ name) => {
    const rate = segment[`${name}_rate`];
    const phase = segment[`${name}_phase`];
    const us = segment[`${name}_us`] + rate * elapsed;
    return { us: phase === "overtime" ? us : Math.max(0, us), rate, phase };
  };
  const { running } = view;
  const waits =
    (running === "white" || running === "black") && next && segment[`${running}_rate`] === 0 && next[`${running}_rate`] < 0;
  return {
    white: side("white"),
    black: side("black"),
    untilUs: next ? next.from_us : Infinity,
    waitUs: waits ? Math.max(0, next.from_us - nowUs) : 0,
  };
}
