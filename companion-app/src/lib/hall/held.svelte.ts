// The commands that wait for a second arbiter.
//
// Owns the newest list. Must never decide whether a command is carried out: the hub does, after a second arbiter has confirmed.

import type { HeldCommand } from "$gen/api/held_pb.js";
import type { Transport } from "$lib/transport/transport.js";
import { sleep } from "./follow.js";

const AGAIN_MS = 3000;

export class HeldStore {
  /** The held commands, oldest first. */
  commands: readonly HeldCommand[] = $state.raw([]);
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const { commands } of this.#transport.watchHeld(signal)) this.commands = commands;
      } catch {
        // The hall store reports an unreachable hub; a hub of an older version has no such list.
      }
      await sleep(AGAIN_MS, signal);
    }
  }
}
