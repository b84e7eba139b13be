// What each state is called, which sign it has, and what a screen reader hears. No other file holds these words.

import { clockText, sideText } from "./clock-text.js";
import { isolated } from "./dom.js";

/**
 * @typedef {import("./plan.js").Segment} Segment
 * @typedef {"white"|"black"} SideName
 * @typedef {object} SideView
 * @property {string} name
 * @property {number} us
 * @property {string} phase
 * @property {number} moves
 * @property {number} period
 * @property {"none"|"expected"|"fallen"|"called"} flag
 * @property {number} [byo_left]
 * @property {number} [stones]
 * @property {number} [bank_us]
 * @property {number} [points]
 * @property {number} [delay_us]
 *
 * @typedef {{n: number, side: SideName, at_us: number, used_us: number, left_us: number}} Press
 *
 * @typedef {object} BoardView
 * @property {string} board
 * @property {SideView} white
 * @property {SideView} black
 * @property {"white"|"black"|"none"} running
 * @property {SideName} [next]
 * @property {boolean} paused
 * @property {boolean} online
 * @property {boolean} [no_clock] no clock serves the board
 * @property {{white: boolean, black: boolean}} [clocks] which clock is heard, where each side has its own
 * @property {"ready"|"running"|"paused"|"stopped"|"flagged"|"over"} state
 * @property {number} [since_us]
 * @property {number} [silent_since_us]
 * @property {SideName} [first_flag]
 * @property {string} [result]
 * @property {SideName} [draw_odds]
 * @property {string} control
 * @property {Segment[]} plan
 * @property {number} seq
 * @property {Press} [last]
 * @property {string} [note]
 *
 * @typedef {{key: string, word: string, short: string, sign: string, side?: SideName}} State
 */

/** @type {SideName[]} */
export const SIDES = ["white", "black"];
export const SIDE_WORD = { white: "White", black: "Black" };

/** @type {Record<string, {word: string, short: string, sign: string}>} */
const WORDS = {
  flag: { word: "Flag", short: "FLAG", sign: "flag" },
  expected: { word: "Expected flag", short: "Expected flag", sign: "expected" },
  silent: { word: "Silent clock", short: "Silent clock", sign: "silent" },
  called: { word: "Flag called", short: "Flag called", sign: "called" },
  paused: { word: "Paused", short: "Paused", sign: "paused" },
  ready: { word: "Not started", short: "Not started", sign: "" },
  note: { word: "Note", short: "Note", sign: "note" },
};

/**
 * Every state a board is in, the most urgent first. A running board without trouble has none.
 * @param {BoardView} view
 * @returns {State[]}
 */
export function statesOf(view) {
  /** @type {State[]} */
  const states = [];
  const add = (/** @type {string} */ key, /** @type {SideName|undefined} */ side = undefined) => states.push({ key, ...WORDS[key], side });
  if (view.state === "over") return states;
  for (const [flag, key] of [["fallen", "flag"], ["expected", "expected"]]) {
    for (const side of SIDES) if (view[side].flag === flag) add(key, side);
  }
  // Clocks that the players stopped wait for a result or for an arbiter: the public is told neither.
  if (view.clocks) {
    for (const side of SIDES) if (!view.clocks[side]) add("silent", side);
  } else if (!view.online && !view.no_clock) add("silent", view.running === "none" ? undefined : view.running);
  for (const side of SIDES) if (view[side].flag === "called") add("called", side);
  if (view.paused) add("paused", view.next);
  if (view.state === "ready") add("ready");
  if (view.note) add("note");
  return states;
}

/**
 * What each side scored: `["1", "0"]`, `["½", "½"]`, and `+`, `–` for a game that was not played.
 * @param {string|undefined} result
 * @returns {[string, string] | null}
 */
export function scores(result) {
  switch (result) {
    case "1-0": return ["1", "0"];
    case "0-1": return ["0", "1"];
    case "1/2-1/2": return ["½", "½"];
    case "0-0": return ["0", "0"];
    case "1/2-0": return ["½", "0"];
    case "0-1/2": return ["0", "½"];
    case "1-0f": return ["+", "–"];
    case "0-1f": return ["–", "+"];
    case "0-0f": return ["–", "–"];
    default: return null;
  }
}

/**
 * What stands beside a side's time: delay, byo-yomi periods, stones, bank, points.
 * @param {SideView} side
 * @param {{phase: string, waitUs: number|undefined}} drawn `waitUs`: what is left of the delay of the side to move
 * @returns {string}
 */
export function besideTime(side, { phase, waitUs }) {
  const parts = [];
  const delay = waitUs ?? side.delay_us;
  if (delay) parts.push(`d ${Math.ceil(delay / 1e6)}`);
  if (phase === "byo" && side.byo_left) parts.push(`×${side.byo_left}`);
  if (phase === "canadian" && side.stones) parts.push(`${side.stones} to play`);
  if (phase === "extra") parts.push("extra");
  if (phase === "grace") parts.push("grace");
  if (side.bank_us) parts.push(`bank ${bankInWords(side.bank_us)}`);
  if (side.points) parts.push(`${side.points > 0 ? "+" : "−"}${Math.abs(side.points)} pts`);
  return parts.join(" ");
}

/** In days from a day on, and in hours too while they matter; never more than there is. @param {number} us */
function bankInWords(us) {
  const hours = Math.floor(us / 3600e6);
  if (hours < 24) return clockText(us)[0];
  const days = Math.floor(hours / 24);
  return days < 10 && hours % 24 ? `${days} d ${hours % 24} h` : `${days} d`;
}

/**
 * What stands beside a side's time, with its draw odds if it has them.
 * @param {BoardView} view
 * @param {SideName} side
 * @param {string} beside
 */
export function withOdds(view, side, beside) {
  return [view.draw_odds === side ? "draw odds" : "", beside].filter(Boolean).join(", ");
}

/** Who has draw odds (armageddon); a drawn game stays a draw. @param {BoardView} view */
export function oddsInWords(view) {
  if (!view.draw_odds) return "";
  return `${view.result === "1/2-1/2" ? "draw, " : ""}${SIDE_WORD[view.draw_odds]} has draw odds`;
}

/** The move being played or last played. @param {BoardView} view */
export function moveNumber(view) {
  return Math.max(view.white.moves, view.black.moves);
}

/** `31.` with White to move, `31…` with Black. @param {BoardView} view */
export function moveText(view) {
  const mover = view.running === "none" ? view.next : view.running;
  if (mover === "white") return `${view.white.moves + 1}.`;
  if (mover === "black") return `${view.black.moves + 1}…`;
  const moves = moveNumber(view);
  return moves ? `${moves} moves` : "";
}

/**
 * A board in words, for its accessible name.
 * @param {BoardView} view
 * @param {{white: {us: number, phase: string}, black: {us: number, phase: string}}} drawn
 */
export function boardInWords(view, drawn) {
  const halves = scores(view.result);
  const side = (/** @type {SideName} */ name, /** @type {number} */ index) => {
    const value = halves ? halves[index] : sideText(drawn[name].us, drawn[name].phase).join("");
    return `${SIDE_WORD[name]} ${isolated(view[name].name) || "no player"} ${value}.`;
  };
  const words = statesOf(view).map((state) => `${state.word}.`);
  if (view.running !== "none") words.push(`${SIDE_WORD[view.running]} to move.`);
  const move = moveNumber(view);
  return [
    `Board ${isolated(view.board)}.`, side("white", 0), side("black", 1), move ? `Move ${move}.` : "",
    view.result ? "Game over." : "", view.draw_odds ? `${sentence(oddsInWords(view))}.` : "", ...words,
  ].filter(Boolean).join(" ");
}

/** @param {string} text */
function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * What is worth saying aloud about a change, and how loudly; null for presses and ticks.
 * @param {BoardView|undefined} before
 * @param {BoardView} view
 * @returns {{text: string, loud: boolean} | null}
 */
export function worthSaying(before, view) {
  if (!before) return null;
  const had = new Set(statesOf(before).map((state) => state.key + state.side));
  const news = statesOf(view).find((state) => !had.has(state.key + state.side));
  const where = `Board ${isolated(view.board)}: `;
  if (view.result && !before.result) {
    const halves = scores(view.result);
    return { text: where + (halves ? `result ${[halves.join("–"), oddsInWords(view)].filter(Boolean).join(", ")}.` : "game over."), loud: false };
  }
  if (!news || !["flag", "expected", "silent"].includes(news.key)) return null;
  const loud = news.key === "flag";
  const who = news.side && news.key !== "silent" ? `, ${SIDE_WORD[news.side]} ${isolated(view[news.side].name)}` : "";
  return { text: `${where}${news.word.toLowerCase()}${who}.`, loud };
}
