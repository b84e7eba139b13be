// The pages of commands in the audit view.
//
// Owns the filter and the pages read so far. Must never change anything at the hub.

import { fromBinary } from "@bufbuild/protobuf";
import type { LoggedCommand } from "$gen/api/audit_pb.js";
import { RecordSchema } from "$gen/frames/log_pb.js";
import type { CommandsWanted, Transport } from "$lib/transport/transport.js";
import { callWords, recordWords, type Input } from "$lib/words/record.js";
import { failureWords } from "$lib/words/refusal.js";

/** The time spans that the filter offers, in hours; 0 stands for the whole log. */
export const HOURS = [0, 1, 4, 24] as const;
const HOUR_US = 3600e6;
/** Number of rows after which reading pauses until the arbiter asks for more. */
const ROWS = 50;

export class Audit {
  actor = $state("");
  board = $state("");
  hours: number = $state(0);
  /** The commands read so far, newest first. */
  commands: readonly LoggedCommand[] = $state.raw([]);
  more = $state(false);
  reading = $state(false);
  refusal = $state("");
  #wanted: CommandsWanted = { actor: "", board: "", fromUs: null, before: 0n };
  #life = new AbortController();
  readonly #transport: Pick<Transport, "commands">;
  readonly #nowUs: () => number | null;

  constructor(transport: Pick<Transport, "commands">, nowUs: () => number | null) {
    this.#transport = transport;
    this.#nowUs = nowUs;
  }

  async start(): Promise<void> {
    this.#life.abort();
    this.#life = new AbortController();
    const now = this.#nowUs();
    const fromUs = this.hours === 0 || now === null ? null : BigInt(Math.round(now - this.hours * HOUR_US));
    this.#wanted = { actor: this.actor.trim(), board: this.board.trim(), fromUs, before: 0n };
    this.commands = [];
    await this.next();
  }

  /** Reads more records until there are fifty more rows or the log ends. A page may be empty if matching commands are rare. */
  async next(): Promise<void> {
    const { signal } = this.#life;
    const until = this.commands.length + ROWS;
    this.reading = true;
    this.refusal = "";
    try {
      do {
        const page = await this.#transport.commands(this.#wanted, signal);
        if (signal.aborted) return;
        this.commands = [...this.commands, ...page.commands];
        this.#wanted = { ...this.#wanted, before: page.nextBefore };
        this.more = page.nextBefore > 0n;
      } while (this.more && this.commands.length < until);
    } catch (error) {
      if (signal.aborted) return;
      this.refusal = failureWords(error);
    }
    this.reading = false;
  }

  stop(): void {
    this.#life.abort();
  }
}

export function auditWords({ record, text }: LoggedCommand): string {
  const { input } = fromBinary(RecordSchema, record);
  // A record that contains only a signature stands for a call that left no other record.
  if (input.case === "requestSigned") return callWords(input.value.path);
  const said = recordWords(input, text);
  const reason = reasonIn(input);
  return reason ? `${said}: ${reason}` : said;
}

function reasonIn(input: Input): string {
  switch (input.case) {
    case "command":
    case "eventChanged":
    case "agentRevoked":
    case "noteAcknowledged":
      return input.value.reason;
    case "commandHeld":
      return input.value.what.value?.reason ?? "";
    case undefined:
    default:
      return "";
  }
}
