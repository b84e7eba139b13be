// Follows a hub for as long as it is asked to: reconnects by itself, a little later each time, and resumes where it left off.
//
// Owns when to try again. Must never interpret an update, and never give up: an arbiter's tablet comes back when the Wi-Fi does.

import type { WatchUpdate } from "$gen/api/arbiter_pb.js";
import { NotEnrolled, type Place, type Transport } from "$lib/transport/transport.js";

export interface Follower {
  /** The newest place that was applied; null asks for a snapshot. */
  place(): Place | null;
  heard(update: WatchUpdate): void;
  /** The link is gone; the next attempt comes in `againInMs`. */
  lost(why: Error, againInMs: number): void;
  /** The hub does not know this device. There is no next attempt. */
  unknown(): void;
}

/** What waits. Injected, so that a test need not. */
export interface Rest {
  (ms: number, signal: AbortSignal): Promise<void>;
}

const FIRST_MS = 250;
const LONGEST_MS = 5000;
/** A hub from which nothing came for this long is asked whether it is there. */
export const QUIET_MS = 8000;

export async function follow(transport: Transport, follower: Follower, signal: AbortSignal, rest: Rest = sleep): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      await watchOnce(transport, follower, signal, rest, () => {
        failures = 0;
      });
      throw new Error("the hub ended the stream");
    } catch (error) {
      // `aborted` may have changed while the stream was open.
      if (aborted(signal)) return;
      // A session that is over is begun anew by asking who this device is; only who is nobody then is nobody.
      if (error instanceof NotEnrolled && !(await isKnown(transport, signal))) {
        follower.unknown();
        return;
      }
      const againInMs = delay(failures);
      failures += 1;
      follower.lost(error instanceof Error ? error : new Error(String(error)), againInMs);
      await rest(againInMs, signal);
    }
  }
}

async function isKnown(transport: Transport, signal: AbortSignal): Promise<boolean> {
  try {
    await transport.identity(signal);
  } catch (error) {
    return !(error instanceof NotEnrolled);
  }
  return true;
}

/** Doubles up to five seconds: a hall full of tablets must not hammer a hub that has just come back. */
export function delay(failures: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures, 10));
}

async function watchOnce(transport: Transport, follower: Follower, signal: AbortSignal, rest: Rest, alive: () => void): Promise<void> {
  const link = new AbortController();
  const end = (): void => link.abort();
  signal.addEventListener("abort", end);
  let heardAt = 0;
  let count = 0;
  // A link that is half open says nothing for ever: a call that must be answered finds it out.
  const guard = async (): Promise<void> => {
    while (!link.signal.aborted) {
      await rest(QUIET_MS, link.signal);
      if (aborted(link.signal)) return;
      if (heardAt === count) {
        try {
          await transport.identity(AbortSignal.any([link.signal, AbortSignal.timeout(QUIET_MS)]));
        } catch {
          link.abort();
        }
      }
      heardAt = count;
    }
  };
  const guarded = guard();
  try {
    for await (const update of transport.watch(follower.place(), link.signal)) {
      count += 1;
      alive();
      follower.heard(update);
    }
  } finally {
    link.abort();
    signal.removeEventListener("abort", end);
    await guarded;
  }
}

function aborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

export const sleep: Rest = (ms, signal) =>
  new Promise((done) => {
    const wake = (): void => {
      clearTimeout(asleep);
      signal.removeEventListener("abort", wake);
      done();
    };
    const asleep = setTimeout(wake, ms);
    signal.addEventListener("abort", wake);
    if (signal.aborted) wake();
  });
