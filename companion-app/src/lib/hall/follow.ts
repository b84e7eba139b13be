// Follows a hub for as long as it is asked to: reconnects by itself, a little later each time, and resumes where it left off.
//
// Owns when to try again. Must never interpret an update, and never give up: an arbiter's tablet comes back when the Wi-Fi does.

import type { WatchUpdate } from "$gen/api/arbiter_pb.js";
import { NotEnrolled, type Place, type Transport } from "$lib/transport/transport.js";

export interface Follower {
  /** The newest place that was applied; null asks for a snapshot. */
  place(): Place | null;
  heard(update: WatchUpdate): void;
  /** The hub is there and would have told what is new: all that is shown is as new as this. */
  answered(): void;
  /** The link is gone; the next attempt comes in `againInMs`. */
  lost(why: Error, againInMs: number): void;
  /** The hub does not know this device, and may say why. There is no next attempt. */
  unknown(why: NotEnrolled): void;
}

/** What waits. */
export interface Rest {
  (ms: number, signal: AbortSignal): Promise<void>;
}

/** What following needs of the device. Injected, so that a test decides. */
export interface Device {
  rest: Rest;
  /** A clock that only goes forward, milliseconds. */
  nowMs(): number;
  /** Told whenever there is reason to doubt the link, or to hope for one; answers what ends that. */
  onNudge(nudge: () => void): () => void;
}

const FIRST_MS = 250;
const LONGEST_MS = 5000;
/** A hub from which nothing came for this long is asked whether it is there. A hall that plays is never so quiet, so it costs a hub nothing. */
export const QUIET_MS = 2500;
/** And if it does not say so within this, the link is lost. */
export const ANSWER_MS = 3000;
/** While the whole hall is still on its way, an answer may have to wait behind it. */
export const FIRST_ANSWER_MS = 12_000;

export async function follow(transport: Transport, follower: Follower, signal: AbortSignal, device: Device = thisDevice): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      await watchOnce(transport, follower, signal, device, () => {
        failures = 0;
      });
      throw new Error("the hub ended the stream");
    } catch (error) {
      // `aborted` may have changed while the stream was open.
      if (aborted(signal)) return;
      // A session that is over is begun anew by asking who this device is; only who is nobody then is nobody.
      const unknown = error instanceof NotEnrolled ? await whyUnknown(transport, signal) : null;
      if (unknown) {
        follower.unknown(unknown);
        return;
      }
      const againInMs = delay(failures);
      failures += 1;
      follower.lost(error instanceof Error ? error : new Error(String(error)), againInMs);
      await restOrNudge(againInMs, signal, device);
    }
  }
}

/** Asks who this device is; null where the hub knows it, or does not answer. */
async function whyUnknown(transport: Transport, signal: AbortSignal): Promise<NotEnrolled | null> {
  try {
    await transport.identity(signal);
  } catch (error) {
    if (error instanceof NotEnrolled) return error;
  }
  return null;
}

/** Doubles up to five seconds: a hall full of tablets must not hammer a hub that has just come back. */
export function delay(failures: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures, 10));
}

/** What is known of one link. */
interface Link {
  end: AbortController;
  /** The hub has begun to answer: it tells what is new from here on. */
  open: boolean;
  /** The hall itself, which is large, is here: from an earlier link, or by this one. */
  told: boolean;
  /** When something came last. */
  heardMs: number;
}

async function watchOnce(transport: Transport, follower: Follower, signal: AbortSignal, device: Device, alive: () => void): Promise<void> {
  const link: Link = { end: new AbortController(), open: false, told: follower.place() !== null, heardMs: device.nowMs() };
  const end = (): void => link.end.abort();
  signal.addEventListener("abort", end);
  const opened = (): void => {
    link.open = true;
    link.heardMs = device.nowMs();
    follower.answered();
  };
  const guarded = guard(transport, follower, link, device);
  try {
    for await (const update of transport.watch(follower.place(), link.end.signal, opened)) {
      link.heardMs = device.nowMs();
      link.told = true;
      alive();
      follower.heard(update);
    }
  } finally {
    end();
    signal.removeEventListener("abort", end);
    await guarded;
  }
}

/** A link that is half open says nothing for ever: a call that must be answered finds it out. */
async function guard(transport: Transport, follower: Follower, link: Link, device: Device): Promise<void> {
  const { signal } = link.end;
  while (!signal.aborted) {
    const quietMs = device.nowMs() - link.heardMs;
    if (quietMs < QUIET_MS && !(await restOrNudge(QUIET_MS - quietMs, signal, device))) continue;
    const before = link.heardMs;
    const there = await answers(transport, signal, device, link.told ? ANSWER_MS : FIRST_ANSWER_MS);
    if (aborted(signal)) return;
    if (there) {
      link.heardMs = device.nowMs();
      if (link.open) follower.answered();
    } else if (link.heardMs === before) link.end.abort();
  }
}

/** Whether the hub says in time that it is there. */
async function answers(transport: Transport, signal: AbortSignal, device: Device, withinMs: number): Promise<boolean> {
  const ask = new AbortController();
  const end = (): void => ask.abort();
  signal.addEventListener("abort", end);
  try {
    const said = transport.identity(ask.signal).then(
      () => true,
      () => false,
    );
    return await Promise.race([said, device.rest(withinMs, ask.signal).then(() => false)]);
  } finally {
    end();
    signal.removeEventListener("abort", end);
  }
}

/** Rests for so long, or until a nudge, which it answers with true, or the signal. */
async function restOrNudge(ms: number, signal: AbortSignal, device: Device): Promise<boolean> {
  const over = new AbortController();
  const end = (): void => over.abort();
  let nudged = false;
  const deaf = device.onNudge(() => {
    nudged = true;
    end();
  });
  signal.addEventListener("abort", end);
  if (signal.aborted) end();
  await device.rest(ms, over.signal);
  signal.removeEventListener("abort", end);
  deaf();
  return nudged;
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

/** Events of a network that comes or goes. */
const CHANGES = ["online", "offline"] as const;

/** A tablet that was asleep, and one whose network came or went, asks at once. */
const thisDevice: Device = {
  rest: sleep,
  nowMs: () => performance.now(),
  onNudge: (nudge) => {
    const seen = (): void => {
      if (!document.hidden) nudge();
    };
    document.addEventListener("visibilitychange", seen);
    for (const change of CHANGES) globalThis.addEventListener(change, nudge);
    return () => {
      document.removeEventListener("visibilitychange", seen);
      for (const change of CHANGES) globalThis.removeEventListener(change, nudge);
    };
  },
};
