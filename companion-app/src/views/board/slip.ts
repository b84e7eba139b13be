// The announcement of a command's state for screen readers, without its age. Pure.

import { m } from "$gen/words/messages.js";
import type { Slip } from "$lib/commands/ledger.svelte.js";

/** Returns an empty text where an alert of its own announces the state. */
export function slipSays({ state, wish }: Pick<Slip, "state" | "wish">): string {
  switch (state) {
    case "sending":
      return `${wish.label}. ${m.sending()}`;
    case "pending":
      return m.pending_of({ what: wish.label });
    case "done":
      return wish.label;
    case "withdrawn":
      return `${wish.label}. ${m.withdrawn()}`;
    case "refused":
    case "unknown":
    case "late":
      return "";
  }
}
