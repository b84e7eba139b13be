import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { LogCheckpoint, LogProof } from "$gen/api/archive_pb.js";
import { CheckpointKeeper, contradictionText } from "./keeper.svelte.js";
import { checkpointOf, continues, isSuccessor, textOf } from "./tree.js";

const ORIGIN = "flagfall/1/2";
const signal = new AbortController().signal;
let disk: Map<string, string>;
beforeEach(() => {
  disk = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => disk.get(name) ?? null,
    setItem: (name: string, value: string) => disk.set(name, value),
    removeItem: (name: string) => disk.delete(name),
  });
});
afterEach(() => void vi.unstubAllGlobals());

type Tree = Uint8Array[];
const sha = async (...bytes: number[]): Promise<Uint8Array> => new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.from(bytes)));
const leaf = (content: number): Promise<Uint8Array> => sha(0, content);
const split = (size: number): number => 2 ** Math.floor(Math.log2(size - 1));

/** Returns the root hash as RFC 6962 defines it: an independent implementation, for small logs. */
async function root(leaves: Tree): Promise<Uint8Array> {
  const [only] = leaves;
  if (leaves.length <= 1) return only ?? sha();
  const at = split(leaves.length);
  return sha(1, ...(await root(leaves.slice(0, at))), ...(await root(leaves.slice(at))));
}
async function proofOf(old: number, leaves: Tree, whole = true): Promise<Tree> {
  if (old === leaves.length) return whole ? [] : [await root(leaves)];
  const at = split(leaves.length);
  if (old <= at) return [...(await proofOf(old, leaves.slice(0, at), whole)), await root(leaves.slice(at))];
  return [...(await proofOf(old - at, leaves.slice(at), false)), await root(leaves.slice(0, at))];
}
const log = (size: number, first = 0): Promise<Tree> => Promise.all(Array.from({ length: size }, (_, at) => leaf(at === 0 ? first : at)));

async function checkpoint(leaves: Tree, key = "key"): Promise<LogCheckpoint> {
  return { note: `${ORIGIN}\n${leaves.length}\n${textOf(await root(leaves))}\n\n\u2014 ${ORIGIN} c2ln\n`, key } as LogCheckpoint;
}

function hub(leaves: Tree, key = "key") {
  return {
    checkpoint: () => checkpoint(leaves, key),
    proof: async (of: { case: string; value: bigint }) =>
      ({ checkpoint: await checkpoint(leaves, key), hashes: await proofOf(Number(of.value), leaves) }) as LogProof,
  };
}
const keeper = (leaves: Tree, key?: string) => new CheckpointKeeper(hub(leaves, key), () => true);
const sizes = ({ broken }: CheckpointKeeper) => broken && [broken.kept, broken.sent].map(({ note }) => checkpointOf(note)?.size);

test("a log continues each of its beginnings, and no other", async () => {
  const all = await log(19);
  const other = await log(19, 99);
  for (let old = 1; old <= all.length; old += 1) {
    for (let now = old; now <= all.length; now += 1) {
      const [was, is, another] = await Promise.all(
        [all.slice(0, old), all.slice(0, now), other.slice(0, old)].map(async (leaves) => checkpointOf((await checkpoint(leaves)).note)),
      );
      const proof = await proofOf(old, all.slice(0, now));
      if (!was || !is || !another) throw new Error("no checkpoint");
      expect(await continues(was, is, proof), `${old} to ${now}`).toBe(true);
      expect(await continues(another, is, proof), `another ${old} to ${now}`).toBe(false);
      if (old < now) expect(await continues(was, is, proof.slice(1)), "a proof without its first hash").toBe(false);
      expect(await continues(was, is, [...proof, ...proof, new Uint8Array(32)])).toBe(false);
    }
  }
});

test("the newest checkpoint is kept over a reload, and a hub that goes on is not named", async () => {
  await keeper(await log(5)).check(signal);
  const later = keeper(await log(9));
  await later.check(signal);
  await later.check(signal);
  expect(later.broken).toBeNull();
  expect([...disk.values()].join("")).toContain(`${ORIGIN}\\n9\\n`);
});

test("a hub that changed its past is named until it is dismissed", async () => {
  for (const changed of [await log(9, 99), await log(5, 99), await log(4)]) {
    disk.clear();
    await keeper(await log(5)).check(signal);
    const now = keeper(changed);
    await now.check(signal);
    expect(sizes(now)).toEqual([5n, BigInt(changed.length)]);
    // The first contradiction remains after a reload, even if the changed log then grows correctly.
    const reloaded = keeper([...changed, await leaf(50)]);
    await reloaded.check(signal);
    expect(sizes(reloaded)).toEqual([5n, BigInt(changed.length)]);
    expect(contradictionText(reloaded.broken as NonNullable<typeof reloaded.broken>).split("key\n\n")).toHaveLength(3);
    reloaded.dismiss();
    expect(keeper(changed).broken).toBeNull();
  }
});

test("a key that the known one named as its successor is kept", () => {
  const key = (byte: number) => textOf(new Uint8Array(32).fill(byte));
  const vkey = (byte: number) => `hall+00000000+${textOf(Uint8Array.of(1, ...new Uint8Array(32).fill(byte)))}`;
  const change = (from: number, to: number) => `flagfall-successor ${key(from)} ${key(to)} c2ln\n`;
  const note = (lines: string) => `${ORIGIN}\n1\nroot\n${lines}\n\u2014 ${ORIGIN} c2ln\n`;
  const twice = note(change(1, 2) + change(2, 3));
  expect(isSuccessor(vkey(1), { note: twice, key: vkey(3) })).toBe(true);
  expect(isSuccessor(vkey(2), { note: twice, key: vkey(3) })).toBe(true);
  expect(isSuccessor(vkey(3), { note: twice, key: vkey(3) })).toBe(true);
  expect(isSuccessor(vkey(1), { note: twice, key: vkey(4) })).toBe(false);
  expect(isSuccessor(vkey(3), { note: twice, key: vkey(1) })).toBe(false);
  expect(isSuccessor(vkey(1), { note: note(""), key: vkey(3) })).toBe(false);
});

test("another key for the same log is named", async () => {
  await keeper(await log(5)).check(signal);
  const now = keeper(await log(6), "another");
  await now.check(signal);
  expect(sizes(now)).toEqual([5n, 6n]);
});
