// Clock tests: the boards, each clock's certificate, and the certificates in the hub's log.
//
// Owns the answers of a test, which outlive the sheet. Must never judge a clock: the hub does.

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

/** The result of one clock's test. */
export interface Certificate {
  agent: string;
  name: string;
  firmware: string;
  /** Milliseconds since 1970. */
  atMs: number;
  /** How far the stamp lies outside request and answer; absent if there was no press. */
  errorUs?: bigint;
  ratePpb?: bigint;
  /** The reasons for a failure; empty if the clock passed. */
  findings: string[];
}

/** A board of the test. */
export interface Row {
  board: string;
  /** Why it has no certificate. */
  refusal: string;
  certificates: Certificate[];
}

/** Boards tested at the same time. */
const AT_ONCE = 4;

export class ZeroTest {
  /** Each once, however many clocks it has: one command tests them all. */
  readonly boards: readonly string[];
  rows: Row[] = $state.raw([]);
  /** Set when no further board is tested. */
  over = $state(false);
  #stopped = false;

  constructor(boards: Iterable<string>, rows: Row[] = []) {
    this.boards = [...new Set(boards)];
    this.rows = rows;
  }

  /** The number of boards whose clocks all passed. */
  get passed(): number {
    return this.rows.filter((row) => row.certificates.length > 0 && row.certificates.every((one) => one.findings.length === 0)).length;
  }

  /** Tests one board after another. Its slips are dismissed, because the sheet shows the answers. */
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
    // In order of arrival until all have arrived, then in the order of the hall.
    this.rows = [...this.rows].sort((a, b) => this.boards.indexOf(a.board) - this.boards.indexOf(b.board));
    this.over = true;
  }

  /** Tests no further board; a test under way ends normally. */
  stop(): void {
    this.#stopped = true;
  }
}

/** Returns the boards that can be tested: their clock is connected and no game is in progress. */
export function testable(agents: readonly Agent[], phase: (board: string) => BoardState["phase"] | undefined): string[] {
  const heard = agents.filter((agent) => agent.board && agent.online && !agent.revoked).map((agent) => agent.board);
  return [...new Set(heard)].filter((board) => !inPlay(phase(board)));
}

export function inPlay(phase: BoardState["phase"] | undefined): boolean {
  return phase !== undefined && phase !== "ready" && phase !== "over";
}

/** Returns the newest certificate of a clock in its board's log. */
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
    // The part read so far need not contain the newest.
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
  const errorUs = estUs === undefined || heardUs === undefined ? undefined : most(askedUs - estUs, estUs - heardUs);
  return { agent: hex(one.agent), name, firmware, findings: findingWords(one, {}), atMs: Number(one.wallUs) / 1000, ...figures(errorUs, one.ratePpb) };
}

function figures(errorUs: bigint | undefined, ratePpb: bigint | undefined): Pick<Certificate, "errorUs" | "ratePpb"> {
  return { ...(errorUs === undefined ? {} : { errorUs }), ...(ratePpb === undefined ? {} : { ratePpb }) };
}

/** Returns the larger error; a clock without one has none. */
function most(before: bigint, after: bigint): bigint {
  const more = before > after ? before : after;
  return more > 0n ? more : 0n;
}

/** The newest test of this device, which can be viewed and printed after the sheet was closed. */
class NewestTest {
  test: ZeroTest | null = $state.raw(null);
}
export const newestTest = new NewestTest();
