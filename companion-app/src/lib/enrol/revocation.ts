// The stored reason why this device was revoked, and the request for persistent storage.
//
// A revoked device forgets its key, so after a reload it can no longer ask the hub for the reason.

import { fromJsonString, toJsonString } from "@bufbuild/protobuf";
import { RefusalSchema, type Refusal } from "$gen/frames/refusal_pb.js";

const STORE = "flagfall.revoked";

export const revocation = {
  read(): Refusal | null {
    try {
      const kept = localStorage.getItem(STORE);
      return kept === null ? null : fromJsonString(RefusalSchema, kept, { ignoreUnknownFields: true });
    } catch {
      return null;
    }
  },
  keep(refusal: Refusal): void {
    try {
      localStorage.setItem(STORE, toJsonString(RefusalSchema, refusal));
    } catch {
      // Without storage, the reason is lost.
    }
  },
  forget(): void {
    try {
      localStorage.removeItem(STORE);
    } catch {
      // Without storage there is nothing to remove.
    }
  },
};

/** Asks the browser not to evict the stored key and hall when space runs short. The browser may refuse, or ask the arbiter. */
export function keepStorage(): void {
  if ("navigator" in globalThis && "storage" in navigator && "persist" in navigator.storage) void navigator.storage.persist().catch(() => false);
}
