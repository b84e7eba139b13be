// Which cards the strip shows, and in which order. Pure.

import { cardKey, type Card } from "$lib/state/states.js";

/** Cards in the page, however many the room has. */
const MOST = 12;

export interface Strip {
  cards: Card[];
  /** Without a hub there are no buttons, and a card in front that says so. */
  offline: boolean;
}

/**
 * What needs somebody, the most urgent first. While it is held, cards stay where and as they are, even if nobody is needed there any more: a
 * button that comes or goes would move its neighbours. What is new follows them.
 */
export function standing(before: Strip, urgent: Card[], offline: boolean, held: boolean): Strip {
  if (!held) return { cards: urgent.slice(0, MOST), offline };
  const there = new Set(before.cards.map(cardKey));
  const fresh = urgent.filter((one) => !there.has(cardKey(one)));
  return { cards: [...before.cards, ...fresh].slice(0, MOST), offline: before.offline };
}
