// What an address says of where in the app somebody is. Pure: an address that was mistyped is the hall.

import { enrolmentFrom, type Enrolment } from "$lib/enrol/code.js";
import type { Link } from "$lib/transport/links.js";

/** `start` is enrolment: the address brings a code. */
export type View = "hall" | "board" | "round" | "clocks" | "standings" | "start";
const VIEWS: readonly View[] = ["hall", "board", "round", "clocks", "standings", "start"];

/** View and board of a fragment such as `#/board/17`. */
export function placeIn(fragment: string): { view: View; board: string } {
  const [, view, board = ""] = fragment.split("/");
  try {
    return { view: VIEWS.find((known) => known === view) ?? "hall", board: decodeURIComponent(board) };
  } catch {
    // A percent sign that begins nothing.
    return { view: "hall", board: "" };
  }
}

/** Where a link leads: the fragment of the address, and the code that the first screen offers; null for a link that leads nowhere. */
export function placeOf(link: Link): { fragment: string; code: Enrolment | null } | null {
  if (link.kind === "board") return { fragment: `#/board/${link.board}`, code: null };
  const code = link.kind === "code" ? enrolmentFrom(link.code) : null;
  return code && { fragment: "#/start", code };
}
