// The calls of the event's service, in the words of its schema. Owns no state.

import type { ApplyReply, CrossTable, ExportFormat, ExportReply, ImportReply, ProposeNumbersReply, ProposePairingsReply, RoundReply, Standings, TournamentReply, TournamentUpdate, UndoImportReply } from "$gen/api/tournament_pb.js";
import type { CheckRatingReportReply, FideListStatus, SearchFideListReply } from "$gen/api/fide_pb.js";
import type { Change } from "$gen/frames/event_pb.js";
import type { Scope } from "$lib/event/round-work.js";

/** A file to be read, and whether only its difference is asked for. */
export interface ImportWish {
  id: Uint8Array<ArrayBuffer>;
  fileName: string;
  content: Uint8Array<ArrayBuffer>;
  dryRun: boolean;
  seenVersion?: bigint;
  /** How many pairings may be taken away. */
  removePairings: number;
  /** The file is opened as another event: the present one's name, as it was typed. */
  setAside?: string;
}

/** What is asked of the clocks of a round. Asking again is harmless. */
export interface StartWish {
  scope: Scope;
  /** Only asks how the boards stand. */
  dryRun: boolean;
  reason: string;
}
export interface PresetWish extends StartWish {
  /** In notation, instead of the event's own; empty: the event's. */
  control: string;
  /** Clocks that have another control by now are set again. */
  again: boolean;
}

/** A piece of a file of FIDE's, and where in it. */
export interface FideListPiece {
  /** The same for every piece of a file. */
  upload: Uint8Array<ArrayBuffer>;
  fileName: string;
  offset: bigint;
  content: Uint8Array<ArrayBuffer>;
  /** The file is complete: import it. */
  last: boolean;
}

export interface EventCalls {
  /** `null` while the hub has no event. */
  tournament(signal: AbortSignal): Promise<TournamentReply | null>;
  watch(signal: AbortSignal): AsyncIterable<TournamentUpdate>;
  apply(id: Uint8Array<ArrayBuffer>, seenVersion: bigint, reason: string, changes: Change[]): Promise<ApplyReply>;
  /** Sets the clocks of a round. */
  preset(wish: PresetWish): Promise<RoundReply>;
  /** Starts White's clocks of a round. */
  start(wish: StartWish): Promise<RoundReply>;
  /** The next round, or all that are left, as the hub would pair them. */
  proposePairings(wish: { all: boolean; keepNumbers: boolean }, signal: AbortSignal): Promise<ProposePairingsReply>;
  /** Other pairing numbers, as they could be given: those of FIDE's initial order. */
  proposeNumbers(signal: AbortSignal): Promise<ProposeNumbersReply>;
  importFile(wish: ImportWish): Promise<ImportReply>;
  /** Undoes the import that made this version; a dry run says what that takes back. */
  undoImport(id: Uint8Array<ArrayBuffer>, version: bigint, dryRun: boolean): Promise<UndoImportReply>;
  standings(after: number, explain: number, signal: AbortSignal): Promise<Standings>;
  crossTable(after: number, signal: AbortSignal): Promise<CrossTable>;
  /** What the rating report lacks. */
  checkRatingReport(signal: AbortSignal): Promise<CheckRatingReportReply>;
  exportFile(format: ExportFormat): Promise<ExportReply>;
  searchFideList(text: string, limit: number, signal: AbortSignal): Promise<SearchFideListReply>;
  fideListStatus(signal: AbortSignal): Promise<FideListStatus>;
  importFideList(piece: FideListPiece): Promise<FideListStatus>;
}
