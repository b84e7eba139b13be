// A board's states on the public pages, with their texts and icons, and the board's label and announcements for screen readers.

import { m } from "$gen/words/messages.js";
import { sideText } from "$lib/draw/clock-text.js";
import { isolated } from "$lib/words/isolated.js";
import { halvesText, scores } from "$lib/words/results.js";
import { SIDES } from "./board-view.js";

/**
 * @typedef {import("./board-view.js").BoardView} BoardView
 * @typedef {import("./board-view.js").SideName} SideName
 * @typedef {import("$lib/draw/plan.js").Drawn} Drawn
 * @typedef {{key: string, word: string, short: string, sign: string, side?: SideName}} State
 */

/** @type {Record<string, {word: () => string, short: () => string, sign: string}>} */
const WORDS = {
  flag: { word: () => m.state_flag(), short: () => m.short_flag(), sign: "flag" },
  expected: { word: () => m.state_unconfirmed(), short: () => m.state_unconfirmed(), sign: "expected" },
  silent: { word: () => m.state_no_signal(), short: () => m.state_no_signal(), sign: "silent" },
  called: { word: () => m.state_called(), short: () => m.state_called(), sign: "called" },
  paused: { word: () => m.state_paused(), short: () => m.state_paused(), sign: "paused" },
  ready: { word: () => m.state_ready(), short: () => m.state_ready(), sign: "" },
  note: { word: () => m.state_note(), short: () => m.state_note(), sign: "note" },
};

/** @param {SideName} side */
export function sideWord(side) {
  return side === "white" ? m.white() : m.black();
}

/**
 * Returns the states of a board, most urgent first; none once the game is over.
 * @param {BoardView} view
 * @returns {State[]}
 */
export function statesOf(view) {
  /** @type {State[]} */
  const states = [];
  const add = (/** @type {string} */ key, /** @type {SideName|null} */ side = null) => {
    const { word, short, sign } = WORDS[key];
    states.push({ key, word: word(), short: short(), sign, ...(side ? { side } : {}) });
  };
  if (view.phase === "over") return states;
  for (const [flag, key] of [
    ["fallen", "flag"],
    ["expected", "expected"],
  ]) {
    for (const side of SIDES) if (view[side].flag === flag) add(key, side);
  }
  // Stopped clocks are not a state here: the public does not learn whether they wait for a result or for an arbiter.
  if (view.clocks) {
    for (const side of SIDES) if (!view.clocks[side]) add("silent", side);
  } else if (!view.online && !view.noClock) add("silent", view.running);
  for (const side of SIDES) if (view[side].flag === "called") add("called", side);
  if (view.paused) add("paused", view.next);
  if (view.phase === "ready") add("ready");
  if (view.note) add("note");
  return states;
}

/**
 * Returns the text beside a side's time, preceded by the draw odds if the side has them.
 * @param {BoardView} view
 * @param {SideName} side
 * @param {string} beside
 */
export function withOdds(view, side, beside) {
  return [view.drawOdds === side ? m.pub_odds() : "", beside].filter(Boolean).join(" · ");
}

/** Describes which side has draw odds (armageddon); empty if neither has. @param {BoardView} view */
export function oddsInWords(view) {
  return view.drawOdds ? m.draw_odds({ side: sideWord(view.drawOdds) }) : "";
}

/** Returns the number of the last move that either side has completed; 0 before the first. @param {BoardView} view */
export function moveNumber(view) {
  return Math.max(view.white.moves, view.black.moves);
}

/**
 * Returns the accessible name of a board.
 * @param {BoardView} view
 * @param {{white: Drawn, black: Drawn}} drawn
 */
export function boardInWords(view, drawn) {
  const halves = scores(view.result);
  const side = (/** @type {SideName} */ name, /** @type {number} */ index) => {
    const value = halves ? (halves[index] ?? "") : sideText(drawn[name].us, drawn[name].allotment).join("");
    return m.side_clock({ side: sideWord(name), name: isolated(view[name].name) || m.pub_no_player(), time: value });
  };
  const words = statesOf(view).map((state) => `${state.word}.`);
  if (view.running) words.push(`${m.side_to_move({ side: sideWord(view.running) })}.`);
  const move = moveNumber(view);
  return [
    m.board_no({ board: isolated(view.board) }),
    side("white", 0),
    side("black", 1),
    move ? m.pub_move_no({ n: move }) : "",
    view.result ? m.pub_game_over() : "",
    view.drawOdds ? `${oddsInWords(view)}.` : "",
    ...words,
  ]
    .filter(Boolean)
    .join(" ");
}

/**
 * Returns the announcement of a result, a fallen or unconfirmed flag, or a lost signal, and its urgency. Returns null otherwise.
 * @param {BoardView|undefined} before
 * @param {BoardView} view
 * @returns {{text: string, loud: boolean} | null}
 */
export function announcementOf(before, view) {
  if (!before) return null;
  const had = new Set(statesOf(before).map((state) => state.key + state.side));
  const news = statesOf(view).find((state) => !had.has(state.key + state.side));
  const said = (/** @type {string} */ what, loud = false) => ({ text: m.pub_board_says({ board: isolated(view.board), what }), loud });
  if (view.result && !before.result) {
    const halves = scores(view.result);
    if (!halves) return said(m.pub_game_over());
    return said(`${[m.result_is({ result: halvesText(halves) }), oddsInWords(view)].filter(Boolean).join(", ")}.`);
  }
  if (!news || !["flag", "expected", "silent"].includes(news.key)) return null;
  const who = news.side && news.key !== "silent" ? `, ${sideWord(news.side)} ${isolated(view[news.side].name)}` : "";
  return said(`${news.word}${who}.`, news.key === "flag");
}
