// The calls of the event's service, in the words of its schema. Owns no state.

import type {
  ApplyReply,
  CrossTable,
  ImportReply,
  Standings,
  TournamentReply,
  TournamentUpdate,
} from "$gen/api/tournament_pb.js";
import type { Change } from "$gen/frames/event_pb.js";

/** A file to be read, and whether only its difference is asked for. */
export interface ImportWish {
  id: Uint8Array<ArrayBuffer>;
  fileName: string;
  content: Uint8Array<ArrayBuffer>;
  dryRun: boolean;
  seenVersion?: bigint;
}

export interface EventCalls {
  /** `null` while the hub has no event. */
  tournament(signal: AbortSignal): Promise<TournamentReply | null>;
  watch(signal: AbortSignal): AsyncIterable<TournamentUpdate>;
  apply(id: Uint8Array<ArrayBuffer>, seenVersion: bigint, reason: string, changes: Change[]): Promise<ApplyReply>;
  importFile(wish: ImportWish): Promise<ImportReply>;
  standings(after: number, explain: number, signal: AbortSignal): Promise<Standings>;
  crossTable(after: number, signal: AbortSignal): Promise<CrossTable>;
}
