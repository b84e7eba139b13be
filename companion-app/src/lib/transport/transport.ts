// The interface to a hub. Two shells implement it: the browser (gRPC-web), and the desktop and tablet app (its Rust side).
//
// Owns the kinds of failure. Must never decide what an answer means for a board, nor retry a command: its sender keeps the id and may
// send it again.

import { create } from "@bufbuild/protobuf";
import type { CallKind, CommandReply, CommandRequest, Hall, ListAgentsReply, LogLine, Presses, WatchUpdate } from "$gen/api/arbiter_pb.js";
import type { ArbiterCode, Device } from "$gen/api/devices_pb.js";
import type { ListCommandsReply } from "$gen/api/audit_pb.js";
import type { GameReplay, GetProofRequest, LogCheckpoint, LogProof, Supposition } from "$gen/api/archive_pb.js";
import type { Proceedings } from "$gen/api/proceedings_pb.js";
import type { DecideHeldReply, HeldCommands } from "$gen/api/held_pb.js";
import type { Broadcast, BroadcastSettings } from "$gen/api/broadcast_pb.js";
import type { BoardPlace, Floor } from "$gen/api/floor_pb.js";
import type { EnrolmentCode } from "$gen/api/enrolment_pb.js";
import { RefusalSchema, type Refusal } from "$gen/frames/refusal_pb.js";
import type { Note, SideName } from "$lib/hall/board.js";
import type { EnrolmentCalls } from "./enrolment.js";
import type { PlayerCalls } from "./player.js";

/** The arbiter of this device, as the hub knows it. */
export interface Identity {
  name: string;
  role: Role;
  /** The sector of a floor arbiter, as `flagfall ctl` writes boards; absent for the whole hall. */
  boards?: string;
}
/** A note as the arbiter saw it. */
export type SeenNote = Pick<Note, "kind" | "agent" | "count">;

export type Role = "viewer" | "floor" | "chief" | "broadcaster" | "auditor" | "player";

/** Which commands of the log are wanted; empty fields want all. */
export interface CommandsWanted {
  actor: string;
  board: string;
  fromUs: bigint | null;
  /** The place where the previous page ended; 0 for the newest page. */
  before: bigint;
}

/** A game of a board, by its number there or by its round; the newest that fits. 0 for any. */
export interface GameWanted {
  board: string;
  game: number;
  round: number;
}

/** What a proof is about: a record, or the size of an earlier checkpoint. */
export type ProofWanted = Exclude<GetProofRequest["of"], { case: undefined }>;

/** A watcher's position, from which the hub resumes if it still can. */
export interface Place {
  epoch: bigint;
  seq: bigint;
}

/** The presses sent with a board: enough to extend the known ones. `presses` returns all of a game. */
export const PRESSES_SENT = 2;

export interface Transport {
  /** Returns the arbiter of this device; throws `NotEnrolled` if the hub does not know it. */
  identity(signal: AbortSignal): Promise<Identity>;
  hall(signal: AbortSignal): Promise<Hall>;
  /**
   * Yields a snapshot and then updates, or only updates after `after`, which may take long: `opened` is called once the hub has begun to
   * answer. Ends or throws when the connection does.
   */
  watch(after: Place | null, signal: AbortSignal, opened: () => void): AsyncIterable<WatchUpdate>;
  send(request: CommandRequest): Promise<CommandReply>;
  /** Returns the outcome of a command by its id. */
  outcome(id: Uint8Array, signal?: AbortSignal): Promise<CommandReply>;
  agents(signal: AbortSignal): Promise<ListAgentsReply>;
  /** Creates a code for one more clock. */
  enrolmentCode(board: string): Promise<EnrolmentCode>;
  log(board: string, fromIndex: bigint, signal: AbortSignal): AsyncIterable<LogLine>;
  /** Returns every press of a board's game. */
  presses(board: string, signal: AbortSignal): Promise<Presses>;
  /** Returns what the Laws say about a board's game now. */
  proceedings(board: string, signal: AbortSignal): Promise<Proceedings>;
  /** Tells all arbiters that this one has acknowledged a call, or is on the way. */
  acknowledge(board: string, kind: CallKind, going: boolean): Promise<void>;
  /** Ends notes about a clock's honesty that this arbiter has seen; no board for those about clocks that serve none. */
  acknowledgeNotes(board: string, notes: readonly SeenNote[], reason?: string): Promise<void>;
  /** Creates a code for one more device of an arbiter or, with a board and a side, of a player. */
  arbiterCode(name: string, role: Role, boards: string, side?: SideName): Promise<ArbiterCode>;
  /** Lists the arbiters' devices. */
  devices(signal: AbortSignal): Promise<Device[]>;
  /** Revokes a device for good; the device is told the reason, which may be empty. */
  revokeDevice(device: string, reason: string): Promise<void>;
  /** Yields the floor plan, and again whenever it changes. */
  watchFloor(signal: AbortSignal): AsyncIterable<Floor>;
  /** Moves boards on the floor plan; `whole` replaces it, and is refused if it is newer than `seenVersion`. */
  setFloor(places: BoardPlace[], whole: boolean, seenVersion: bigint): Promise<Floor>;
  /** The settings of the broadcast, and how its outputs do. */
  broadcast(): Promise<Broadcast>;
  /** Without `token`, the stored one stays. */
  setBroadcast(settings: BroadcastSettings, token?: string): Promise<Broadcast>;
  /** Yields the commands that wait for a second arbiter, and again whenever they change. */
  watchHeld(signal: AbortSignal): AsyncIterable<HeldCommands>;
  /** Confirms or declines a command that waits for a second arbiter. */
  decideHeld(id: Uint8Array, confirm: boolean): Promise<DecideHeldReply>;
  /** Returns a page of the commands in the log, newest first. */
  commands(wanted: CommandsWanted, signal: AbortSignal): Promise<ListCommandsReply>;
  /** Replays a game of a board from the log, and the same presses under a supposition. */
  replay(game: GameWanted, supposed: Supposition | null, signal: AbortSignal): Promise<GameReplay>;
  /** Returns the newest signed checkpoint of the log. */
  checkpoint(signal: AbortSignal): Promise<LogCheckpoint>;
  /** Proves that a record is in the log, or that the log continues an earlier checkpoint. */
  proof(of: ProofWanted, signal: AbortSignal): Promise<LogProof>;
  readonly event: EventCalls;
  readonly enrolment: EnrolmentCalls;
  readonly player: PlayerCalls;
}

/** The service of the event. */
export type EventCalls = import("./event.js").EventCalls;

/** The hub received the request and refused it. */
export class Refused extends Error {
  override name = "Refused";
  /** The reason, with the code by which it is translated (words/refusal.ts). */
  readonly why: Refusal;

  constructor(text: string, about?: Refusal) {
    super(text);
    this.why = { ...(about ?? create(RefusalSchema)), text };
  }
}

/** It is unknown whether the hub received the request, which may be sent again with the same id. */
export class Unreachable extends Error {
  override name = "Unreachable";
}

/** The hub does not know this device, or has revoked it. */
export class NotEnrolled extends Error {
  override name = "NotEnrolled";
  /** By whom, when and why the device was revoked, if the hub told. */
  readonly why: Refusal | undefined;

  constructor(text = "", why?: Refusal) {
    super(text);
    this.why = why;
  }
}
