// Where the browser keeps this device's key: its own database, as a handle that cannot be read out.

/** Keeps one key pair, or none. */
export interface KeyStore {
  read(): Promise<CryptoKeyPair | null>;
  keep(key: CryptoKeyPair): Promise<void>;
  forget(): Promise<void>;
}

const DATABASE = "flagfall";
const STORE = "keys";
const NAME = "device";

export const browserKeys: KeyStore = {
  read: async () => (await within("readonly", (keys) => keys.get(NAME) as IDBRequest<CryptoKeyPair | undefined>)) ?? null,
  keep: async (key) => {
    await within<IDBValidKey>("readwrite", (keys) => keys.put(key, NAME));
  },
  forget: async () => {
    await within<undefined>("readwrite", (keys) => keys.delete(NAME));
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
