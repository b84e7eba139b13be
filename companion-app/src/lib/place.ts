// What an address says of where in the app somebody is. Pure: an address that was mistyped is the hall.

import { enrolmentFrom, type Enrolment } from "$lib/enrol/code.js";
import type { Link } from "$lib/transport/links.js";

/** `start` is enrolment: the address brings a code. `sound` is the question after it. */
export type View = "hall" | "board" | "round" | "clocks" | "standings" | "start" | "sound";
const VIEWS: readonly View[] = ["hall", "board", "round", "clocks", "standings", "start", "sound"];

export interface Place {
  view: View;
  board: string;
  /** The round of the game that is meant, as in `#/board/17/round/3`; 0 if the address names none. */
  round: number;
  /** In the hall: the boards to show; empty for all of them. */
  only: readonly string[];
}

/** Precedes the names of the only boards that the hall is to show. */
const ONLY = "only";

/** The place of a fragment such as `#/board/17` or `#/hall/only/3,4`. */
export function placeIn(fragment: string): Place {
  const [, view, what = "", part = "", no = ""] = fragment.split("/");
  try {
    const known = VIEWS.find((one) => one === view) ?? "hall";
    const only = known === "hall" && what === ONLY ? part.split(",").map(decodeURIComponent).filter((board) => board !== "") : [];
    const round = part === "round" && /^\d{1,5}$/.test(no) ? Number(no) : 0;
    return { view: known, board: only.length > 0 ? "" : decodeURIComponent(what), round, only };
  } catch {
    // A percent sign that begins nothing.
    return { view: "hall", board: "", round: 0, only: [] };
  }
}

/** The address of what calls on these boards: of one, its own; of several, the hall with these alone. */
export function placeOf(boards: readonly string[]): string {
  const [one] = boards;
  if (one === undefined) return "#/hall";
  return boards.length === 1 ? `#/board/${encodeURIComponent(one)}` : `#/hall/${ONLY}/${boards.map(encodeURIComponent).join(",")}`;
}

/** Where a link leads: the fragment of the address, and the code that the first screen offers; null for a link that leads nowhere. */
export function placeOfLink(link: Link): { fragment: string; code: Enrolment | null } | null {
  if (link.kind === "board") return { fragment: `#/board/${link.board}`, code: null };
  const code = link.kind === "code" ? enrolmentFrom(link.code) : null;
  return code && { fragment: "#/start", code };
}
