// The reason why no request at all is possible. If only a single action is impossible, its button shows the reason.

import { m } from "$gen/words/messages.js";
import type { Identity } from "$lib/transport/transport.js";

/** Returns why this arbiter cannot act now; empty if they can. */
export function whyNot({ offline, me }: { readonly offline: boolean; readonly me: Identity | null }): string {
  if (offline) return m.why_offline();
  return readsOnly(me) ? m.why_viewer() : "";
}

export function readsOnly(me: Identity | null): boolean {
  return me !== null && me.role !== "floor" && me.role !== "chief";
}
