// What an address says of where in the app somebody is. Pure: an address that was mistyped is the hall.

/** `start` is enrolment: the address brings a code. `sound` is the question after it. */
export type View = "hall" | "board" | "round" | "clocks" | "standings" | "start" | "sound";
const VIEWS: readonly View[] = ["hall", "board", "round", "clocks", "standings", "start", "sound"];

/** View and board of a fragment such as `#/board/17`; of `#/board/17/round/3` also the round whose game is meant, else 0. */
export function placeIn(fragment: string): { view: View; board: string; round: number } {
  const [, view, board = "", part, no = ""] = fragment.split("/");
  const round = part === "round" && /^\d{1,5}$/.test(no) ? Number(no) : 0;
  try {
    return { view: VIEWS.find((known) => known === view) ?? "hall", board: decodeURIComponent(board), round };
  } catch {
    // A percent sign that begins nothing.
    return { view: "hall", board: "", round: 0 };
  }
}
