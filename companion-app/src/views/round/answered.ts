// Why a row that has just been answered takes no other answer. Pure.

import { m } from "$gen/words/messages.js";
import type { Slip } from "$lib/commands/ledger.svelte.js";

/** Empty where it may be answered: nothing was, or what was is refused, not known, or taken back. */
export function whyAnswered(slip: Pick<Slip, "state" | "wish"> | undefined): string {
  switch (slip?.state) {
    case "sending":
    case "pending":
      return m.sending();
    case "done":
      return slip.wish.back ? m.why_entered() : "";
    case "refused":
    case "withdrawn":
    case "unknown":
    case "late":
    case undefined:
      return "";
  }
}
