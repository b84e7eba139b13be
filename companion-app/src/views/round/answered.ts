import { m } from "$gen/words/messages.js";
import type { Slip } from "$lib/commands/ledger.svelte.js";

/** Returns the reason why a row accepts no answer: its last answer is under way, or is done and has an undo. Otherwise empty. */
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
