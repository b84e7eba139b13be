// The layout of the floor plan: placed boards first, then all others in rows by sector. Pure functions.

import type { BoardState } from "$lib/hall/board.js";
import type { Places } from "$lib/hall/floor.svelte.js";
import type { Sector } from "./find.js";

export interface Spot {
  board: string;
  x: number;
  y: number;
}
export interface Plan {
  spots: Spot[];
  labels: { text: string; x: number; y: number }[];
  width: number;
  height: number;
}

/** Returns true if a board's state can change without an update from the hub: a disconnected clock counts as silent after some time. */
export function ages(board: BoardState): boolean {
  return !board.online && board.phase !== "over";
}

/** Size of a grid step of the hub's plan, in pixels. It is fixed, so that the plan looks the same on every tablet. */
export const STEP = 8;
const EDGE = 24;
const STEP_X = 80;
const STEP_Y = 64;
const SPOT = { width: 72, height: 58 };
const LABEL = 24;

/** Returns the positions of all boards: placed boards at their places, and all other boards in rows below. */
export function planOf(boards: string[], sectors: Sector[], width: number, places: Places): Plan {
  const placed: Spot[] = [];
  const rest: string[] = [];
  for (const board of boards) {
    const point = places.get(board);
    if (point) placed.push({ board, x: point.x * STEP, y: point.y * STEP });
    else rest.push(board);
  }
  const below = lowest([...places.values()].map((point) => point.y * STEP));
  const left = rows(rest, sectors, width, below);
  const spots = [...placed, ...left.spots];
  return {
    spots,
    labels: [...labelsOf(placed, sectors), ...left.labels],
    width: Math.max(left.width, ...spots.map((spot) => spot.x + SPOT.width + EDGE)),
    height: Math.max(left.height, ...spots.map((spot) => spot.y + SPOT.height + EDGE)),
  };
}

/** Returns the vertical position at which rows can start without overlapping placed boards. */
function lowest(tops: number[]): number {
  return tops.length === 0 ? EDGE : tops.reduce((most, top) => Math.max(most, top), 0) + STEP_Y + EDGE;
}

function labelsOf(spots: Spot[], sectors: Sector[]): Plan["labels"] {
  return sectors.flatMap((sector) => {
    const own = spots.filter(({ board }) => isIn(board, sector));
    const least = (of: (spot: Spot) => number): number => own.reduce((least, spot) => Math.min(least, of(spot)), Infinity);
    return own.length === 0 ? [] : [{ text: sector.name, x: least((spot) => spot.x), y: Math.max(0, least((spot) => spot.y) - LABEL) }];
  });
}

/** Returns the positions of boards in rows of the screen's width, from `top` downwards, in blocks by sector. */
export function rows(boards: string[], sectors: Sector[], width: number, top = EDGE): Plan {
  const across = Math.max(1, Math.floor((width - EDGE) / STEP_X));
  const blocks = sectors
    .map((sector) => ({ text: sector.name, boards: boards.filter((board) => isIn(board, sector)) }))
    .filter((block) => block.boards.length > 0);
  const placed = new Set(blocks.flatMap((block) => block.boards));
  const left = boards.filter((board) => !placed.has(board));
  if (left.length > 0) blocks.push({ text: "", boards: left });
  const plan: Plan = { spots: [], labels: [], width, height: top };
  for (const block of blocks) {
    if (block.text) {
      plan.labels.push({ text: block.text, x: EDGE, y: plan.height });
      plan.height += LABEL;
    }
    block.boards.forEach((board, at) => {
      plan.spots.push({ board, x: EDGE + (at % across) * STEP_X, y: plan.height + Math.floor(at / across) * STEP_Y });
    });
    plan.height += Math.ceil(block.boards.length / across) * STEP_Y + EDGE;
  }
  return plan;
}

function isIn(board: string, sector: Sector): boolean {
  return Number(board) >= sector.from && Number(board) <= sector.to;
}
