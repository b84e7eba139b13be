// Follows a hub until told to stop: reconnects with back-off, and resumes from the last update.
//
// Owns the retries. Must never interpret an update, and gives up only if the hub denies this device: a tablet recovers when the Wi-Fi does.

import type { WatchUpdate } from "$gen/api/arbiter_pb.js";
import { NotEnrolled, type Place, type Transport } from "$lib/transport/transport.js";

export interface Follower {
  /** Returns the cursor of the last applied update; null asks for a snapshot. */
  place(): Place | null;
  heard(update: WatchUpdate): void;
  /** Called when the hub answers the request for updates, or a probe after that. */
  answered(): void;
  /** Called when the link is lost and after each failed attempt. The next attempt follows after `againInMs`, or earlier after a nudge. */
  lost(why: Error, againInMs: number): void;
  /** Called when the hub does not know this device. No further attempt follows. */
  unknown(why: NotEnrolled): void;
}

/** Waits for `ms` milliseconds, or until `signal` aborts. */
export interface Rest {
  (ms: number, signal: AbortSignal): Promise<void>;
}

/** The device's timers and events that `follow` uses; tests replace them. */
export interface Device {
  rest: Rest;
  /** Returns the time of a monotonic clock, in milliseconds. */
  nowMs(): number;
  /** Calls `nudge` whenever the network may have changed. Returns a function that ends the calls. */
  onNudge(nudge: () => void): () => void;
}

const FIRST_MS = 250;
const LONGEST_MS = 5000;
/** Silence after which the hub is probed. A hall in play is rarely quiet for so long, so it needs few probes. */
export const QUIET_MS = 2500;
/** If a probe is not answered within this time, the link counts as lost. */
export const ANSWER_MS = 3000;
/** Time limit for the response to a probe while the snapshot is arriving. Longer, because the response may queue behind the snapshot. */
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
      if (aborted(signal)) return;
      // Asking for the identity renews an expired session. The device is unknown only if the hub denies this request too.
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

/** Asks for the device's identity. Returns the denial; null if the hub knows this device or does not answer. */
async function whyUnknown(transport: Transport, signal: AbortSignal): Promise<NotEnrolled | null> {
  try {
    await transport.identity(signal);
  } catch (error) {
    if (error instanceof NotEnrolled) return error;
  }
  return null;
}

/** Returns the back-off, which doubles up to five seconds, so that a hall of tablets does not overload a hub that has just restarted. */
export function delay(failures: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures, 10));
}

interface Link {
  end: AbortController;
  /** True once the hub has begun to answer the request for updates. */
  open: boolean;
  /** True once a snapshot has arrived, on this connection or an earlier one. */
  told: boolean;
  /** The time of the last update or response from the hub, by `Device.nowMs`. */
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

/** Probes a quiet connection, because a half-open connection would stay silent forever. */
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

/** Waits until `ms` milliseconds have passed, a nudge comes, or `signal` aborts. Returns true if a nudge ended the wait. */
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

const CHANGES = ["online", "offline"] as const;

/** This device, which nudges when the page is shown and when the network changes. */
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
