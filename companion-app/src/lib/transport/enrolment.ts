// The calls for enrolling many clocks: printed codes, or a single code for all clocks, which the chief arbiter then admits.

import type { EnrolmentSheet, EnrolmentState } from "$gen/api/enrolment_pb.js";

export interface WindowDraft {
  clocks: number;
  minutes: number;
  /** The boards, in the order in which clocks get them. */
  boards: string[];
}

/** A sheet of codes to print. If `boards` is empty, the sheet covers all boards without a clock. */
export interface SheetDraft {
  boards: string[];
  eachSide: boolean;
  hours: number;
}

export interface EnrolmentCalls {
  makeSheet(draft: SheetDraft): Promise<EnrolmentSheet>;
  /** Withdraws a sheet's unused codes, and returns how many there were. */
  withdrawSheet(sheet: bigint): Promise<number>;
  open(draft: WindowDraft): Promise<EnrolmentState>;
  admit(window: bigint, clocks: readonly { key: string; board: string }[]): Promise<EnrolmentState>;
  refuse(window: bigint, key: string): Promise<EnrolmentState>;
  closeWindow(window: bigint): Promise<EnrolmentState>;
  /** Yields the state of enrolment now and after each change. */
  watch(signal: AbortSignal): AsyncIterable<EnrolmentState>;
}
