// Enrolment of this device, by the seam that README.md describes: a key pair that never leaves the device, and the hub's answer.
//
// Must never show or store a private key: the browser makes it non-extractable and keeps it in its own database.

import type { Enrolment } from "./code.js";
import { keepKey } from "./keys.js";

const PATH = "/session/enrol";

/** Enrols this device. Throws with the hub's sentence. */
export async function enrol({ authority, token }: Enrolment, name: string): Promise<void> {
  const key = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"]);
  const spki = new Uint8Array(await crypto.subtle.exportKey("spki", key.publicKey));
  const answer = await fetch(PATH, {
    method: "POST",
    credentials: "same-origin",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ authority, token, name, public_key: base64(spki) }),
  });
  if (!answer.ok) throw new Error((await answer.text()) || `HTTP ${answer.status}`);
  await keepKey(key);
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
