// A board as the public pages draw it. This module converts the hub's JSON to the shape that the arbiters' app uses, so that both share the
// painter, the plan and the texts.

/**
 * @typedef {import("$lib/hall/board.js").SideName} SideName
 * @typedef {import("$lib/hall/board.js").SideState} SideState
 * @typedef {import("$lib/hall/board.js").Segment} Segment
 *
 * @typedef {{move: number, side: SideName, atUs: number, usedUs: number, leftUs: number}} Press
 *
 * @typedef {{count: number, san: string, uci: string, fen: string}} Written the newest entered move, with the position after it
 *
 * @typedef {{phase: import("$lib/hall/day-game.js").DayPhase, blind?: SideName, pieces: string}} Day the phase, the blind side, and the pieces that
 *   both players see (the first field of a FEN)
 *
 * @typedef {object} BoardView
 * @property {string} board
 * @property {SideState} white
 * @property {SideState} black
 * @property {SideName|null} running
 * @property {SideName|null} next
 * @property {boolean} paused
 * @property {boolean} online
 * @property {boolean} noClock true if no clock is assigned to the board
 * @property {{white: boolean, black: boolean}} [clocks] the connection of each side's clock, if each side has its own clock
 * @property {import("$lib/hall/board.js").Phase} phase
 * @property {number} [sinceUs]
 * @property {number} [silentSinceUs]
 * @property {string} [result]
 * @property {SideName|null} drawOdds
 * @property {string} control
 * @property {Segment[]} plan
 * @property {Press} [last]
 * @property {Written} [written]
 * @property {Day} [day] the state of a game of Time Chess
 * @property {string} [note]
 * @property {number} [laterUs] the time added to the board's instants, except those of its presses; absent unless the board has its own delay
 */

/** @type {readonly SideName[]} */
export const SIDES = ["white", "black"];

/** @param {any} json a board, as in `/live/boards.json` @returns {BoardView} */
export function boardOf(json) {
  return {
    board: json.board,
    white: sideOf(json.white),
    black: sideOf(json.black),
    running: json.running === "none" ? null : json.running,
    next: json.next ?? null,
    paused: json.paused,
    online: json.online,
    noClock: json.no_clock ?? false,
    clocks: json.clocks,
    phase: json.state,
    sinceUs: json.since_us,
    silentSinceUs: json.silent_since_us,
    result: json.result,
    drawOdds: json.draw_odds ?? null,
    control: json.control,
    plan: json.plan.map(segmentOf),
    last: json.last && pressOf(json.last),
    written: json.written,
    day: json.time_chess,
    note: json.note,
    laterUs: json.later_us,
  };
}

/**
 * Returns the instant at which the page shows the beginning of the turn.
 * @param {Pick<BoardView, "sinceUs"|"laterUs">} view
 * @param {Pick<Press, "atUs">[]} presses
 * @returns {number|undefined}
 */
export function turnSince({ sinceUs, laterUs = 0 }, presses) {
  const last = presses.at(-1);
  return last ? last.atUs + laterUs : sinceUs;
}

/** @param {any} json a completed move @returns {Press} */
export function pressOf(json) {
  return { move: json.n, side: json.side, atUs: json.at_us, usedUs: json.used_us, leftUs: json.left_us };
}

/** @param {any} json @returns {SideState} */
function sideOf(json) {
  const { name, us, phase, moves, period, flag, byo_left: byoLeft, stones, bank_us: bankUs, points, delay_us: delayUs } = json;
  return { name, us, allotment: phase, moves, period, flag, byoLeft, stones, bankUs, points, delayUs };
}

/** @param {any} json @returns {Segment} */
function segmentOf(json) {
  return {
    fromUs: json.from_us,
    whiteUs: json.white_us,
    blackUs: json.black_us,
    whiteRate: json.white_rate,
    blackRate: json.black_rate,
    whiteAllotment: json.white_phase,
    blackAllotment: json.black_phase,
  };
}
