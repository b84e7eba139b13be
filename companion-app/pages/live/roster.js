// The event's data about the players at the boards: title, rating, federation. A clock knows only a name.
//
// Owns the lookup by name: a name that two players share finds neither.

/** @typedef {{name: string, title?: string, federation?: string, rating?: number}} Known a player in the event's data sets */

export class Roster {
  /** @param {readonly Known[]} [players] */
  constructor(players = []) {
    /** @type {Map<string, Known|null>} */
    this.known = new Map();
    for (const player of players) this.known.set(player.name, this.known.has(player.name) ? null : player);
  }

  /** @param {string} name a player's name at a board @returns {Known|undefined} */
  of(name) {
    return this.known.get(name) ?? undefined;
  }
}

/** Formats title, rating and federation: `GM 2498 NOR`. @param {Known|undefined} player */
export function aboutText(player) {
  return player ? [player.title, player.rating, player.federation].filter(Boolean).join(" ") : "";
}
