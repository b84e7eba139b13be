// Describes what the commands that wait for a second arbiter would do. A kind that only a newer hub knows keeps the hub's own text.

import { m } from "$gen/words/messages.js";
import { HeldEffect, type HeldCommand } from "$gen/api/held_pb.js";
import { commandWords } from "./command.js";
import { isolated } from "./isolated.js";

export function heldWords({ effect, board, text, number, name }: HeldCommand): string {
  switch (effect) {
    case HeldEffect.TIME:
      return m.held_time({ board, what: commandWords(text) });
    case HeldEffect.PAIRINGS:
      return m.held_pairings({ n: number });
    case HeldEffect.EVENT:
      return m.held_event({ name: isolated(name) });
    case HeldEffect.DEVICE:
      return m.held_device({ name: isolated(name) });
    case HeldEffect.UNSPECIFIED:
    default:
      return text;
  }
}
