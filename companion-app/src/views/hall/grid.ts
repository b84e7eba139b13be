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
/** Room round the tiles for the ring of what has the focus. */
export const EDGE = 3;

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

/** By how many places an arrow key moves along a row; `mirrored` where lines begin at the right. */
export function ahead(key: "ArrowLeft" | "ArrowRight", mirrored: boolean): 1 | -1 {
  return (key === "ArrowRight") === mirrored ? -1 : 1;
}

/** Rows to be drawn: those in sight and some above and below, so that a flick finds them there. */
export function rowsInSight(top: number, height: number, row: number, rows: number, above = 0, below = 0): { first: number; last: number } {
  const first = Math.max(0, Math.floor(top / row) - above);
  const last = Math.min(rows, Math.ceil((top + height) / row) + below);
  return { first: Math.min(first, last), last };
}

/** Tiles that exist: a run of the list, which follows what is wanted a little in each frame. */
export interface Run {
  from: number;
  to: number;
}

/**
 * The next run on the way to the wanted one. What is in sight is there at once; what is spare comes and goes by `most` tiles in a
 * frame, because a whole row made at once is a frame too late.
 */
export function towards(now: Run, wanted: Run, sight: Run, most: number): Run {
  const apart = now.to <= wanted.from || now.from >= wanted.to;
  const { from, to } = apart ? sight : now;
  return {
    from: from > wanted.from ? Math.min(sight.from, Math.max(wanted.from, from - most)) : Math.min(wanted.from, from + most),
    to: to < wanted.to ? Math.max(sight.to, Math.min(wanted.to, to + most)) : Math.max(wanted.to, to - most),
  };
}
