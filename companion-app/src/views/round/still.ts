// Keeps rows in place while someone may be about to tap one. Pure functions.

/**
 * Returns the rows to show. Answered rows keep their place as long as `stays` is true for them, and new rows come last. While a list with rows
 * is `held`, rows neither appear nor disappear.
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
