// The games of one board in its log: their lines, and the moves of a finished one. Pure.

import type { Press, SideName } from "$lib/hall/board.js";
import type { Line } from "./lines.js";

/** A game of a board. */
export interface Game {
  /** Counted from 1 on this board. */
  game: number;
  /** The event's round; 0 if none. */
  round: number;
  /** Presses that completed a move. */
  moves: number;
}

/** Lists the games, oldest first, without games that were set and never played, except the present one. */
export function gamesOf(lines: readonly Line[]): Game[] {
  const games = new Map<number, Game>();
  for (const { game, round, made } of lines) {
    if (game === 0) continue;
    const known = games.get(game) ?? { game, round, moves: 0 };
    games.set(game, { ...known, moves: known.moves + (made ? 1 : 0) });
  }
  const present = lines.at(-1)?.game;
  return [...games.values()].filter(({ game, moves }) => moves > 0 || game === present).sort((a, b) => a.game - b.game);
}

/** Returns the lines of one game; of the newest for 0. */
export function ofGame(lines: Line[], game: number): Line[] {
  const wanted = game || (lines.at(-1)?.game ?? 0);
  return lines.filter((line) => line.game === wanted);
}

/**
 * Returns the game whose moves are shown at first: the present one, or the previous one until a move has been played, so that a
 * finished game stays visible when the next round is set.
 */
export function shownFirst(games: readonly Game[], presentHasBegun: boolean): number {
  const present = games.at(-1);
  if (!present || presentHasBegun || present.moves > 0) return present?.game ?? 0;
  return games.findLast((one) => one.moves > 0)?.game ?? present.game;
}

/** Returns the completed moves of a game from its log, without those that a restore has removed. */
export function pressesOf(lines: readonly Line[]): Press[] {
  const restored = new Set(lines.filter((line) => line.command?.startsWith("restore")).map((line) => line.id));
  let presses: Press[] = [];
  for (const line of lines) {
    const { made, effect } = line;
    if (made) presses.push({ ...made, atUs: line.atUs });
    const left = effect?.moves;
    if (left && line.answers.some((id) => restored.has(id))) presses = presses.filter((press) => press.move <= left[press.side satisfies SideName]);
  }
  return presses;
}
