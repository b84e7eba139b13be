// The arbiters who may decide on a command that waits for a second arbiter. Used only to hide buttons: the hub checks each decision.

/** Returns true if two names are taken to be one person's, ignoring letter case and extra spaces. */
export function isSamePerson(one: string, other: string): boolean {
  const words = (name: string): string => name.trim().split(/\s+/u).join(" ").toLowerCase();
  return words(one) === words(other);
}

/** Returns true if a sector, in the notation of `flagfall ctl`, covers a board. Only the sector of the whole hall ("") covers the hall itself. */
export function covers(sector: string, board: string): boolean {
  return sector === "" || sector.split(",").some((part) => covered(part.trim(), board));
}

function covered(part: string, board: string): boolean {
  const [, first, last] = /^(\d+)-(\d+)$/u.exec(part) ?? [];
  if (first === undefined || last === undefined) return part === board;
  return /^(0|[1-9]\d*)$/u.test(board) && Number(first) <= Number(board) && Number(board) <= Number(last);
}
