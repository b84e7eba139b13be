// Addresses within the app. Pure. An invalid address leads to the hall.

import { enrolmentFrom, type Enrolment } from "$lib/enrol/code.js";
import type { Link } from "$lib/transport/links.js";

/** The views. `start` is the enrolment of this device; `sound` is the question about sound that follows enrolment. */
export type View = "hall" | "board" | "replay" | "round" | "clocks" | "standings" | "audit" | "start" | "sound";
const VIEWS: readonly View[] = ["hall", "board", "replay", "round", "clocks", "standings", "audit", "start", "sound"];

export interface Place {
  view: View;
  board: string;
  /** The round of the game, as in `#/board/17/round/3`; 0 if the address names none. */
  round: number;
  /** The number of the game on its board, as in `#/replay/17/game/2`; 0 if the address names none. */
  game: number;
  /** The boards to which the hall is filtered; empty for all. */
  only: readonly string[];
}

export const PLAYER_PAGE = "#/player";

export const isPlayerPage = (fragment: string): boolean => fragment === PLAYER_PAGE;

const ONLY = "only";

/** Parses a fragment such as `#/board/17` or `#/hall/only/3,4`. */
export function placeIn(fragment: string): Place {
  const [, view, what = "", part = "", no = ""] = fragment.split("/");
  try {
    const known = VIEWS.find((one) => one === view) ?? "hall";
    const only =
      known === "hall" && what === ONLY
        ? part
            .split(",")
            .map(decodeURIComponent)
            .filter((board) => board !== "")
        : [];
    const numbered = (name: string): number => (part === name && /^\d{1,5}$/.test(no) ? Number(no) : 0);
    return { view: known, board: only.length > 0 ? "" : decodeURIComponent(what), round: numbered("round"), game: numbered("game"), only };
  } catch {
    // The percent-encoding is invalid.
    return { view: "hall", board: "", round: 0, game: 0, only: [] };
  }
}

/** Returns the address of a single board, or of the hall filtered to several boards. Without boards, returns the address of the whole hall. */
export function placeOf(boards: readonly string[]): string {
  const [one] = boards;
  if (one === undefined) return "#/hall";
  return boards.length === 1 ? `#/board/${encodeURIComponent(one)}` : `#/hall/${ONLY}/${boards.map(encodeURIComponent).join(",")}`;
}

/** Returns the fragment to which a link leads, and the enrolment code in the link, if any. Returns null for a refused or invalid link. */
export function placeOfLink(link: Link): { fragment: string; code: Enrolment | null } | null {
  if (link.kind === "board") return { fragment: `#/board/${link.board}`, code: null };
  const code = link.kind === "code" ? enrolmentFrom(link.code) : null;
  return code && { fragment: "#/start", code };
}
