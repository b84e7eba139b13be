// The cards of the strip, and their order. Pure functions.

import { cardKey, type Card } from "$lib/state/states.js";

const MAX_CARDS = 12;

export interface Strip {
  cards: Card[];
  /** True if the hub is unreachable. The cards then have no usable buttons, and a card before them says why. */
  offline: boolean;
}

/**
 * Returns the cards, most urgent first. While the strip is held, its cards stay even if their boards no longer need an arbiter, and new
 * cards are appended. Otherwise, a card that appears or disappears would move the others.
 */
export function standing(before: Strip, urgent: Card[], offline: boolean, held: boolean): Strip {
  if (!held) return { cards: urgent.slice(0, MAX_CARDS), offline };
  const there = new Set(before.cards.map(cardKey));
  const fresh = urgent.filter((one) => !there.has(cardKey(one)));
  return { cards: [...before.cards, ...fresh].slice(0, MAX_CARDS), offline: before.offline };
}
