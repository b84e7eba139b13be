// The stored form of the last known hall. It consists of the hub's own messages, so that a newer app can read what an older one stored.
// Pure. Owns the limits on size and age: a snapshot that is too large is not stored, and one that is too old is not shown.

import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { BoardSchema, HallSchema, type Board, type Hall } from "$gen/api/arbiter_pb.js";
import { StandingsSchema, TournamentReplySchema, type Standings, type TakenImport } from "$gen/api/tournament_pb.js";
import type { Tournament } from "$gen/frames/event_pb.js";
import { ROLES } from "$lib/transport/identity.js";
import type { Identity } from "$lib/transport/transport.js";

/** The version of the format. A snapshot in any other version is discarded. */
const FORMAT_VERSION = 1;
/** Maximum size of a snapshot in bytes: about ten times the size for a hall of a thousand boards. */
export const MAX_BYTES = 8 * 1024 * 1024;
/** Maximum age of a snapshot. An older one most likely belongs to a different event. */
export const MAX_AGE_MS = 14 * 24 * 60 * 60 * 1000;
/** Boards encoded between two pauses, in which the page can draw frames. */
const BOARDS_AT_ONCE = 50;

export interface KnownHall {
  /** The hall without its boards. */
  hall: Hall;
  boards: readonly Board[];
  /** The hub's time at the last contact, in microseconds. */
  hubUs: number;
  /** The time of the last contact by the device's wall clock, in milliseconds. */
  heardAtMs: number;
  /** The hub's wall clock minus the hub's timeline, in milliseconds. */
  aheadMs: number;
}

export interface KnownEvent {
  version: bigint;
  tournament: Tournament;
  imports: readonly TakenImport[];
  standings: Standings | null;
}

export interface Snapshot extends KnownHall {
  me: Identity | null;
  event: KnownEvent | null;
}

interface Stored {
  form: typeof FORMAT_VERSION;
  heardAtMs: number;
  hubUs: number;
  aheadMs: number;
  me: Identity | null;
  hall: Uint8Array;
  boards: Uint8Array[];
  event: Uint8Array | null;
  standings: Uint8Array | null;
}

/** An encoder of successive snapshots. It does not encode an unchanged board again. */
export class SnapshotEncoder {
  #boards = new Map<Board, Uint8Array>();
  #event: { of: KnownEvent | null; bytes: Pick<Stored, "event" | "standings"> } = { of: null, bytes: { event: null, standings: null } };

  /**
   * Returns the snapshot to store; null if it is too large even without the event.
   *
   * @param pause waits between two batches of boards, so that the page can draw
   */
  async encode({ hall, boards, event, me, heardAtMs, hubUs, aheadMs }: Snapshot, pause: () => Promise<void>): Promise<unknown> {
    const encoded = new Map<Board, Uint8Array>();
    let fresh = 0;
    for (const board of boards) {
      const known = this.#boards.get(board);
      encoded.set(board, known ?? toBinary(BoardSchema, board));
      if (!known && (fresh += 1) % BOARDS_AT_ONCE === 0) await pause();
    }
    this.#boards = encoded;
    const known = this.#event.of;
    if (known?.tournament !== event?.tournament || known?.standings !== event?.standings || known?.imports !== event?.imports)
      this.#event = { of: event, bytes: eventBytes(event) };
    const stored: Stored = {
      form: FORMAT_VERSION,
      heardAtMs,
      hubUs,
      aheadMs,
      me,
      hall: toBinary(HallSchema, hall),
      boards: [...encoded.values()],
      ...this.#event.bytes,
    };
    if (size(stored) > MAX_BYTES) Object.assign(stored, { event: null, standings: null });
    return size(stored) > MAX_BYTES ? null : stored;
  }
}

function eventBytes(event: KnownEvent | null): Pick<Stored, "event" | "standings"> {
  return {
    event: event ? toBinary(TournamentReplySchema, create(TournamentReplySchema, { ...event, imports: [...event.imports] })) : null,
    standings: event?.standings ? toBinary(StandingsSchema, event.standings) : null,
  };
}

function size({ hall, boards, event, standings }: Stored): number {
  return [hall, ...boards, event, standings].reduce((sum, bytes) => sum + (bytes?.length ?? 0), 0);
}

/** Decodes a stored snapshot. Returns null if it is too old, from the future, damaged, or in a different version of the format. */
export function decode(stored: unknown, nowMs: number): Snapshot | null {
  try {
    return isStored(stored) && isRecent(stored.heardAtMs, nowMs) ? read(stored) : null;
  } catch {
    return null;
  }
}

function read({ heardAtMs, hubUs, aheadMs, me, ...bytes }: Stored): Snapshot {
  return {
    heardAtMs,
    hubUs,
    aheadMs,
    me: me && ROLES.includes(me.role) ? me : null,
    hall: fromBinary(HallSchema, bytes.hall),
    boards: bytes.boards.map((board) => fromBinary(BoardSchema, board)),
    event: bytes.event && eventFrom(bytes.event, bytes.standings),
  };
}

function eventFrom(bytes: Uint8Array, standings: Uint8Array | null): KnownEvent | null {
  const { version, tournament, imports } = fromBinary(TournamentReplySchema, bytes);
  return tournament ? { version, tournament, imports, standings: standings && fromBinary(StandingsSchema, standings) } : null;
}

/** Returns true if a snapshot is not too old. Returns false for a time in the future: the wall clock was set back, so the age is unknown. */
function isRecent(heardAtMs: number, nowMs: number): boolean {
  return heardAtMs <= nowMs && nowMs - heardAtMs <= MAX_AGE_MS;
}

function isStored(stored: unknown): stored is Stored {
  if (typeof stored !== "object" || stored === null) return false;
  const one = stored as Partial<Stored>;
  return (
    one.form === FORMAT_VERSION && [one.heardAtMs, one.hubUs, one.aheadMs].every(Number.isFinite) && one.hall instanceof Uint8Array && Array.isArray(one.boards)
  );
}

export function withoutBoards(hall: Hall): Hall {
  return create(HallSchema, { ...hall, boards: [] });
}
