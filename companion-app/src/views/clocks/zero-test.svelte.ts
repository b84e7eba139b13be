// Clock tests: the boards under test, each clock's certificate, and certificates from the hub's log.
//
// Owns the results of a test, which remain when the sheet is closed. Must never judge a clock: the hub does.

import { fromBinary } from "@bufbuild/protobuf";
import type { Agent } from "$gen/api/arbiter_pb.js";
import type { ZeroCertificate } from "$gen/api/zero_test_pb.js";
import { RecordSchema, type ZeroTestEnded } from "$gen/frames/log_pb.js";
import { m } from "$gen/words/messages.js";
import { zeroTest } from "$lib/commands/command.js";
import type { Ledger } from "$lib/commands/ledger.svelte.js";
import { hex, type BoardState } from "$lib/hall/board.js";
import type { Transport } from "$lib/transport/transport.js";
import { findingWords } from "$lib/words/clock-test.js";
import { failureWords } from "$lib/words/refusal.js";

export interface Certificate {
  agent: string;
  name: string;
  firmware: string;
  /** The time of the test, in milliseconds since 1970. */
  atMs: number;
  /** Time by which the stamp lies outside the interval from the request to the press's arrival; absent without a stamp on the hub's timeline. */
  errorUs?: bigint;
  ratePpb?: bigint;
  /** The reasons for a failure; empty if the clock passed. */
  findings: string[];
}

export interface Row {
  board: string;
  /** The reason to show if the board has no certificate. */
  refusal: string;
  certificates: Certificate[];
}

const AT_ONCE = 4;

export class ZeroTest {
  /** The boards, each once even if it has two clocks, because a single command tests both. */
  readonly boards: readonly string[];
  rows: Row[] = $state.raw([]);
  /** True once all boards are tested, or the test was stopped. */
  over = $state(false);
  #stopped = false;

  constructor(boards: Iterable<string>, rows: Row[] = []) {
    this.boards = [...new Set(boards)];
    this.rows = rows;
  }

  /** Number of boards whose clocks all passed. */
  get passed(): number {
    return this.rows.filter((row) => row.certificates.length > 0 && row.certificates.every((one) => one.findings.length === 0)).length;
  }

  /** Tests the boards, a few at a time. Dismisses the slips, because the sheet shows the results. */
  async run(ledger: Pick<Ledger, "send" | "dismiss">): Promise<void> {
    const waiting = [...this.boards];
    const work = async (): Promise<void> => {
      for (let board = waiting.shift(); board !== undefined && !this.#stopped; board = waiting.shift()) {
        const slip = await ledger.send({ board, label: m.clock_test(), reason: "", commands: [zeroTest()] });
        ledger.dismiss(slip);
        const certificates = (slip.reply?.certificates ?? []).map(answered);
        this.rows = [...this.rows, { board, refusal: slip.rule || m.unknown_why(), certificates }];
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    // The rows are in order of arrival during the test, and in the hall's order afterwards.
    this.rows = [...this.rows].sort((a, b) => this.boards.indexOf(a.board) - this.boards.indexOf(b.board));
    this.over = true;
  }

  /** Stops the test after the boards in progress. */
  stop(): void {
    this.#stopped = true;
  }
}

/** Returns the boards that can be tested: the clock is connected, and no game is in progress. */
export function testable(agents: readonly Agent[], phase: (board: string) => BoardState["phase"] | undefined): string[] {
  const heard = agents.filter((agent) => agent.board && agent.online && !agent.revoked).map((agent) => agent.board);
  return [...new Set(heard)].filter((board) => !inPlay(phase(board)));
}

export function inPlay(phase: BoardState["phase"] | undefined): boolean {
  return phase !== undefined && phase !== "ready" && phase !== "over";
}

/** Returns a test that contains only the newest certificate of a clock in its board's log. */
export async function lastCertificate(transport: Pick<Transport, "log">, { key, board }: Pick<Agent, "key" | "board">, signal: AbortSignal): Promise<ZeroTest> {
  let last: Certificate | null = null;
  let refusal = "";
  try {
    for await (const line of transport.log(board, 0n, signal)) {
      const { input } = fromBinary(RecordSchema, line.record);
      if (input.case === "zeroTestEnded" && hex(input.value.agent) === key) last = kept(input.value);
    }
    refusal = m.no_certificate({ board });
  } catch (error) {
    // The newest certificate may be in the part of the log that was not read.
    last = null;
    refusal = failureWords(error);
  }
  const test = new ZeroTest([board], [{ board, refusal, certificates: last ? [last] : [] }]);
  test.over = true;
  return test;
}

function answered(one: ZeroCertificate): Certificate {
  const { agent, name, firmware } = one;
  return {
    agent,
    name,
    firmware,
    findings: findingWords(one, { errorUs: one.errorUs, limitErrorUs: one.limitErrorUs, limitIntervalUs: one.limitIntervalUs, limitRatePpb: one.limitRatePpb }),
    atMs: Number(one.wallUs) / 1000,
    ...figures(one.errorUs, one.ratePpb),
  };
}

function kept(one: ZeroTestEnded): Certificate {
  const { name, firmware, estUs, heardUs, askedUs } = one;
  const errorUs = estUs === undefined || heardUs === undefined ? undefined : largerError(askedUs - estUs, estUs - heardUs);
  return { agent: hex(one.agent), name, firmware, findings: findingWords(one, {}), atMs: Number(one.wallUs) / 1000, ...figures(errorUs, one.ratePpb) };
}

function figures(errorUs: bigint | undefined, ratePpb: bigint | undefined): Pick<Certificate, "errorUs" | "ratePpb"> {
  return { ...(errorUs === undefined ? {} : { errorUs }), ...(ratePpb === undefined ? {} : { ratePpb }) };
}

/** Returns the larger of the two errors; 0 if the stamp lies inside the interval. */
function largerError(before: bigint, after: bigint): bigint {
  const more = before > after ? before : after;
  return more > 0n ? more : 0n;
}

/** The newest test on this device. It can be viewed and printed even after the sheet has been closed. */
class NewestTest {
  test: ZeroTest | null = $state.raw(null);
}
export const newestTest = new NewestTest();
