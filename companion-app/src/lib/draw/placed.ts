// Lists the pieces of a FEN position, with their squares.

import type { SideName } from "$lib/hall/board.js";

const ROLES: Readonly<Record<string, string>> = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

export interface Placed {
  /** The square's index, counted from a8 (0) to h1 (63). */
  square: number;
  side: SideName;
  role: string;
}

/** Reads the first field of a FEN. An unknown character counts as an empty square. */
export function placed(pieces: string): Placed[] {
  const found: Placed[] = [];
  let square = 0;
  for (const letter of pieces) {
    if (letter === "/") continue;
    if (/[1-8]/.test(letter)) {
      square += Number(letter);
      continue;
    }
    const role = ROLES[letter.toLowerCase()];
    if (role) found.push({ square, side: letter === letter.toLowerCase() ? "black" : "white", role });
    square += 1;
  }
  return found;
}
