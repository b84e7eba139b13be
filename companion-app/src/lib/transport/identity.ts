// Parses the hub's responses about a session for all shells: the person, their role and the session's id, or the refusal.

import { fromBinary } from "@bufbuild/protobuf";
import { RefusalCode, RefusalSchema, type Refusal } from "$gen/frames/refusal_pb.js";
import { NotEnrolled, Unreachable, type Identity, type Role } from "./transport.js";

export const ROLES: readonly Role[] = ["viewer", "floor", "chief", "broadcaster", "auditor", "player"];

/** The content of the hub's response to `/session`, to a renewal or to an enrolment. */
export interface Session extends Identity {
  /** The session's id; absent for a program that authenticates with a certificate, because such a program does not sign calls. */
  session?: string;
}

/** Parses the body of a response. Throws `Unreachable` if the body names no person or no known role. */
export function parseSession(body: unknown): Session {
  if (typeof body === "object" && body !== null && "name" in body && "role" in body) {
    const role = ROLES.find((known) => known === body.role);
    const session = "session" in body && typeof body.session === "string" ? { session: body.session } : {};
    const sector = "boards" in body && typeof body.boards === "string" ? { boards: body.boards } : {};
    if (typeof body.name === "string" && role) return { name: body.name, role, ...sector, ...session };
  }
  throw new Unreachable("the hub's response about this session cannot be read");
}

/** The response header that holds a refusal without its text, in base64 like gRPC's binary metadata. */
const DETAILS = "flagfall-refusal-bin";

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
