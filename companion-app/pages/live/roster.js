// What the event knows of the players at the boards: title, rating, federation. A clock has only a name.
//
// Owns how a name leads to its player: a name that two players have leads to none.

/**
 * @typedef {{name: string, title?: string, federation?: string, rating?: number}} Known a player as the event's data sets have him
 */

export class Roster {
  /** @param {readonly Known[]} [players] */
  constructor(players = []) {
    /** @type {Map<string, Known|null>} */
    this.known = new Map();
    for (const player of players) this.known.set(player.name, this.known.has(player.name) ? null : player);
  }

  /** @param {string} name as a board has it @returns {Known|undefined} */
  of(name) {
    return this.known.get(name) ?? undefined;
  }
}

/** `GM 2498 NOR`. @param {Known|undefined} player */
export function aboutText(player) {
  return player ? [player.title, player.rating, player.federation].filter(Boolean).join(" ") : "";
}
