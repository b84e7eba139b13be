// The reason why no request is possible at all. The reason for a single action belongs to its button.

import { m } from "$gen/words/messages.js";
import type { Identity } from "$lib/transport/transport.js";

/** Returns why this arbiter may not act now; empty if they may. */
export function whyNot({ offline, me }: { readonly offline: boolean; readonly me: Identity | null }): string {
  if (offline) return m.why_offline();
  return readsOnly(me) ? m.why_viewer() : "";
}

/** Returns whether this device only reads: it belongs to no arbiter. */
export function readsOnly(me: Identity | null): boolean {
  return me !== null && me.role !== "floor" && me.role !== "chief";
}
