// The interface to a hub. Two shells implement it: the browser (gRPC-web), and the desktop and tablet app (its Rust side).
//
// Owns the kinds of failure. Must never decide what an answer means for a board, nor retry a command: the sender keeps the id and may send
// the command again.

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

/** The person for whom this device is enrolled, according to the hub. */
export interface Identity {
  name: string;
  role: Role;
  /** The sector of a floor arbiter, in the notation of `flagfall ctl`; absent for the whole hall. */
  boards?: string;
}
export type SeenNote = Pick<Note, "kind" | "agent" | "count">;

export type Role = "viewer" | "floor" | "chief" | "broadcaster" | "auditor" | "player";

/** A filter for commands in the log; empty fields match everything. */
export interface CommandsWanted {
  actor: string;
  board: string;
  fromUs: bigint | null;
  /** The cursor at which the previous page ended; 0 for the newest page. */
  before: bigint;
}

/** A board's game, by its number on the board or by its round; 0 matches any. If several games match, the newest is meant. */
export interface GameWanted {
  board: string;
  game: number;
  round: number;
}

/** The subject of a proof: a record, or the size of an earlier checkpoint. */
export type ProofWanted = Exclude<GetProofRequest["of"], { case: undefined }>;

/** A watcher's cursor, from which the hub resumes if it still can. */
export interface Place {
  epoch: bigint;
  seq: bigint;
}

/** Number of newest presses that the hub sends with a board, enough to extend those already known. `Transport.presses` also returns earlier ones. */
export const PRESSES_SENT = 2;

export interface Transport {
  /** Returns the person for whom this device is enrolled; throws `NotEnrolled` if it is not enrolled. */
  identity(signal: AbortSignal): Promise<Identity>;
  hall(signal: AbortSignal): Promise<Hall>;
  /**
   * Yields a snapshot and then updates. With `after`, yields only the updates after that cursor, if the hub still has them. The first update
   * may take long, so `opened` is called once the hub has begun to answer. Ends when the stream ends, and throws if the connection is lost.
   */
  watch(after: Place | null, signal: AbortSignal, opened: () => void): AsyncIterable<WatchUpdate>;
  send(request: CommandRequest, signal?: AbortSignal): Promise<CommandReply>;
  outcome(id: Uint8Array, signal?: AbortSignal): Promise<CommandReply>;
  agents(signal: AbortSignal): Promise<ListAgentsReply>;
  enrolmentCode(board: string): Promise<EnrolmentCode>;
  log(board: string, fromIndex: bigint, signal: AbortSignal): AsyncIterable<LogLine>;
  presses(board: string, signal: AbortSignal): Promise<Presses>;
  proceedings(board: string, signal: AbortSignal): Promise<Proceedings>;
  /** Tells all arbiters that this arbiter has acknowledged a call, or is on the way. */
  acknowledge(board: string, kind: CallKind, going: boolean): Promise<void>;
  /** Acknowledges notes, which ends them. If `board` is empty, the notes about each named clock end on every board. */
  acknowledgeNotes(board: string, notes: readonly SeenNote[], reason?: string): Promise<void>;
  /** Creates an enrolment code for the device of a person in a role; for a player, with a board and a side. */
  arbiterCode(name: string, role: Role, boards: string, side?: SideName): Promise<ArbiterCode>;
  devices(signal: AbortSignal): Promise<Device[]>;
  /** Revokes a device permanently. The device learns the reason, which may be empty. */
  revokeDevice(device: string, reason: string): Promise<void>;
  /** Yields the floor plan now and after each change. */
  watchFloor(signal: AbortSignal): AsyncIterable<Floor>;
  /** Moves boards on the floor plan. `whole` replaces the plan; the hub refuses this if the version is no longer `seenVersion`. */
  setFloor(places: BoardPlace[], whole: boolean, seenVersion: bigint): Promise<Floor>;
  broadcast(): Promise<Broadcast>;
  /** Changes the broadcast's settings. Without `token`, the stored Lichess token stays. */
  setBroadcast(settings: BroadcastSettings, token?: string): Promise<Broadcast>;
  /** Yields the commands that wait for a second arbiter, now and after each change. */
  watchHeld(signal: AbortSignal): AsyncIterable<HeldCommands>;
  decideHeld(id: Uint8Array, confirm: boolean): Promise<DecideHeldReply>;
  /** Returns a page of the commands in the log, newest first. */
  commands(wanted: CommandsWanted, signal: AbortSignal): Promise<ListCommandsReply>;
  /** Replays a board's game from the log. If a supposition is given, also replays the same presses under the supposition. */
  replay(game: GameWanted, supposed: Supposition | null, signal: AbortSignal): Promise<GameReplay>;
  checkpoint(signal: AbortSignal): Promise<LogCheckpoint>;
  /** Proves that a record is in the log, or that the log continues an earlier checkpoint. */
  proof(of: ProofWanted, signal: AbortSignal): Promise<LogProof>;
  readonly event: EventCalls;
  readonly enrolment: EnrolmentCalls;
  readonly player: PlayerCalls;
}

export type EventCalls = import("./event.js").EventCalls;

/** The failure of a request that the hub refused, or that the app refused to send. */
export class Refused extends Error {
  override name = "Refused";
  /** The reason, with the code from which its translation is made (words/refusal.ts). */
  readonly why: Refusal;

  constructor(text: string, about?: Refusal) {
    super(text);
    this.why = { ...(about ?? create(RefusalSchema)), text };
  }
}

/** The failure of a request that the hub may or may not have received. It may be sent again with the same id. */
export class Unreachable extends Error {
  override name = "Unreachable";
}

/** The failure of a request because this device is not enrolled: it has no usable key, or the hub denies the device. */
export class NotEnrolled extends Error {
  override name = "NotEnrolled";
  /** The hub's statement of who revoked the device, when and why; undefined if the hub made none. */
  readonly why: Refusal | undefined;

  constructor(text = "", why?: Refusal) {
    super(text);
    this.why = why;
  }
}
