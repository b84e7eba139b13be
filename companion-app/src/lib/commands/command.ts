// An arbiter's commands and their wire form. Owns the reasons that the app itself gives for commands. These reasons are always in English,
// because they are written into the log.

import { create } from "@bufbuild/protobuf";
import { AfterFlag, Button, CommandRequestSchema, type CommandRequest } from "$gen/api/arbiter_pb.js";
import { Side } from "$gen/frames/side_pb.js";
import { OffenceKind, OffenceSchema } from "$gen/frames/event_pb.js";
import { wirePress, type Press } from "$lib/hall/day-game.js";
import { other, unhex, wireSide, type SideName } from "$lib/hall/board.js";

export type Command = Exclude<CommandRequest["command"], { case: undefined }>;

export const pause = (): Command => ({ case: "pause", value: { $typeName: "flagfall.api.v1.Pause" } });
export const start = (): Command => ({ case: "start", value: { $typeName: "flagfall.api.v1.Start", side: Side.UNSPECIFIED } });
export const resume = (side: SideName | null): Command => ({
  case: "resume",
  value: { $typeName: "flagfall.api.v1.Resume", side: side ? wireSide(side) : Side.UNSPECIFIED },
});
export const setTime = (side: SideName, us: number): Command => ({
  case: "setTime",
  value: { $typeName: "flagfall.api.v1.SetTime", side: wireSide(side), toUs: BigInt(us) },
});
export const addTime = (side: SideName, us: number): Command => ({
  case: "addTime",
  value: { $typeName: "flagfall.api.v1.AddTime", side: wireSide(side), byUs: BigInt(us) },
});
export const setMoves = (side: SideName, moves: number): Command => ({
  case: "setMoves",
  value: { $typeName: "flagfall.api.v1.SetMoves", side: wireSide(side), moves },
});
export const callFlag = (side: SideName): Command => ({
  case: "callFlag",
  value: { $typeName: "flagfall.api.v1.CallFlag", side: wireSide(side) },
});
export const swapButtons = (): Command => ({ case: "swapButtons", value: { $typeName: "flagfall.api.v1.SwapButtons" } });
export const restore = (beforeEventSeq: bigint): Command => ({
  case: "restore",
  value: { $typeName: "flagfall.api.v1.Restore", beforeEventSeq },
});
/** A claim, decision or report under the Laws, in the hub's notation, for example `illegal white`. */
export const rule = (text: string): Command => ({ case: "rule", value: { $typeName: "flagfall.api.v1.Rule", request: text } });
/** Enters moves after the first `after` half-moves of the score. */
export const enterMoves = (after: number, moves: string[]): Command => ({
  case: "enterMoves",
  value: { $typeName: "flagfall.api.v1.EnterMoves", after, moves },
});
export const chooseRules = (rules: string): Command => ({ case: "chooseRules", value: { $typeName: "flagfall.api.v1.ChooseRules", rules } });
export const choosePress = (press: Press): Command => ({ case: "choosePress", value: { $typeName: "flagfall.api.v1.ChoosePress", rule: wirePress(press) } });
/** Ends the game. `ending` is for example `result 1-0`, `mate white`, `resign black`, `draw` or `result *`. */
export const endGame = (ending: string): Command => ({ case: "endGame", value: { $typeName: "flagfall.api.v1.EndGame", ending } });
export const assign = (agent: string): Command => ({
  case: "assign",
  value: { $typeName: "flagfall.api.v1.Assign", agent, side: Side.UNSPECIFIED },
});
export const identify = (): Command => ({ case: "identify", value: { $typeName: "flagfall.api.v1.Identify" } });
export const zeroTest = (): Command => ({ case: "zeroTest", value: { $typeName: "flagfall.api.v1.ZeroTest" } });
export const show = (text: string): Command => ({ case: "show", value: { $typeName: "flagfall.api.v1.Show", text } });
export const force = (id: string): Command => ({ case: "force", value: { $typeName: "flagfall.api.v1.Force", commandId: unhex(id) } });
export const withdraw = (id: string): Command => ({
  case: "withdraw",
  value: { $typeName: "flagfall.api.v1.Withdraw", commandId: unhex(id) },
});
export const prepare = (control: string): Command => ({
  case: "prepare",
  value: { $typeName: "flagfall.api.v1.Prepare", control, start: "", white: Button.UNSPECIFIED, drawOdds: Side.UNSPECIFIED, afterFlag: AfterFlag.UNSPECIFIED },
});
/** Adds a board. `drawOdds` is the side for which a draw counts as a win. */
export const addBoard = (control: string, drawOdds: SideName | "" = ""): Command => ({
  case: "addBoard",
  value: {
    $typeName: "flagfall.api.v1.AddBoard",
    control,
    start: "",
    white: Button.UNSPECIFIED,
    drawOdds: drawOdds ? wireSide(drawOdds) : Side.UNSPECIFIED,
    afterFlag: AfterFlag.UNSPECIFIED,
  },
});
export const removeBoard = (): Command => ({ case: "removeBoard", value: { $typeName: "flagfall.api.v1.RemoveBoard" } });
export const revoke = (agent: string): Command => ({ case: "revokeAgent", value: { $typeName: "flagfall.api.v1.RevokeAgent", agent } });

/** An illegal move that a command reports or withdraws. The hub counts the illegal moves of a game, so that all tablets show the same number. */
export interface Offence {
  side: SideName;
  /** True if the command withdraws an offence that was counted by mistake. */
  withdrawn?: true;
}

export function request(id: Uint8Array<ArrayBuffer>, board: string, seenSeq: bigint, reason: string, command: Command, offence?: Offence): CommandRequest {
  return create(CommandRequestSchema, { id, board, seenSeq, reason, command, ...(offence ? { offence: wireOffence(offence) } : {}) });
}

function wireOffence({ side, withdrawn }: Offence) {
  return create(OffenceSchema, { kind: OffenceKind.ILLEGAL_MOVE, side: side === "black" ? Side.BLACK : Side.WHITE, withdrawn: withdrawn ?? false });
}

/** Returns true if the clock must be stopped before the command is sent (FIDE 6.11.1). */
export function needsPause(command: Command | undefined): boolean {
  return command?.case === "setTime" || command?.case === "setMoves" || command?.case === "restore";
}

export const SIDE_WORD: Record<SideName, string> = { white: "White", black: "Black" };

const UNIT_US: Record<string, number> = { d: 86400e6, h: 3600e6, m: 60e6, s: 1e6, ms: 1e3 };

/** Parses a duration such as `1h30m` into microseconds; null for any other text. */
export function duration(text: string): number | null {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[dhms]))+$/.test(text)) return null;
  let us = 0;
  for (const [, count, unit] of text.matchAll(/([\d.]+)(ms|[dhms])/g)) us += Number(count) * (UNIT_US[unit ?? ""] ?? 0);
  return us;
}

/** Reports a completed illegal move (FIDE 7.5). */
export const illegal = (side: SideName): Command => rule(`illegal ${side} illegal`);

export interface BeforeOffence {
  /** The side to move: its clock is running, or will run when the game resumes. */
  turn: SideName | null;
  running: boolean;
  /** Number of moves that the offender had completed before the report. */
  moves: number;
}

/**
 * Returns the commands that undo the report of an illegal move. They remove the opponent's extra time. If the report gave the move back to
 * the offender, they also restore the offender's move count and the turn.
 */
export function undoOffence(offender: SideName, gainedUs: number, { turn, running, moves }: BeforeOffence): Command[] {
  const opponent = other(offender);
  const time = addTime(opponent, -gainedUs);
  if (turn !== opponent) return [time];
  return [...(running ? [pause()] : []), time, setMoves(offender, moves), resume(opponent), ...(running ? [] : [pause()])];
}

/** Returns the reason to write into the log. It does not contain the number of the offence, because only the hub counts offences. */
export function illegalReason(side: SideName, article: string): string {
  return `Illegal move by ${SIDE_WORD[side]}, ${article}`;
}

export function undoneReason(reason: string): string {
  return `Undone: ${reason}`;
}

export function lossOf(side: SideName): string {
  return other(side) === "white" ? "1-0" : "0-1";
}
