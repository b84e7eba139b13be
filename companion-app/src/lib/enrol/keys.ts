// This device's keys, as a session uses them. Each shell stores them where the page cannot read the private halves: a browser in its
// database (browser-keys.ts), the app on its Rust side (app-keys.ts).
//
// Must never decide when a key is used or forgotten: the session does.

import type { Enrolment } from "./code.js";

/** The public half of a key. */
export interface DeviceKey {
  /** The device's name at its hub. */
  readonly device: string;
  /** `SubjectPublicKeyInfo`, DER in base64. */
  readonly publicKey: string;
}

/** The proof that opens a session. */
export interface SessionProof {
  readonly device: string;
  readonly challenge: string;
  /** Base64 of r and s. */
  readonly signature?: string;
}

/** The proof that a device has the private half of the key that it enrols. */
export interface EnrolmentProof {
  readonly challenge: string;
  /** Base64 of r and s. */
  readonly signature?: string;
}

export interface DeviceKeys {
  /** Returns the key that the page's hub has confirmed; null if there is none. Throws `NotEnrolled` if it cannot be read. */
  enrolled(): Promise<DeviceKey | null>;
  /** Returns the keys sent to the page's hub that it has not confirmed. */
  asked(): Promise<DeviceKey[]>;
  /** Creates and stores the key for a code. If an earlier attempt may have `sent` one, that key is returned. */
  create(code: Enrolment): Promise<{ key: DeviceKey; sent: boolean }>;
  /** Returns the proof for a hub's challenge. The app's Rust side adds the signature only when it sends the proof. */
  prove(key: DeviceKey, challenge: string): Promise<SessionProof>;
  /** Returns the proof with which a key enrols by a code. The app's Rust side adds the signature only when it sends the proof. */
  proveEnrolment(key: DeviceKey, code: Enrolment, challenge: string): Promise<EnrolmentProof>;
  /** Signs a command, a text and the bytes after it; returns base64 of r and s. */
  sign(key: DeviceKey, text: string, message: Uint8Array): Promise<string>;
  /** Makes a key that its hub has confirmed this device's key, and removes the previous one and the other keys for that hub. */
  enrol(key: DeviceKey): Promise<void>;
  /** Removes a key. */
  forget(key: DeviceKey): Promise<void>;
}

/** Joins a text and bytes into what is signed. */
export function signedBytes(text: string, message: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(text);
  const whole = new Uint8Array(head.length + message.length);
  whole.set(head);
  whole.set(message, head.length);
  return whole;
}
