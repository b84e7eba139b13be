// Where boards stand on the floor: in rows by sector until somebody arranges them. Kept on the device, by event.

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

const EDGE = 24;
const STEP_X = 88;
const STEP_Y = 66;
const SPOT = { width: 72, height: 58 };
const LABEL = 24;
/** Places snap to this, so that rows are rows. */
const SNAP = 8;

export class Floor {
  readonly #event: () => string;
  #moved: Record<string, [number, number]> = $state.raw({});

  /** @param event by which the arrangement is kept */
  constructor(event: () => string) {
    this.#event = event;
    this.#moved = read(this.#key());
  }

  plan(boards: string[], sectors: Sector[], width: number): Plan {
    const plan = rows(boards, sectors, width);
    const spots = plan.spots.map((spot) => {
      const [x, y] = this.#moved[spot.board] ?? [spot.x, spot.y];
      return { board: spot.board, x, y };
    });
    return {
      spots,
      labels: Object.keys(this.#moved).length > 0 ? [] : plan.labels,
      width: Math.max(plan.width, ...spots.map((spot) => spot.x + SPOT.width + EDGE)),
      height: Math.max(plan.height, ...spots.map((spot) => spot.y + SPOT.height + EDGE)),
    };
  }

  put(board: string, x: number, y: number): void {
    const snap = (value: number): number => Math.max(0, Math.round(value / SNAP) * SNAP);
    this.#moved = { ...this.#moved, [board]: [snap(x), snap(y)] };
    keep(this.#key(), this.#moved);
  }

  reset(): void {
    this.#moved = {};
    keep(this.#key(), this.#moved);
  }

  #key(): string {
    return `flagfall.floor.${this.#event()}`;
  }
}

/** Rows as wide as the screen, a block for each sector. */
export function rows(boards: string[], sectors: Sector[], width: number): Plan {
  const across = Math.max(1, Math.floor((width - EDGE) / STEP_X));
  const blocks = sectors.map((sector) => ({
    text: sector.name,
    boards: boards.filter((board) => Number(board) >= sector.from && Number(board) <= sector.to),
  }));
  const placed = new Set(blocks.flatMap((block) => block.boards));
  const left = boards.filter((board) => !placed.has(board));
  if (left.length > 0) blocks.push({ text: "", boards: left });
  const plan: Plan = { spots: [], labels: [], width, height: EDGE };
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

function read(key: string): Record<string, [number, number]> {
  const moved: Record<string, [number, number]> = {};
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "{}");
    if (typeof kept !== "object" || kept === null) return moved;
    for (const [board, at] of Object.entries(kept)) {
      if (Array.isArray(at) && typeof at[0] === "number" && typeof at[1] === "number") moved[board] = [at[0], at[1]];
    }
  } catch {
    // What cannot be read is as if nothing had been kept.
  }
  return moved;
}

function keep(key: string, moved: Record<string, [number, number]>): void {
  try {
    localStorage.setItem(key, JSON.stringify(moved));
  } catch {
    // A private window keeps nothing; the arrangement holds until it is closed.
  }
}
