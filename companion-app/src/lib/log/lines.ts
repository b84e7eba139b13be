// A record of the hub's log as a line for an arbiter: when, who, what. Reads what it knows and leaves the rest in the hub's words.

import { fromBinary } from "@bufbuild/protobuf";
import type { LogLine } from "$gen/api/arbiter_pb.js";
import { Button, EventBodySchema, type EventBody } from "$gen/frames/frames_pb.js";
import { RecordSchema, type CommandReceived, type Record as LogRecord } from "$gen/frames/log_pb.js";
import { hex, type SideName } from "$lib/hall/board.js";

/** `quiet` lines are the clockwork: they are shown only when asked for. */
export type Kind = "arbiter" | "press" | "clock" | "hub" | "quiet";

export interface Line {
  index: bigint;
  atUs: number;
  kind: Kind;
  /** Who did it; empty for clock, hub and players. */
  actor: string;
  /** In the hub's words. */
  text: string;
  reason: string;
  refused: boolean;
  /** A command's id, as its slip has it. */
  id?: string;
  /** Id of the command that this line withdraws. */
  withdraws?: string;
  /** Id of the command that this line forces on a board whose clock is silent. */
  forces?: string;
  /** A command's text form, for words in the arbiter's language. */
  command?: string;
  /** A player's offence was punished with it. */
  offence?: true;
  /** A press: its number in the clock's chain, its button, and what both sides had after it. */
  press?: { eventSeq: bigint; button: "left" | "right" };
  /** The players stopped both clocks (FIDE 6.11.2). */
  stopped?: true;
  after?: Record<SideName, number>;
  /** A new game begins here. */
  begins: boolean;
}

export function lineFrom(line: LogLine): Line {
  const record = fromBinary(RecordSchema, line.record);
  const plain: Line = {
    index: line.index,
    atUs: Number(line.hubUs),
    kind: "hub",
    actor: "",
    text: line.text.replace(/ \[White [^\]]*\]$/, ""),
    reason: "",
    refused: false,
    begins: false,
    ...(record.after ? { after: { white: Number(record.after.whiteUs), black: Number(record.after.blackUs) } } : {}),
  };
  return { ...plain, ...told(record, plain) };
}

function told(record: LogRecord, line: Line): Partial<Line> {
  switch (record.input.case) {
    case "command":
      return commanded(record.input.value, line);
    case "agentEvent":
      return happened(fromBinary(EventBodySchema, record.input.value.body));
    case "forced":
      return { kind: "arbiter", actor: record.input.value.actor, forces: hex(record.input.value.id) };
    case "withdrawn":
      return { kind: "arbiter", actor: record.input.value.actor, withdraws: hex(record.input.value.id) };
    case "settled":
    case "passed":
      return { kind: "quiet" };
    case "agentEnrolled":
    case "agentRevoked":
    case "zeroTestEnded":
    case "equivocation":
      return { kind: "clock" };
    case "opened":
    case "hubStarted":
    case "note":
    case "noteOver":
    case "arbiters":
    default:
      return {};
  }
}

function commanded({ id, actor, reason, what, offence }: CommandReceived, { text }: Line): Partial<Line> {
  const by = ` by ${actor}${reason ? ` (${reason})` : ""}`;
  const own: Partial<Line> = { kind: "arbiter", id: hex(id), actor, reason, text: text.endsWith(by) ? text.slice(0, -by.length) : text, ...(offence ? { offence: true } : {}) };
  if (what.case === "refused") return { ...own, refused: true };
  if (what.case === "addBoard") return { ...own, begins: true };
  if (what.case === "boardCommand") return { ...own, command: what.value, begins: what.value.startsWith("prepare ") };
  return own;
}

function happened(body: EventBody): Partial<Line> {
  switch (body.fact.case) {
    case "press": {
      const button = body.fact.value.button === Button.RIGHT ? "right" : "left";
      return { kind: "press", press: { eventSeq: body.seq, button } };
    }
    case "orderTaken":
      return { kind: "quiet" };
    case "stop":
      return { kind: "press", stopped: true };
    case "rebase":
    case "correction":
    case "zeroTested":
    default:
      return { kind: "clock" };
  }
}
