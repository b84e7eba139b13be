// Which cards the strip shows, and in which order. Pure.

import type { Urgent } from "$lib/state/states.js";

/** Cards in the page, however many the room has. */
const MOST = 12;

export interface Strip {
  cards: Urgent[];
  /** Without a hub there are no buttons, and a card in front that says so. */
  offline: boolean;
}

/**
 * What needs somebody, the most urgent first. While it is held, cards stay where and as they are, even if nobody is needed there any more: a
 * button that comes or goes would move its neighbours. What is new follows them.
 */
export function standing(before: Strip, urgent: Urgent[], offline: boolean, held: boolean): Strip {
  if (!held) return { cards: urgent.slice(0, MOST), offline };
  const there = new Set(before.cards.map((one) => one.board.board));
  const fresh = urgent.filter((one) => !there.has(one.board.board));
  return { cards: [...before.cards, ...fresh].slice(0, MOST), offline: before.offline };
}
