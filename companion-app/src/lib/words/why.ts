// Why nothing can be asked of the hub at all, in words; what is said of a single command is its button's own.

import { m } from "$gen/words/messages.js";
import type { Identity } from "$lib/transport/transport.js";

/** Empty where this arbiter may act now. */
export function whyNot({ offline, me }: { readonly offline: boolean; readonly me: Identity | null }): string {
  if (offline) return m.why_offline();
  return me?.role === "viewer" ? m.why_viewer() : "";
}
