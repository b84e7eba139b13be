// Where boards stand in the hall, as the hub keeps it for every tablet.
//
// Owns the newest plan and what this tablet is just changing of it: a draft, which is shown as one until the hub has it. Must never draw.

import { create } from "@bufbuild/protobuf";
import { BoardPlaceSchema, type Floor } from "$gen/api/arbiter_pb.js";
import type { Transport } from "$lib/transport/transport.js";
import { failureWords } from "$lib/words/refusal.js";
import { sleep } from "./follow.js";

/** In the plan's steps from its upper left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}
export type Places = ReadonlyMap<string, Point>;

const AGAIN_MS = 3000;
/** The hub's bound. */
const FARTHEST = 32_767;
const NOBODY: Places = new Map();

export class FloorStore {
  /** The hub has said where boards stand, or cannot be asked. */
  known = $state(false);
  places: Places = $state.raw(NOBODY);
  /** Who arranged them last; empty: nobody. */
  actor = $state("");
  /** Boards that are being moved, or that are on their way to the hub. */
  draft: Places = $state.raw(NOBODY);
  /** Why the hub has not done what was asked last. */
  refused = $state("");
  #version = 0n;
  #others: Places = NOBODY;
  #keeping: Promise<void> | null = null;
  #again = false;
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Follows the plan until `signal` ends it. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const plan of this.#transport.watchFloor(signal)) this.#take(plan);
      } catch {
        // Whether the hub is away is the hall's to say; the plan stays as it was.
      }
      this.known = true;
      await sleep(AGAIN_MS, signal);
    }
  }

  /** Moves a board, here alone. */
  put(board: string, x: number, y: number): void {
    const step = (value: number): number => Math.min(FARTHEST, Math.max(0, Math.round(value)));
    this.draft = new Map(this.draft).set(board, { x: step(x), y: step(y) });
  }

  /**
   * Has the hub keep what was moved; `others` are boards that have no place yet and stay where they are seen. One change at a time, so
   * that none overtakes another: what is moved meanwhile goes with the next.
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
      // What was moved once more meanwhile is still to be kept.
      this.draft = new Map([...this.draft].filter(([board, point]) => moved.get(board) !== point));
    }
  }

  /** Nobody has arranged the hall any more. */
  async clear(): Promise<void> {
    this.draft = NOBODY;
    await this.#change(NOBODY, true);
  }

  async #change(places: Places, whole: boolean): Promise<void> {
    this.refused = "";
    const wanted = [...places].map(([board, { x, y }]) => create(BoardPlaceSchema, { board, x, y }));
    try {
      const plan = await this.#transport.setFloor(wanted, whole, this.#version);
      // A newer one may have come by the other way.
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
