// This device's keys in a browser: non-exportable P-256 keys in a database. The database belongs to the page's origin, and so to one hub address.

import { NotEnrolled } from "$lib/transport/transport.js";
import type { Enrolment } from "./code.js";
import { signedBytes, type DeviceKey, type DeviceKeys, type EnrolmentProof, type SessionProof } from "./keys.js";

export interface PairStore {
  read(name: string): Promise<CryptoKeyPair | null>;
  keep(name: string, pair: CryptoKeyPair): Promise<void>;
  forget(name: string): Promise<void>;
  names(): Promise<string[]>;
}

const CURVE = { name: "ECDSA", namedCurve: "P-256" } as const;
const SIGNING = { name: "ECDSA", hash: "SHA-256" } as const;
/** The name of the key that the hub has confirmed. */
const ENROLLED = "device";
/** The name under which an earlier version stored an unconfirmed key, without the code. */
const OLD_ASKED = "new";
/** The prefix of the names of unconfirmed keys. The code's authority and a digest of its token follow. */
const ASKED = "asked/";

export class BrowserKeys implements DeviceKeys {
  readonly #store: PairStore;
  /** The pairs of the keys returned so far, by device. A key stays usable even if another window removes it from the database. */
  readonly #pairs = new Map<string, CryptoKeyPair>();

  constructor(store: PairStore) {
    this.#store = store;
  }

  enrolled(): Promise<DeviceKey | null> {
    return readable(this.#read(ENROLLED));
  }

  async pendingKeys(): Promise<DeviceKey[]> {
    const names = await readable(this.#pendingNames());
    const keys = await Promise.all(names.map((name) => this.#read(name)));
    return keys.filter((key) => key !== null);
  }

  async create(code: Enrolment): Promise<{ key: DeviceKey; sent: boolean }> {
    const name = await nameOf(code);
    const earlier = await this.#read(name);
    if (earlier) return { key: earlier, sent: true };
    const old = await this.#store.read(OLD_ASKED);
    const pair = old ?? (await crypto.subtle.generateKey(CURVE, false, ["sign", "verify"]));
    await this.#store.keep(name, pair);
    if (old) await this.#store.forget(OLD_ASKED);
    return { key: await this.#known(pair), sent: old !== null };
  }

  async prove(key: DeviceKey, challenge: string): Promise<SessionProof> {
    return { device: key.device, challenge, signature: await this.sign(key, `flagfall-session-v1\n${challenge}`, new Uint8Array()) };
  }

  async proveEnrolment(key: DeviceKey, { authority, token }: Enrolment, challenge: string): Promise<EnrolmentProof> {
    return { challenge, signature: await this.sign(key, `flagfall-enrol-v1\n${authority}\n${token}\n${challenge}`, new Uint8Array()) };
  }

  async sign({ device }: DeviceKey, text: string, message: Uint8Array): Promise<string> {
    return base64(new Uint8Array(await crypto.subtle.sign(SIGNING, this.#pair(device).privateKey, signedBytes(text, message))));
  }

  async enrol({ device }: DeviceKey): Promise<void> {
    await this.#store.keep(ENROLLED, this.#pair(device));
    // Every key of this origin is for the same hub, so all unconfirmed keys are removed.
    for (const name of await this.#pendingNames()) await this.#store.forget(name);
  }

  async forget({ device }: DeviceKey): Promise<void> {
    for (const name of [ENROLLED, ...(await this.#pendingNames())]) {
      if ((await this.#read(name))?.device === device) await this.#store.forget(name);
    }
  }

  async #pendingNames(): Promise<string[]> {
    return (await this.#store.names()).filter((name) => name === OLD_ASKED || name.startsWith(ASKED));
  }

  async #read(name: string): Promise<DeviceKey | null> {
    const pair = await this.#store.read(name);
    return pair && this.#known(pair);
  }

  async #known(pair: CryptoKeyPair): Promise<DeviceKey> {
    const spki = new Uint8Array(await crypto.subtle.exportKey("spki", pair.publicKey));
    const device = `d-${(await digest(spki)).slice(0, 16)}`;
    this.#pairs.set(device, pair);
    return { device, publicKey: base64(spki) };
  }

  #pair(device: string): CryptoKeyPair {
    const pair = this.#pairs.get(device);
    if (!pair) throw new Error(`${device} is not a key of this browser`);
    return pair;
  }
}

/** Converts a missing database to `NotEnrolled`: a device without a database cannot have been enrolled. */
async function readable<T>(read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    throw error instanceof NoDatabase ? new NotEnrolled(error.message) : error;
  }
}

/** Returns the name of the key for a code. An unused code is a secret, so the name contains only a digest of its token. */
async function nameOf({ authority, token }: Enrolment): Promise<string> {
  return `${ASKED}${authority}-${(await digest(new TextEncoder().encode(token))).slice(0, 32)}`;
}

async function digest(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

const DATABASE = "flagfall";
const STORE = "keys";
const NO_KEYS = "this browser cannot store keys for this page";

/** The failure to open the database, as in private windows that store no data. */
class NoDatabase extends Error {}

export const databaseStore: PairStore = {
  read: async (name) => (await within("readonly", (keys) => keys.get(name) as IDBRequest<CryptoKeyPair | undefined>)) ?? null,
  keep: async (name, pair) => {
    await within<IDBValidKey>("readwrite", (keys) => keys.put(pair, name));
  },
  forget: async (name) => {
    await within<undefined>("readwrite", (keys) => keys.delete(name));
  },
  names: async () => (await within("readonly", (keys) => keys.getAllKeys())).filter((name) => typeof name === "string"),
};

async function within<T>(mode: IDBTransactionMode, act: (keys: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open();
  try {
    const transaction = database.transaction(STORE, mode);
    // A change may still fail at commit, for example because the disk is full.
    const committed = new Promise<void>((done, failed) => {
      transaction.oncomplete = () => done();
      transaction.onabort = () => failed(transaction.error ?? new Error(NO_KEYS));
    });
    const [result] = await Promise.all([finished(act(transaction.objectStore(STORE))), committed]);
    return result;
  } finally {
    database.close();
  }
}

async function open(): Promise<IDBDatabase> {
  try {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    return await finished(request);
  } catch {
    throw new NoDatabase(NO_KEYS);
  }
}

function finished<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error ?? new Error(NO_KEYS));
  });
}
