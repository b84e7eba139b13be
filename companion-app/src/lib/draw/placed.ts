// The pieces of a position in FEN, with their squares.

import type { SideName } from "$lib/hall/board.js";

const ROLES: Readonly<Record<string, string>> = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

export interface Placed {
  /** Counted from a8 to h1. */
  square: number;
  side: SideName;
  role: string;
}

/** Reads the first field of FEN. Characters that name no piece count as nothing. */
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
