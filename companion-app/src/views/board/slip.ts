// What a screen reader is told of a command: that its state is another one, never how many seconds have passed. Pure.

import { m } from "$gen/words/messages.js";
import type { Slip } from "$lib/commands/ledger.svelte.js";

/** What is refused, or not known, is an alert of its own. */
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
