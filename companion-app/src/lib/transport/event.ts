// The calls of the event service, using the types of its schema.

import type {
  ApplyReply,
  CrossTable,
  ExportFormat,
  ExportReply,
  ImportReply,
  ProposeNumbersReply,
  ProposePairingsReply,
  RoundReply,
  Standings,
  TournamentReply,
  TournamentUpdate,
  UndoImportReply,
} from "$gen/api/tournament_pb.js";
import type { CheckRatingReportReply, FideListStatus, SearchFideListReply } from "$gen/api/fide_pb.js";
import type { Change } from "$gen/frames/event_pb.js";
import type { Scope } from "$lib/event/round-work.js";

export interface ImportDraft {
  id: Uint8Array<ArrayBuffer>;
  fileName: string;
  content: Uint8Array<ArrayBuffer>;
  dryRun: boolean;
  seenVersion?: bigint;
  /** Number of pairings that the import may remove; must be the number that the dry run reported. */
  removePairings: number;
  /** The current event's name as typed by the arbiter. If set, the file opens a new event instead. */
  setAside?: string;
}

/** A request to start a round's clocks. Repeating it is harmless. */
export interface StartDraft {
  scope: Scope;
  /** True to report the boards' states without starting any clock. */
  dryRun: boolean;
  reason: string;
}
export interface PresetDraft extends StartDraft {
  /** The time control in notation; empty for the event's own. */
  control: string;
  /** True to set a clock again if it has a different time control. */
  again: boolean;
}

export interface FideListChunk {
  /** The id of the upload, the same for all of its chunks. */
  upload: Uint8Array<ArrayBuffer>;
  fileName: string;
  offset: bigint;
  content: Uint8Array<ArrayBuffer>;
  /** True for the last chunk, after which the hub imports the file. */
  last: boolean;
}

export interface EventCalls {
  /** Returns the event; `null` while the hub has none, or if its version does not support events. */
  tournament(signal: AbortSignal): Promise<TournamentReply | null>;
  watch(signal: AbortSignal): AsyncIterable<TournamentUpdate>;
  /** Applies changes. With `setAside`, the current event's name as typed by the arbiter, the changes begin a new event. */
  apply(id: Uint8Array<ArrayBuffer>, seenVersion: bigint, reason: string, changes: Change[], setAside?: string): Promise<ApplyReply>;
  preset(draft: PresetDraft): Promise<RoundReply>;
  /** Starts White's clock on the boards in the draft's scope; a dry run only reports the boards' states. */
  start(draft: StartDraft): Promise<RoundReply>;
  /** Returns the pairings that the hub proposes for the next round, or for all remaining rounds. */
  proposePairings(draft: { all: boolean; keepNumbers: boolean }, signal: AbortSignal): Promise<ProposePairingsReply>;
  /** Returns pairing numbers in FIDE's initial order. */
  proposeNumbers(signal: AbortSignal): Promise<ProposeNumbersReply>;
  importFile(draft: ImportDraft): Promise<ImportReply>;
  /** Undoes the import that made this version. A dry run only reports what would be removed. */
  undoImport(id: Uint8Array<ArrayBuffer>, version: bigint, dryRun: boolean): Promise<UndoImportReply>;
  standings(after: number, explain: number, signal: AbortSignal): Promise<Standings>;
  crossTable(after: number, signal: AbortSignal): Promise<CrossTable>;
  /** Returns the findings of the rating report's check: missing data, and points that a rating officer may question. */
  checkRatingReport(signal: AbortSignal): Promise<CheckRatingReportReply>;
  exportFile(format: ExportFormat): Promise<ExportReply>;
  searchFideList(text: string, limit: number, signal: AbortSignal): Promise<SearchFideListReply>;
  fideListStatus(signal: AbortSignal): Promise<FideListStatus>;
  importFideList(chunk: FideListChunk): Promise<FideListStatus>;
}
