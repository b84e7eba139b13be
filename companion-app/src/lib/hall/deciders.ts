// The arbiters who may decide about a command that waits for a second arbiter. Only hides buttons: the hub checks each decision.

/** Returns whether two names are one person's: letter case and spaces make no other arbiter. */
export function isSamePerson(one: string, other: string): boolean {
  const words = (name: string): string => name.trim().split(/\s+/u).join(" ").toLowerCase();
  return words(one) === words(other);
}

/** Returns whether a sector, as `flagfall ctl` writes boards, covers a board; only the whole hall ("") covers the hall itself. */
export function covers(sector: string, board: string): boolean {
  return sector === "" || sector.split(",").some((part) => covered(part.trim(), board));
}

function covered(part: string, board: string): boolean {
  const [, first, last] = /^(\d+)-(\d+)$/u.exec(part) ?? [];
  if (first === undefined || last === undefined) return part === board;
  return /^(0|[1-9]\d*)$/u.test(board) && Number(first) <= Number(board) && Number(board) <= Number(last);
}
