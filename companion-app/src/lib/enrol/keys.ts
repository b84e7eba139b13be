// The interface to this device's keys that a session uses. Each shell stores its keys where the page cannot read the private halves: a browser
// in its database (browser-keys.ts), the app on its Rust side (app-keys.ts).
//
// Must never decide when a key is used or forgotten: the session does.

import type { Enrolment } from "./code.js";

/** The public half of a key. */
export interface DeviceKey {
  /** The device's name at its hub. */
  readonly device: string;
  /** The key as `SubjectPublicKeyInfo`: DER in base64. */
  readonly publicKey: string;
}

/** The proof that a device has the private half of its key. It opens a session. */
export interface SessionProof {
  readonly device: string;
  readonly challenge: string;
  /** Base64 of r and s. Absent in the app, whose Rust side adds it. */
  readonly signature?: string;
}

/** The proof that a device has the private half of the key to be enrolled. */
export interface EnrolmentProof {
  readonly challenge: string;
  readonly signature?: string;
}

export interface DeviceKeys {
  /** Returns the key that the page's hub has confirmed; null if there is none. Throws `NotEnrolled` if it cannot be read. */
  enrolled(): Promise<DeviceKey | null>;
  /** Returns the keys that the page's hub was asked to accept and has not confirmed. */
  pendingKeys(): Promise<DeviceKey[]>;
  /** Creates and stores the key for a code. If an earlier attempt made a key, returns that key, with `sent` true if the hub may have it. */
  create(code: Enrolment): Promise<{ key: DeviceKey; sent: boolean }>;
  prove(key: DeviceKey, challenge: string): Promise<SessionProof>;
  proveEnrolment(key: DeviceKey, code: Enrolment, challenge: string): Promise<EnrolmentProof>;
  /** Signs a command: `text`, followed by `message`. Returns r and s in base64. */
  sign(key: DeviceKey, text: string, message: Uint8Array): Promise<string>;
  /** Makes a key the enrolled key, once its hub has confirmed it. Removes the previous key and all other keys for that hub. */
  enrol(key: DeviceKey): Promise<void>;
  forget(key: DeviceKey): Promise<void>;
}

/** Returns the bytes to be signed: `text` in UTF-8, followed by `message`. */
export function signedBytes(text: string, message: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(text);
  const whole = new Uint8Array(head.length + message.length);
  whole.set(head);
  whole.set(message, head.length);
  return whole;
}
