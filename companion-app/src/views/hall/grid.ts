// Where the tiles of a hall stand: how wide they are, how many in a row, and which of them can be seen. Pure.

export interface Layout {
  columns: number;
  /** Height of a tile, pixels. */
  tile: number;
  /** From one row to the next. */
  row: number;
}

/** Width from which a tile of this size is one, and its height: small for a full hall, larger when all boards fit anyway. */
const SIZES: readonly (readonly [number, number])[] = [
  [188, 94],
  [232, 112],
  [290, 134],
];
/** Two columns on a phone. */
const NARROWEST = 160;
export const GAP = 8;

/** The largest size at which all boards are seen at once; the smallest if none does. */
export function layout(count: number, width: number, height: number): Layout {
  let best: Layout | null = null;
  for (const [least, tile] of SIZES) {
    const columns = Math.max(1, Math.floor((width + GAP) / ((width < 480 ? NARROWEST : least) + GAP)));
    const found = { columns, tile, row: tile + GAP };
    if (!best || Math.ceil(count / columns) * found.row <= height) best = found;
  }
  return best ?? { columns: 1, tile: 94, row: 94 + GAP };
}

/** Rows to be drawn: those in sight and some above and below, so that a flick finds them there. */
export function rowsInSight(top: number, height: number, row: number, rows: number, spare = 2): { first: number; last: number } {
  const first = Math.max(0, Math.floor(top / row) - spare);
  const last = Math.min(rows, Math.ceil((top + height) / row) + spare);
  return { first: Math.min(first, last), last };
}
