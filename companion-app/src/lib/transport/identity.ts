// The hub's answer about a session: the arbiter, and the session's id. Parsed here for all shells.

import { fromBinary } from "@bufbuild/protobuf";
import { RefusalCode, RefusalSchema, type Refusal } from "$gen/frames/refusal_pb.js";
import { NotEnrolled, Unreachable, type Identity, type Role } from "./transport.js";

export const ROLES: readonly Role[] = ["viewer", "floor", "chief", "broadcaster", "auditor", "player"];

/** The answer to `/session`. */
export interface Session extends Identity {
  /** The session's id; absent for a program with a certificate, which does not sign calls. */
  session?: string;
}

/** Parses an answer. Throws `Unreachable` if it is not the answer of a hub. */
export function parseSession(body: unknown): Session {
  if (typeof body === "object" && body !== null && "name" in body && "role" in body) {
    const role = ROLES.find((known) => known === body.role);
    const session = "session" in body && typeof body.session === "string" ? { session: body.session } : {};
    const sector = "boards" in body && typeof body.boards === "string" ? { boards: body.boards } : {};
    if (typeof body.name === "string" && role) return { name: body.name, role, ...sector, ...session };
  }
  throw new Unreachable("the hub's answer about this session cannot be read");
}

/** The header with the refusal except for its text, in base64, as gRPC sends binary metadata. */
const DETAILS = "flagfall-refusal-bin";

/** Converts an answer in which the hub denies this device to an error. */
export async function notEnrolled(answer: Response): Promise<NotEnrolled> {
  const text = (await answer.text()).trim();
  return new NotEnrolled(text, refusalIn(answer.headers.get(DETAILS), text));
}

function refusalIn(details: string | null, text: string): Refusal | undefined {
  try {
    const refusal = fromBinary(
      RefusalSchema,
      Uint8Array.from(atob(details ?? ""), (one) => one.charCodeAt(0)),
    );
    return refusal.code === RefusalCode.UNSPECIFIED ? undefined : { ...refusal, text };
  } catch {
    return undefined;
  }
}
