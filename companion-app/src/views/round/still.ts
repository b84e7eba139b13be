// Rows that keep their place while someone may be about to tap one. Pure.

/**
 * Returns the rows to show. Answered rows keep their place while they `stay`, new ones come last, and none comes or goes while the list
 * is `held`.
 */
export function still<T extends { board: string }>(before: readonly T[], now: readonly T[], stays: (board: string) => boolean, held: boolean): T[] {
  const fresh = new Map(now.map((one) => [one.board, one]));
  const kept = before.flatMap((one) => {
    const row = fresh.get(one.board) ?? (held || stays(one.board) ? one : null);
    return row ? [row] : [];
  });
  if (held && kept.length > 0) return kept;
  const known = new Set(kept.map((one) => one.board));
  return [...kept, ...now.filter((one) => !known.has(one.board))];
}
