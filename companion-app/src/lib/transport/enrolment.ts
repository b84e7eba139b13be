// The calls for enrolling many clocks: printed codes, and one code for all clocks, which the chief arbiter admits.

import type { EnrolmentSheet, EnrolmentState } from "$gen/api/enrolment_pb.js";

/** The settings of enrolment with one code. */
export interface WindowDraft {
  clocks: number;
  minutes: number;
  /** In the order in which clocks get them. */
  boards: string[];
}

/** A sheet of codes to print; no boards means all boards without a clock. */
export interface SheetDraft {
  boards: string[];
  eachSide: boolean;
  hours: number;
}

export interface EnrolmentCalls {
  makeSheet(draft: SheetDraft): Promise<EnrolmentSheet>;
  /** Returns how many unused codes were withdrawn. */
  withdrawSheet(sheet: bigint): Promise<number>;
  open(draft: WindowDraft): Promise<EnrolmentState>;
  /** Admits clocks by their keys, each to its board. */
  admit(window: bigint, clocks: readonly { key: string; board: string }[]): Promise<EnrolmentState>;
  refuse(window: bigint, key: string): Promise<EnrolmentState>;
  closeWindow(window: bigint): Promise<EnrolmentState>;
  /** Yields the state of enrolment, now and at every change. */
  watch(signal: AbortSignal): AsyncIterable<EnrolmentState>;
}
