// The calls of a player of Time Chess: what the device's side may see, and the player's acts.

import type { ActRefusal, PlayerUpdate } from "$gen/api/player_pb.js";
import type { PlayerActKind } from "$gen/frames/time_chess_pb.js";

export interface PlayerCalls {
  /** Yields the player's view: now, and after each change. `opened` is called once the hub has begun to answer. */
  watch(signal: AbortSignal, opened: () => void): AsyncIterable<PlayerUpdate>;
  /** Sends an act. An act that is sent again with its id counts once. Returns why it has no effect; unspecified if it counts. */
  act(id: Uint8Array, kind: PlayerActKind, move?: string): Promise<ActRefusal>;
}
