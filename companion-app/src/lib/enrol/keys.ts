// Where the browser keeps this device's key: its own database, as a handle that cannot be read out.

const DATABASE = "flagfall";
const STORE = "keys";
const NAME = "device";

export async function keepKey(key: CryptoKeyPair): Promise<void> {
  const database = await open();
  await finished(database.transaction(STORE, "readwrite").objectStore(STORE).put(key, NAME));
  database.close();
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
