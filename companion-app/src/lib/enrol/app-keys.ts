// This device's keys in the app. The app's Rust side creates, stores and uses them (src-tauri/src/shell/stored.rs). Only the public halves
// reach the page.

import { invoke } from "@tauri-apps/api/core";
import { NotEnrolled } from "$lib/transport/transport.js";
import { codeText, type Enrolment } from "./code.js";
import { signedBytes, type DeviceKey, type DeviceKeys, type EnrolmentProof, type SessionProof } from "./keys.js";

interface StoredKeys {
  enrolled: DeviceKey | null;
  pending: DeviceKey[];
}

export class AppKeys implements DeviceKeys {
  /** The enrolled key, once it has been read; the app has only one page, so no other page changes it. */
  #enrolled: DeviceKey | null = null;

  async enrolled(): Promise<DeviceKey | null> {
    this.#enrolled ??= (await this.#stored()).enrolled;
    return this.#enrolled;
  }

  async pendingKeys(): Promise<DeviceKey[]> {
    return (await this.#stored()).pending;
  }

  create(code: Enrolment): Promise<{ key: DeviceKey; sent: boolean }> {
    return invoked("key_create", { code: codeText(code) });
  }

  prove({ device }: DeviceKey, challenge: string): Promise<SessionProof> {
    return Promise.resolve({ device, challenge });
  }

  proveEnrolment(_key: DeviceKey, _code: Enrolment, challenge: string): Promise<EnrolmentProof> {
    return Promise.resolve({ challenge });
  }

  sign({ device }: DeviceKey, text: string, message: Uint8Array): Promise<string> {
    return invoked("key_sign", signedBytes(text, message), { "flagfall-device": device });
  }

  async enrol(key: DeviceKey): Promise<void> {
    await invoked("key_enrol", { device: key.device });
    this.#enrolled = key;
  }

  async forget({ device }: DeviceKey): Promise<void> {
    if (this.#enrolled?.device === device) this.#enrolled = null;
    await invoked("key_forget", { device });
  }

  async #stored(): Promise<StoredKeys> {
    try {
      return await invoked("keys_read", {});
    } catch (error) {
      // The key may still exist, for example if the arbiter has not unlocked the key store.
      throw new NotEnrolled(error instanceof Error ? error.message : "");
    }
  }
}

/** Invokes a command of the Rust side. Converts its errors, which are strings, to `Error`. */
async function invoked<T>(command: string, args: Record<string, string> | Uint8Array, headers?: Record<string, string>): Promise<T> {
  try {
    return await (headers ? invoke<T>(command, args, { headers }) : invoke<T>(command, args));
  } catch (error) {
    throw error instanceof Error ? error : new Error(String(error));
  }
}
