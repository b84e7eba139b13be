// The calls of a player of Time Chess: what the player's side may see, and the player's actions.

import type { ActRefusal, PlayerUpdate } from "$gen/api/player_pb.js";
import type { PlayerActKind } from "$gen/frames/time_chess_pb.js";

export interface PlayerCalls {
  /** Yields the player's view now and after each change. Calls `opened` once the hub has begun to answer. */
  watch(signal: AbortSignal, opened: () => void): AsyncIterable<PlayerUpdate>;
  /** Sends an action. Repeating it with the same id is harmless. Returns why the action has no effect, or `UNSPECIFIED` if it took effect. */
  act(id: Uint8Array, kind: PlayerActKind, move?: string): Promise<ActRefusal>;
}
