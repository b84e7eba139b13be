// The reason why an answered row accepts no second answer. Pure.

import { m } from "$gen/words/messages.js";
import type { Slip } from "$lib/commands/ledger.svelte.js";

/** Returns the reason. It is empty if the row can be answered: there is no answer yet, or it was refused, lost or undone. */
export function whyAnswered(slip: Pick<Slip, "state" | "draft"> | undefined): string {
  switch (slip?.state) {
    case "sending":
    case "pending":
      return m.sending();
    case "done":
      return slip.draft.back ? m.why_entered() : "";
    case "refused":
    case "withdrawn":
    case "unknown":
    case "late":
    case undefined:
      return "";
  }
}
