// The one way to a hub. Two shells implement it: the browser (gRPC-web) and the desktop and tablet app (its Rust side).
//
// Owns the words for what can go wrong. Must never decide what an answer means for a board, and never retry a command by itself:
// whoever sends one keeps its id and may send it again.

import { create } from "@bufbuild/protobuf";
import type {
  ArbiterCode,
  BoardPlace,
  CallKind,
  CommandReply,
  CommandRequest,
  Device,
  Floor,
  Hall,
  ListAgentsReply,
  LogLine,
  Presses,
  WatchUpdate,
} from "$gen/api/arbiter_pb.js";
import type { EnrolmentCode } from "$gen/api/enrolment_pb.js";
import { RefusalSchema, type Refusal } from "$gen/frames/refusal_pb.js";
import type { EnrolmentCalls } from "./enrolment.js";

/** Who acts, as the hub knows the device. */
export interface Identity {
  name: string;
  role: Role;
}
export type Role = "viewer" | "floor" | "chief";

/** Where a watcher left off; the hub goes on from there if it still can. */
export interface Place {
  epoch: bigint;
  seq: bigint;
}

/** Presses that come with a board: enough to go on from those that are known. All of a game: `presses`. */
export const PRESSES_SENT = 2;

export interface Transport {
  /** Who this device is to the hub; `NotEnrolled` if it is nobody. */
  identity(signal: AbortSignal): Promise<Identity>;
  hall(signal: AbortSignal): Promise<Hall>;
  /**
   * A snapshot and what follows it, or only what follows `after`, which may be nothing for long: `opened` is called once the hub has begun
   * to answer. Ends, or throws, when the connection does.
   */
  watch(after: Place | null, signal: AbortSignal, opened: () => void): AsyncIterable<WatchUpdate>;
  send(request: CommandRequest): Promise<CommandReply>;
  /** What became of a command, by its id. */
  outcome(id: Uint8Array, signal?: AbortSignal): Promise<CommandReply>;
  agents(signal: AbortSignal): Promise<ListAgentsReply>;
  /** A code for one more clock. */
  enrolmentCode(board: string): Promise<EnrolmentCode>;
  log(board: string, fromIndex: bigint, signal: AbortSignal): AsyncIterable<LogLine>;
  /** Every press of a board's game. */
  presses(board: string, signal: AbortSignal): Promise<Presses>;
  /** Tells all arbiters that this one has seen a call, or goes there. */
  acknowledge(board: string, kind: CallKind, going: boolean): Promise<void>;
  /** A code for one more arbiter's device. */
  arbiterCode(name: string, role: Role): Promise<ArbiterCode>;
  /** Arbiters' devices. */
  devices(signal: AbortSignal): Promise<Device[]>;
  /** Shuts a device out for good, for a reason that the device is told; empty: for none. */
  revokeDevice(device: string, reason: string): Promise<void>;
  /** Where boards stand, at once and whenever it is changed. */
  watchFloor(signal: AbortSignal): AsyncIterable<Floor>;
  /** Has boards stand elsewhere; `whole`: these and no others, refused if the plan is not `seenVersion` any more. */
  setFloor(places: BoardPlace[], whole: boolean, seenVersion: bigint): Promise<Floor>;
  readonly event: EventCalls;
  readonly enrolment: EnrolmentCalls;
}

/** The service of the event: the same connection, another part of the hub. */
export type EventCalls = import("./event.js").EventCalls;

/** The hub heard the request and says no. */
export class Refused extends Error {
  override name = "Refused";
  /** With its number, by which it is said in the arbiter's language (words/refusal.ts). */
  readonly why: Refusal;

  constructor(text: string, about?: Refusal) {
    super(text);
    this.why = { ...(about ?? create(RefusalSchema)), text };
  }
}

/** Nobody knows whether the hub heard it. Worth another try with the same id. */
export class Unreachable extends Error {
  override name = "Unreachable";
}

/** The hub does not know this device, or no longer. */
export class NotEnrolled extends Error {
  override name = "NotEnrolled";
  /** Who revoked the device, when and why, where the hub has said so. */
  readonly why: Refusal | undefined;

  constructor(text = "", why?: Refusal) {
    super(text);
    this.why = why;
  }
}
