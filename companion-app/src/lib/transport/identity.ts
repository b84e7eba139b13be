// What the hub says of a session: who acts, and which session it is. The one place that reads it, for every shell.

import { Unreachable, type Identity, type Role } from "./transport.js";

const ROLES: readonly Role[] = ["viewer", "floor", "chief"];

/** What `/session` says. */
export interface Who extends Identity {
  /** Absent for a program with a certificate, which signs nothing. */
  session?: string;
}

/** Throws `Unreachable` for what no hub would say. */
export function whoIs(body: unknown): Who {
  if (typeof body === "object" && body !== null && "name" in body && "role" in body) {
    const role = ROLES.find((known) => known === body.role);
    const session = "session" in body && typeof body.session === "string" ? { session: body.session } : {};
    if (typeof body.name === "string" && role) return { name: body.name, role, ...session };
  }
  throw new Unreachable("the hub's answer about this session cannot be read");
}
