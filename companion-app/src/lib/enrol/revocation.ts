// Why this device is no longer enrolled, and what else the device remembers of its enrolment beside its key.
//
// Owns the refusal that a revoked device has heard: it forgets its key with it, so it cannot ask again after the page was closed.

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
      // A private window keeps nothing; the page says it until it is closed.
    }
  },
  forget(): void {
    try {
      localStorage.removeItem(STORE);
    } catch {
      // There is nothing to forget either.
    }
  },
};

/** Asks the browser not to clear the key and the hall when space runs short. It may refuse, and ask the arbiter first. */
export function keepStorage(): void {
  if ("navigator" in globalThis && "storage" in navigator && "persist" in navigator.storage) void navigator.storage.persist().catch(() => false);
}
