// The database that holds the last known hall. A browser's databases belong to the page's origin, so there is one snapshot for each hub address.
// The app has a single hub, and removes the snapshot when the device enrols again.

/** A store of at most one snapshot. */
export interface SnapshotStore {
  read(): Promise<unknown>;
  keep(stored: unknown): Promise<void>;
  forget(): Promise<void>;
}

const DATABASE = "flagfall-hall";
const STORE = "halls";
const KEY = "last";

export const deviceStore: SnapshotStore = {
  read: () => within("readonly", (halls) => halls.get(KEY) as IDBRequest<unknown>),
  keep: async (stored) => {
    await within("readwrite", (halls) => halls.put(stored, KEY));
  },
  forget: async () => {
    await within("readwrite", (halls) => halls.clear());
  },
};

async function within<T>(mode: IDBTransactionMode, act: (halls: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open();
  try {
    const transaction = database.transaction(STORE, mode);
    const request = act(transaction.objectStore(STORE));
    await new Promise<void>((done, failed) => {
      transaction.oncomplete = () => done();
      // If the disk is full, the transaction aborts after its request has succeeded.
      transaction.onabort = () => failed(transaction.error ?? new Error("the hall was not stored"));
    });
    return request.result;
  } finally {
    database.close();
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((done, failed) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error ?? new Error("this browser cannot store data for this page"));
  });
}
