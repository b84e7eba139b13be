// The layout of the tiles: their size, the columns, and the visible range. Pure functions.

export interface Layout {
  columns: number;
  /** Height of a tile in pixels. */
  tile: number;
  /** Distance between the tops of two rows, in pixels. */
  row: number;
}

/** The minimum width and the height of each tile size, in pixels. Larger tiles are used if all boards still fit. */
const SIZES: readonly (readonly [number, number])[] = [
  [188, 94],
  [232, 112],
  [290, 134],
];
/** Minimum width of a tile on a phone, so that two columns fit. */
const NARROWEST = 160;
export const GAP = 8;
/** Space around the tiles for the focus ring, in pixels. */
export const EDGE = 3;

/** Returns the layout with the largest tiles that leave all boards visible, or else with the smallest tiles. */
export function layout(count: number, width: number, height: number): Layout {
  let best: Layout | null = null;
  for (const [least, tile] of SIZES) {
    const columns = Math.max(1, Math.floor((width + GAP) / ((width < 480 ? NARROWEST : least) + GAP)));
    const found = { columns, tile, row: tile + GAP };
    if (!best || Math.ceil(count / columns) * found.row <= height) best = found;
  }
  return best ?? { columns: 1, tile: 94, row: 94 + GAP };
}

/** Returns the change of index for an arrow key within a row; `mirrored` is true in right-to-left languages. */
export function ahead(key: "ArrowLeft" | "ArrowRight", mirrored: boolean): 1 | -1 {
  return (key === "ArrowRight") === mirrored ? -1 : 1;
}

/** Returns the rows to render: the visible rows, and up to `above` and `below` more for fast scrolling; `last` is exclusive. */
export function visibleRows(top: number, height: number, row: number, rows: number, above = 0, below = 0): { first: number; last: number } {
  const first = Math.max(0, Math.floor(top / row) - above);
  const last = Math.min(rows, Math.ceil((top + height) / row) + below);
  return { first: Math.min(first, last), last };
}

/** A range of tiles by index; `to` is exclusive. */
export interface Run {
  from: number;
  to: number;
}

/**
 * Returns the range of tiles to render in the next frame, between `now` and `wanted`. Visible tiles are created immediately, but at most
 * `most` spare tiles at each end, because creating a whole row at once would delay the frame.
 */
export function towards(now: Run, wanted: Run, visible: Run, most: number): Run {
  const apart = now.to <= wanted.from || now.from >= wanted.to;
  const { from, to } = apart ? visible : now;
  return {
    from: from > wanted.from ? Math.min(visible.from, Math.max(wanted.from, from - most)) : Math.min(wanted.from, from + most),
    to: to < wanted.to ? Math.max(visible.to, Math.min(wanted.to, to + most)) : Math.max(wanted.to, to - most),
  };
}
