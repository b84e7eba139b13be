// The Merkle tree of the hub's log (RFC 6962): the signed notes of checkpoints, and consistency proofs (RFC 9162, section 2.1.4.2). Pure.
//
// Signatures are not checked here: the connection authenticates the hub, and the note is stored so that others can check it.

export interface Checkpoint {
  origin: string;
  /** Number of records in the log. */
  size: bigint;
  /** The tree's root hash in base64, as in the note. */
  root: string;
}

/** Parses a signed note (C2SP tlog-checkpoint). Returns null if the note is not a checkpoint. */
export function checkpointOf(note: string): Checkpoint | null {
  const [origin = "", size = "", root = ""] = note.split("\n");
  if (origin === "" || !/^(0|[1-9]\d*)$/u.test(size) || !/^[A-Za-z0-9+/]{43}=$/u.test(root)) return null;
  return { origin, size: BigInt(size), root };
}

/** Returns true if `key` is `known` or a successor of it. Each `flagfall-successor` line of the note names a former key and its successor. */
export function isSuccessor(known: string, { note, key }: { note: string; key: string }): boolean {
  let last = publicKey(known);
  for (const line of note.split("\n")) {
    const [what, former, next] = line.split(" ");
    if (what === "flagfall-successor" && former === last && next !== undefined) last = next;
  }
  return key === known || (last !== publicKey(known) && last === publicKey(key));
}

/** Returns the 32-byte public key of a C2SP vkey (`name+id+key`) in base64, without the key-type byte; `key` itself if it cannot be decoded. */
function publicKey(key: string): string {
  try {
    return textOf(bytesOf(key.split("+").slice(2).join("+")).slice(1));
  } catch {
    return key;
  }
}

/** Returns true if `proof` shows that the tree of `newer` is an extension of the tree of `older`. */
export async function continues(older: Checkpoint, newer: Checkpoint, proof: readonly Uint8Array[]): Promise<boolean> {
  if (older.size > newer.size) return false;
  if (older.size === newer.size) return proof.length === 0 && older.root === newer.root;
  if (older.size === 0n) return proof.length === 0;
  let last = newer.size - 1n;
  let node = older.size - 1n;
  for (; node % 2n === 1n; node /= 2n) last /= 2n;
  // If the older size is a power of two, the proof omits the older root, which is then the first hash.
  const isComplete = (older.size & (older.size - 1n)) === 0n;
  const [first, ...rest] = isComplete ? [bytesOf(older.root), ...proof] : proof;
  if (!first) return false;
  let [was, is] = [first, first];
  for (const hash of rest) {
    if (last === 0n) return false;
    if (node % 2n === 1n || node === last) {
      was = await joined(hash, was);
      is = await joined(hash, is);
      while (node % 2n === 0n && node !== 0n) [node, last] = [node / 2n, last / 2n];
    } else is = await joined(is, hash);
    [node, last] = [node / 2n, last / 2n];
  }
  return last === 0n && textOf(was) === older.root && textOf(is) === newer.root;
}

export function textOf(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** Returns the hash of a node from the hashes of its children. */
async function joined(left: Uint8Array, right: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.of(1, ...left, ...right)));
}
