// Converts records of the hub's log to lines for an arbiter: time, actor, text. Unknown records keep the hub's own text.
//
// Owns how a record is split: a record that confirms a press and a flag becomes two lines, each with its own time.

import { fromBinary } from "@bufbuild/protobuf";
import type { LogLine } from "$gen/api/arbiter_pb.js";
import { Button, EventBodySchema, type EventBody } from "$gen/frames/frames_pb.js";
import { RecordSchema, type Changed, type CommandHeld, type CommandReceived, type Record as LogRecord } from "$gen/frames/log_pb.js";
import { Side } from "$gen/frames/side_pb.js";
import { hex, type SideName } from "$lib/hall/board.js";
import { effectOf, type Effect } from "./effects.js";

/** The kind of a line. `quiet` lines concern only the clock's internals and are shown only on request. */
export type Kind = "arbiter" | "press" | "flag" | "link" | "clock" | "hub" | "quiet";

export interface Made {
  eventSeq: bigint;
  side: SideName;
  move: number;
  usedUs: number;
  leftUs: number;
}

export interface Line {
  index: bigint;
  /** The index of the line among the lines of its record. */
  part: number;
  atUs: number;
  kind: Kind;
  /** The number of the game on its board, counted from 1; 0 if the line belongs to no game. */
  game: number;
  /** The round of the event to which the game belongs; 0 if none. */
  round: number;
  /** The arbiter; empty if the clock, the hub or a player acted. */
  actor: string;
  /** The hub's own text, for records that only a newer hub knows. */
  text: string;
  /** The record's input, from which the text of most lines is made. */
  input: LogRecord["input"];
  reason: string;
  refused: boolean;
  id?: string;
  withdraws?: string;
  forces?: string;
  /** The notation of a command, which is translated for display. */
  command?: string;
  offence?: true;
  /** A press: its number in the clock's sequence, and the button. */
  press?: { eventSeq: bigint; button: "left" | "right" };
  made?: Made;
  /** A flag: unconfirmed, or confirmed by the clock as fallen at `confirmedUs`. */
  flag?: { side: SideName; confirmedUs?: number };
  /** A connection that was restored or lost; `heardUs` is the last contact before the loss. */
  link?: { online: boolean; heardUs?: number };
  /** Set when the players stopped both clocks, or called the arbiter with the clocks stopped (FIDE 6.11.2). */
  stopped?: "stopped" | "called";
  after?: Record<SideName, number>;
  /** Set if the clock set itself for a new game, as an earlier order had requested. */
  gameSet?: true;
  /** The values that a command changed. Both the request's line and the clock's line have them. */
  effect?: Effect;
  /** The ids of the commands that the clock executed or refused with this record. */
  answers: string[];
}

/** Returns the lines of a record: its own line, then its moves and flags in order of time. A press becomes the line of its move. */
export function linesFrom(line: LogLine): Line[] {
  const record = fromBinary(RecordSchema, line.record);
  const { changed } = record;
  const plain: Line = {
    index: line.index,
    part: 0,
    atUs: Number(line.hubUs),
    kind: "hub",
    game: line.game,
    round: line.round,
    actor: "",
    text: line.text.replace(/ \[White [^\]]*\]$/, ""),
    input: record.input,
    reason: "",
    refused: false,
    answers: changed?.commands.map(hex) ?? [],
    ...(record.after ? { after: { white: Number(record.after.whiteUs), black: Number(record.after.blackUs) } } : {}),
  };
  const own: Line = { ...plain, ...told(record, plain) };
  if (!changed) return [own];
  const effect = effectOf(changed);
  const first: Line = {
    ...own,
    ...(effect ? { effect } : {}),
    ...stopOf(own, changed),
    ...(changed.newGame && own.kind === "quiet" ? { kind: "clock", gameSet: true } : {}),
  };
  const derived = [...movesOf(own, changed), ...flagsOf(own, changed)].sort((a, b) => a.atUs - b.atUs);
  // A press is shown as the line of its move. With two clocks, the move also needs the other clock's report, so it appears in a later
  // record.
  if (own.press && changed.moves.length > 0) return derived.map((one, part) => ({ ...one, part }));
  const waits = own.press !== undefined && own.after === undefined;
  return [waits ? { ...first, kind: "quiet" as const } : first, ...derived.map((one, at) => ({ ...one, part: at + 1 }))];
}

function movesOf(own: Line, { moves }: Changed): Line[] {
  return moves.map((made) => {
    const side = sideOf(made.side);
    const leftUs = Number(made.leftUs);
    return {
      ...bare(own),
      kind: "press",
      atUs: Number(made.atUs),
      ...(own.after ? { after: { ...own.after, [side]: leftUs } } : {}),
      made: { eventSeq: made.eventSeq, side, move: made.move, usedUs: Number(made.usedUs), leftUs },
    };
  });
}

function flagsOf(own: Line, { flags }: Changed): Line[] {
  return flags.map((fell) => ({ ...bare(own), kind: "flag", atUs: Number(fell.atUs), flag: { side: sideOf(fell.side), confirmedUs: own.atUs } }));
}

/** Returns a copy of a record's own line with only the fields that all lines of the record share. */
function bare(own: Line): Line {
  const { index, part, atUs, kind, game, round, after } = own;
  return {
    index,
    part,
    atUs,
    kind,
    game,
    round,
    actor: "",
    text: "",
    input: { case: undefined },
    reason: "",
    refused: false,
    answers: [],
    ...(after ? { after } : {}),
  };
}

function stopOf(own: Line, changed: Changed): Partial<Line> {
  if (changed.arbiterCalled) return { stopped: "called" };
  // Stopping clocks that were already stopped is not worth a line.
  return own.stopped && !changed.stopped ? { kind: "quiet" } : {};
}

export function sideOf(side: Side): SideName {
  return side === Side.BLACK ? "black" : "white";
}

/** Appends lines, and adds each command's outcome to the line of its request. Unchanged lines keep their identity. */
export function joined(lines: readonly Line[], fresh: readonly Line[]): Line[] {
  const answers = new Map(fresh.flatMap((line) => line.answers.map((id) => [id, line] as const)));
  const all = [...lines, ...fresh];
  if (answers.size === 0) return all;
  return all.map((line) => {
    const answer = line.id === undefined ? undefined : answers.get(line.id);
    if (!answer?.effect || answer === line) return line;
    return { ...line, effect: answer.effect, refused: line.refused || answer.effect.refusal !== undefined };
  });
}

function told(record: LogRecord, line: Line): Partial<Line> {
  switch (record.input.case) {
    case "command":
      return commanded(record.input.value, line);
    case "agentEvent":
      return happened(fromBinary(EventBodySchema, record.input.value.body));
    case "flagExpected":
      return { kind: "flag", atUs: Number(record.input.value.atUs), flag: { side: sideOf(record.input.value.side) } };
    case "linkChanged": {
      const { online, heardUs } = record.input.value;
      return { kind: "link", link: { online, ...(heardUs === undefined ? {} : { heardUs: Number(heardUs) }) } };
    }
    case "forced":
      return { kind: "arbiter", actor: record.input.value.actor, forces: hex(record.input.value.id) };
    case "withdrawn":
      return { kind: "arbiter", actor: record.input.value.actor, withdraws: hex(record.input.value.id) };
    case "heldDecided":
      return { kind: "arbiter", actor: record.input.value.actor };
    case "commandHeld":
      return { kind: "arbiter", actor: senderOf(record.input.value) };
    case "settled":
    case "passed":
      return { kind: "quiet" };
    case "noteAcknowledged":
    case "agentRevoked":
      return { kind: "clock", actor: record.input.value.actor, reason: record.input.value.reason };
    case "agentEnrolled":
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

function senderOf({ what }: CommandHeld): string {
  return what.case === "event" ? (what.value.actor?.name ?? "") : (what.value?.actor ?? "");
}

function commanded({ id, actor, reason, what, offence }: CommandReceived, { text }: Line): Partial<Line> {
  const by = ` by ${actor}${reason ? ` (${reason})` : ""}`;
  const own: Partial<Line> = {
    kind: "arbiter",
    id: hex(id),
    actor,
    reason,
    text: text.endsWith(by) ? text.slice(0, -by.length) : text,
    ...(offence ? { offence: true } : {}),
  };
  if (what.case === "refused") return { ...own, refused: true };
  if (what.case === "boardCommand") return { ...own, command: what.value };
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
      return { kind: "press", stopped: "stopped" };
    case "correction": {
      const { arbiter, command } = body.fact.value;
      return { kind: "arbiter", actor: arbiter, command };
    }
    case "rebase":
    case "zeroTested":
    default:
      return { kind: "clock" };
  }
}
