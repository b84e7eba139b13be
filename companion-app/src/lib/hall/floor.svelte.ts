// The floor plan of the hall, which the hub stores for every tablet.
//
// Owns the newest plan and this tablet's draft. Moved boards are shown as a draft until the hub has stored them. Must never draw.

import { create } from "@bufbuild/protobuf";
import { BoardPlaceSchema, type Floor } from "$gen/api/floor_pb.js";
import type { Transport } from "$lib/transport/transport.js";
import { failureWords } from "$lib/words/refusal.js";
import { sleep } from "./follow.js";

/** A position in grid steps, counted from the plan's upper left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}
export type Places = ReadonlyMap<string, Point>;

const AGAIN_MS = 3000;
/** The hub's limit for a coordinate. */
const FARTHEST = 32_767;
const NO_PLACES: Places = new Map();

export class FloorStore {
  /** True once a plan has arrived, or the first attempt to get one has ended. */
  known = $state(false);
  places: Places = $state.raw(NO_PLACES);
  /** The arbiter who last arranged the boards; empty if none did. */
  actor = $state("");
  /** Positions of boards being moved, or not yet stored by the hub. */
  draft: Places = $state.raw(NO_PLACES);
  /** The reason why the last change failed; empty if the hub stored it. */
  refused = $state("");
  #version = 0n;
  #others: Places = NO_PLACES;
  #keeping: Promise<void> | null = null;
  #again = false;
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const plan of this.#transport.watchFloor(signal)) this.#take(plan);
      } catch {
        // The hall store reports an unreachable hub; the plan stays unchanged.
      }
      this.known = true;
      await sleep(AGAIN_MS, signal);
    }
  }

  put(board: string, x: number, y: number): void {
    const step = (value: number): number => Math.min(FARTHEST, Math.max(0, Math.round(value)));
    this.draft = new Map(this.draft).set(board, { x: step(x), y: step(y) });
  }

  /**
   * Sends the draft to the hub. The request also contains the displayed positions of `others`, which are boards without a stored position.
   * One request at a time keeps the order; the next request includes the boards moved in the meantime.
   */
  async keep(others: Places): Promise<void> {
    this.#others = others;
    this.#again = true;
    this.#keeping ??= this.#keepAll().finally(() => {
      this.#keeping = null;
    });
    await this.#keeping;
  }

  async #keepAll(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      const moved = this.draft;
      if (moved.size === 0) return;
      await this.#change(new Map([...this.#others, ...moved]), false);
      // Boards that were moved again in the meantime stay in the draft.
      this.draft = new Map([...this.draft].filter(([board, point]) => moved.get(board) !== point));
    }
  }

  /** Removes all positions, so that the boards are shown in rows again. */
  async clear(): Promise<void> {
    this.draft = NO_PLACES;
    await this.#change(NO_PLACES, true);
  }

  async #change(places: Places, whole: boolean): Promise<void> {
    this.refused = "";
    const wanted = [...places].map(([board, { x, y }]) => create(BoardPlaceSchema, { board, x, y }));
    try {
      const plan = await this.#transport.setFloor(wanted, whole, this.#version);
      // The stream may already have delivered a newer plan.
      if (plan.version > this.#version) this.#take(plan);
    } catch (error) {
      this.refused = failureWords(error);
    }
  }

  #take({ version, places, actor }: Floor): void {
    this.#version = version;
    this.actor = actor;
    this.places = new Map(places.map(({ board, x, y }) => [board, { x, y }]));
    this.known = true;
  }
}
