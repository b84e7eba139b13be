// Zero-control tests: which boards are asked, what each clock's certificate says, and the certificates that the hub's log has kept.
//
// Owns the answers of a test, which outlive the sheet that shows them. Must never judge a clock: the hub does.

import { fromBinary } from "@bufbuild/protobuf";
import type { Agent, ZeroCertificate } from "$gen/api/arbiter_pb.js";
import { RecordSchema, type ZeroTestEnded } from "$gen/frames/log_pb.js";
import { m } from "$gen/words/messages.js";
import { zeroTest } from "$lib/commands/command.js";
import type { Ledger } from "$lib/commands/ledger.svelte.js";
import { hex, type BoardState } from "$lib/hall/board.js";
import type { Transport } from "$lib/transport/transport.js";
import { failureWords } from "$lib/words/refusal.js";

/** What a test found of one clock. */
export interface Certificate {
  agent: string;
  name: string;
  firmware: string;
  /** When it was asked, milliseconds since 1970. */
  atMs: number;
  /** How far its stamp lies outside question and answer; absent where no press came. */
  errorUs?: bigint;
  ratePpb?: bigint;
  /** Why it failed, in the hub's words; none: it passed. */
  findings: string[];
}

/** A board that was asked. */
export interface Row {
  board: string;
  /** Why it has no certificate. */
  refusal: string;
  certificates: Certificate[];
}

/** Boards that are asked at the same time. */
const AT_ONCE = 4;

export class ZeroTest {
  /** Each once, however many clocks it has: one command tests all of them. */
  readonly boards: readonly string[];
  rows: Row[] = $state.raw([]);
  /** Nobody is asked any more. */
  over = $state(false);
  #stopped = false;

  constructor(boards: Iterable<string>, rows: Row[] = []) {
    this.boards = [...new Set(boards)];
    this.rows = rows;
  }

  /** Boards of which every clock passed. */
  get passed(): number {
    return this.rows.filter((row) => row.certificates.length > 0 && row.certificates.every((one) => one.findings.length === 0)).length;
  }

  /** Asks board after board. What is said here needs no slip on the board: each is put away with its answer. */
  async run(ledger: Pick<Ledger, "send" | "put">): Promise<void> {
    const waiting = [...this.boards];
    const work = async (): Promise<void> => {
      for (let board = waiting.shift(); board !== undefined && !this.#stopped; board = waiting.shift()) {
        const slip = await ledger.send({ board, label: m.clock_test(), reason: "", commands: [zeroTest()] });
        ledger.put(slip);
        const certificates = (slip.reply?.certificates ?? []).map(answered);
        this.rows = [...this.rows, { board, refusal: slip.rule || m.unknown_why(), certificates }];
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    // As they came they were shown; as the hall has them they are looked through and printed.
    this.rows = [...this.rows].sort((a, b) => this.boards.indexOf(a.board) - this.boards.indexOf(b.board));
    this.over = true;
  }

  /** Asks no further board; a clock that is making its press makes it. */
  stop(): void {
    this.#stopped = true;
  }
}

/** Boards that can be tested now: their clock is heard and no game is played on them. */
export function testable(agents: readonly Agent[], phase: (board: string) => BoardState["phase"] | undefined): string[] {
  const heard = agents.filter((agent) => agent.board && agent.online && !agent.revoked).map((agent) => agent.board);
  return [...new Set(heard)].filter((board) => !inPlay(phase(board)));
}

export function inPlay(phase: BoardState["phase"] | undefined): boolean {
  return phase !== undefined && phase !== "ready" && phase !== "over";
}

/** The newest certificate of a clock that its board's log has. */
export async function lastOf(transport: Pick<Transport, "log">, { key, board }: Pick<Agent, "key" | "board">, signal: AbortSignal): Promise<ZeroTest> {
  let last: Certificate | null = null;
  let refusal = "";
  try {
    for await (const line of transport.log(board, 0n, signal)) {
      const { input } = fromBinary(RecordSchema, line.record);
      if (input.case === "zeroTestEnded" && hex(input.value.agent) === key) last = kept(input.value);
    }
    refusal = m.no_certificate({ board });
  } catch (error) {
    // What had been read by then need not be the newest.
    last = null;
    refusal = failureWords(error);
  }
  const test = new ZeroTest([board], [{ board, refusal, certificates: last ? [last] : [] }]);
  test.over = true;
  return test;
}

function answered(one: ZeroCertificate): Certificate {
  const { agent, name, firmware, findings } = one;
  return { agent, name, firmware, findings, atMs: Number(one.wallUs) / 1000, ...figures(one.errorUs, one.ratePpb) };
}

function kept(one: ZeroTestEnded): Certificate {
  const { name, firmware, findings, estUs, heardUs, askedUs } = one;
  const errorUs = estUs === undefined || heardUs === undefined ? undefined : most(askedUs - estUs, estUs - heardUs);
  return { agent: hex(one.agent), name, firmware, findings, atMs: Number(one.wallUs) / 1000, ...figures(errorUs, one.ratePpb) };
}

function figures(errorUs: bigint | undefined, ratePpb: bigint | undefined): Pick<Certificate, "errorUs" | "ratePpb"> {
  return { ...(errorUs === undefined ? {} : { errorUs }), ...(ratePpb === undefined ? {} : { ratePpb }) };
}

/** Nothing is less than no error at all. */
function most(before: bigint, after: bigint): bigint {
  const more = before > after ? before : after;
  return more > 0n ? more : 0n;
}

/** The newest test of this device, so that its certificates can be seen and printed after the sheet has been closed. */
class Kept {
  test: ZeroTest | null = $state.raw(null);
}
export const keptTest = new Kept();
