import { m } from "$gen/words/messages.js";
import { Bye } from "$gen/frames/event_pb.js";

export function byeWord(bye: Bye): string {
  switch (bye) {
    case Bye.UNSPECIFIED:
      return m.bye_none();
    case Bye.FULL:
      return m.bye_full();
    case Bye.HALF:
      return m.bye_half();
    case Bye.ZERO:
      return m.bye_zero();
    case Bye.PAIRING_ALLOCATED:
      return m.bye_pairing();
  }
}
