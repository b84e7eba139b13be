// The browser's store of this device's keys: a database of handles that cannot be exported.

/** `device` is the key the hub knows; `new` is a key sent to the hub whose answer is missing. */
export type KeyName = "device" | "new";

/** A store of at most one key pair under each name. */
export interface KeyStore {
  read(name: KeyName): Promise<CryptoKeyPair | null>;
  keep(name: KeyName, key: CryptoKeyPair): Promise<void>;
  forget(name: KeyName): Promise<void>;
}

const DATABASE = "flagfall";
const STORE = "keys";

export const browserKeys: KeyStore = {
  read: async (name) => (await within("readonly", (keys) => keys.get(name) as IDBRequest<CryptoKeyPair | undefined>)) ?? null,
  keep: async (name, key) => {
    await within<IDBValidKey>("readwrite", (keys) => keys.put(key, name));
  },
  forget: async (name) => {
    await within<undefined>("readwrite", (keys) => keys.delete(name));
  },
};

async function within<T>(mode: IDBTransactionMode, act: (keys: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open();
  try {
    return await finished(act(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return finished(request);
}

function finished<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error ?? new Error("the browser keeps no keys here"));
  });
}
