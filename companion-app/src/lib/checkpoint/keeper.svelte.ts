// Stores the newest checkpoint of the hub's log on this device. After each connection and once a minute, the hub must prove that its log
// continues the stored checkpoint.
//
// Owns the stored data: one checkpoint for each log, and any two that contradict each other until the arbiter dismisses them. Must never
// replace a stored contradiction with a later one.

import type { LogCheckpoint, LogProof } from "$gen/api/archive_pb.js";
import { pause } from "$lib/abort.js";
import type { Transport } from "$lib/transport/transport.js";
import { checkpointOf, continues, isSuccessor, type Checkpoint } from "./tree.js";

export interface SignedCheckpoint {
  note: string;
  /** The public key that verifies the signature (C2SP vkey). */
  key: string;
}
/** Two checkpoints of one log; `sent` does not continue `kept`, or its key is not a successor of the key of `kept`. */
export interface Contradiction {
  kept: SignedCheckpoint;
  sent: SignedCheckpoint;
}

export const EVERY_MS = 60_000;
/** Interval at which `follow` tests whether a check is due. */
const LOOK_MS = 2000;
const STORE = "flagfall.checkpoints";
const BROKEN = "flagfall.contradiction";

type Asks = Pick<Transport, "checkpoint" | "proof">;

export class CheckpointKeeper {
  broken: Contradiction | null = $state.raw(null);
  readonly #transport: Asks;
  readonly #isLive: () => boolean;

  constructor(transport: Asks, isLive: () => boolean) {
    this.#transport = transport;
    this.#isLive = isLive;
    this.broken = isContradiction(stored(BROKEN)) ? (stored(BROKEN) as Contradiction) : null;
  }

  async follow(signal: AbortSignal): Promise<void> {
    let dueAt = 0;
    while (!signal.aborted) {
      if (!this.#isLive()) dueAt = 0;
      else if (Date.now() >= dueAt) {
        dueAt = Date.now() + EVERY_MS;
        // If the hub does not answer, the next check comes a minute later or after the next connection.
        await this.check(signal).catch(() => undefined);
      }
      await pause(LOOK_MS, signal);
    }
  }

  /** Checks that the log continues the stored checkpoint, and stores the newest one. */
  async check(signal: AbortSignal): Promise<void> {
    const newest = await this.#transport.checkpoint(signal);
    const origin = checkpointOf(newest.note)?.origin;
    if (origin === undefined) return;
    const all = keptByLog();
    const kept = all[origin];
    const sent = kept ? await this.#next(kept, newest, signal) : newest;
    if (sent) keep(STORE, { ...all, [origin]: signed(sent) });
  }

  /** Dismisses a contradiction that the arbiter can explain, for example because a restore was announced. */
  dismiss(): void {
    this.broken = null;
    keep(BROKEN, null);
  }

  /** Returns the checkpoint to store; null to keep the stored one. */
  async #next(kept: SignedCheckpoint, newest: LogCheckpoint, signal: AbortSignal): Promise<SignedCheckpoint | null> {
    const [older, now] = [checkpointOf(kept.note), checkpointOf(newest.note)];
    if (!older || !now) return newest;
    if (now.size < older.size || !isSuccessor(kept.key, newest)) return this.#contradicted(kept, newest);
    const proof = await this.#transport.proof({ case: "oldSize", value: older.size }, signal);
    const sent = proof.checkpoint;
    const newer = checkpointOf(sent?.note ?? "");
    if (!sent || newer?.origin !== older.origin) return null;
    return (await isProved(older, newer, proof)) && isSuccessor(kept.key, sent) ? sent : this.#contradicted(kept, sent);
  }

  #contradicted(kept: SignedCheckpoint, sent: SignedCheckpoint): SignedCheckpoint {
    this.broken ??= { kept: signed(kept), sent: signed(sent) };
    keep(BROKEN, this.broken);
    return sent;
  }
}

async function isProved(older: Checkpoint, newer: Checkpoint, { hashes }: LogProof): Promise<boolean> {
  return continues(older, newer, hashes);
}

/** Returns both checkpoints as the text of a file, so that their signatures can be checked elsewhere. */
export function contradictionText({ kept, sent }: Contradiction): string {
  return [kept, sent].map(({ key, note }) => `${key}\n\n${note}`).join("\n");
}

const signed = ({ note, key }: SignedCheckpoint): SignedCheckpoint => ({ note, key });

function keptByLog(): Record<string, SignedCheckpoint> {
  const all = stored(STORE);
  if (typeof all !== "object" || all === null) return {};
  return Object.fromEntries(Object.entries(all).filter((one): one is [string, SignedCheckpoint] => isSigned(one[1])));
}

function isSigned(one: unknown): one is SignedCheckpoint {
  return typeof one === "object" && one !== null && "note" in one && "key" in one && typeof one.note === "string" && typeof one.key === "string";
}

function isContradiction(one: unknown): one is Contradiction {
  return typeof one === "object" && one !== null && "kept" in one && "sent" in one && isSigned(one.kept) && isSigned(one.sent);
}

function stored(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

function keep(name: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Without storage, no checkpoint is kept for a later comparison, and a contradiction is kept only until the page is closed.
  }
}
