// Announces a command's state to screen readers, without its age. Pure.

import { m } from "$gen/words/messages.js";
import type { Slip } from "$lib/commands/ledger.svelte.js";

/** Returns the announcement of a slip; empty if an alert announces the state. */
export function slipSays({ state, draft }: Pick<Slip, "state" | "draft">): string {
  switch (state) {
    case "sending":
      return `${draft.label}. ${m.sending()}`;
    case "pending":
      return m.pending_of({ what: draft.label });
    case "done":
      return draft.label;
    case "withdrawn":
      return `${draft.label}. ${m.withdrawn()}`;
    case "refused":
    case "unknown":
    case "late":
      return "";
  }
}
