// Where the browser keeps this device's keys: its own database, as handles that cannot be read out.

/** `device` is the one the hub knows; `new` is one that it has been asked to know and has not answered for. */
export type KeyName = "device" | "new";

/** Keeps one key pair, or none, under each name. */
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
