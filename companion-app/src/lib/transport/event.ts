// The calls of the event service, in the terms of its schema.

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

/** A file to import, or to compare in a dry run. */
export interface ImportDraft {
  id: Uint8Array<ArrayBuffer>;
  fileName: string;
  content: Uint8Array<ArrayBuffer>;
  dryRun: boolean;
  seenVersion?: bigint;
  /** The number of pairings that may be removed. */
  removePairings: number;
  /** The typed name of the present event; set to open the file as another event. */
  setAside?: string;
}

/** A request to start the clocks of a round. Repeating it is harmless. */
export interface StartDraft {
  scope: Scope;
  /** Only reports the state of the boards. */
  dryRun: boolean;
  reason: string;
}
export interface PresetDraft extends StartDraft {
  /** The control in notation; empty for the event's. */
  control: string;
  /** Sets clocks again that have another control. */
  again: boolean;
}

/** A part of FIDE's rating list, and its position in the file. */
export interface FideListPiece {
  /** The id of the upload, the same for every part. */
  upload: Uint8Array<ArrayBuffer>;
  fileName: string;
  offset: bigint;
  content: Uint8Array<ArrayBuffer>;
  /** The file is complete and can be imported. */
  last: boolean;
}

export interface EventCalls {
  /** `null` while the hub has no event. */
  tournament(signal: AbortSignal): Promise<TournamentReply | null>;
  watch(signal: AbortSignal): AsyncIterable<TournamentUpdate>;
  /** `setAside` is the typed name of the present event: the changes begin another one. */
  apply(id: Uint8Array<ArrayBuffer>, seenVersion: bigint, reason: string, changes: Change[], setAside?: string): Promise<ApplyReply>;
  /** Sets the clocks of a round. */
  preset(draft: PresetDraft): Promise<RoundReply>;
  /** Starts White's clocks of a round. */
  start(draft: StartDraft): Promise<RoundReply>;
  /** Returns the next round, or all remaining ones, as the hub would pair them. */
  proposePairings(draft: { all: boolean; keepNumbers: boolean }, signal: AbortSignal): Promise<ProposePairingsReply>;
  /** Returns new pairing numbers in FIDE's initial order. */
  proposeNumbers(signal: AbortSignal): Promise<ProposeNumbersReply>;
  importFile(draft: ImportDraft): Promise<ImportReply>;
  /** Undoes the import that made this version; a dry run reports what that removes. */
  undoImport(id: Uint8Array<ArrayBuffer>, version: bigint, dryRun: boolean): Promise<UndoImportReply>;
  standings(after: number, explain: number, signal: AbortSignal): Promise<Standings>;
  crossTable(after: number, signal: AbortSignal): Promise<CrossTable>;
  /** Returns what is missing in the rating report. */
  checkRatingReport(signal: AbortSignal): Promise<CheckRatingReportReply>;
  exportFile(format: ExportFormat): Promise<ExportReply>;
  searchFideList(text: string, limit: number, signal: AbortSignal): Promise<SearchFideListReply>;
  fideListStatus(signal: AbortSignal): Promise<FideListStatus>;
  importFideList(piece: FideListPiece): Promise<FideListStatus>;
}
