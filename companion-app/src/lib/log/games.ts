// The games in a board's log: their lines and their moves. Pure.

import type { Press, SideName } from "$lib/hall/board.js";
import type { Line } from "./lines.js";

export interface Game {
  /** The game's number on this board, counted from 1. */
  game: number;
  /** The round of the event; 0 if none. */
  round: number;
  /** Number of presses that completed a move. */
  moves: number;
}

/** Lists the games, oldest first. A game that was set but never played is listed only if it is the current one. */
export function gamesOf(lines: readonly Line[]): Game[] {
  const games = new Map<number, Game>();
  for (const { game, round, made } of lines) {
    if (game === 0) continue;
    const known = games.get(game) ?? { game, round, moves: 0 };
    games.set(game, { ...known, moves: known.moves + (made ? 1 : 0) });
  }
  const current = lines.at(-1)?.game;
  return [...games.values()].filter(({ game, moves }) => moves > 0 || game === current).sort((a, b) => a.game - b.game);
}

/** Returns the lines of one game; 0 stands for the newest game. */
export function ofGame(lines: Line[], game: number): Line[] {
  const wanted = game || (lines.at(-1)?.game ?? 0);
  return lines.filter((line) => line.game === wanted);
}

/**
 * Returns the number of the game whose moves are shown at first; 0 if there is no game. It is the last game with moves until the current one has
 * begun, so that a finished game stays visible when the next round is set.
 */
export function shownFirst(games: readonly Game[], currentHasBegun: boolean): number {
  const current = games.at(-1);
  if (!current || currentHasBegun || current.moves > 0) return current?.game ?? 0;
  return games.findLast((one) => one.moves > 0)?.game ?? current.game;
}

/** Returns the completed moves of a game from its log, without moves that a restore removed. */
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
