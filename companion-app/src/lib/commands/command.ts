// Commands as an arbiter means them, and as they cross the wire. Owns the words that go into the log as reasons: always English,
// always with the article, since every program and every committee reads the same log.

import { create } from "@bufbuild/protobuf";
import { AfterFlag, Button, CommandRequestSchema, Side, type CommandRequest } from "$gen/api/arbiter_pb.js";
import { other, unhex, wireSide, type SideName } from "$lib/hall/board.js";

/** The command's part of a request. */
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
/** `ending`: "result 1-0", "mate white", "resign black", "draw", "result *". */
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
export const revoke = (agent: string): Command => ({ case: "revokeAgent", value: { $typeName: "flagfall.api.v1.RevokeAgent", agent } });

export function request(id: Uint8Array<ArrayBuffer>, board: string, seenSeq: bigint, reason: string, command: Command): CommandRequest {
  return create(CommandRequestSchema, { id, board, seenSeq, reason, command });
}

/** Whether a clock must stand for it (FIDE 6.11.1). */
export function needsPause(command: Command | undefined): boolean {
  return command?.case === "setTime" || command?.case === "setMoves" || command?.case === "restore";
}

export const SIDE_WORD: Record<SideName, string> = { white: "White", black: "Black" };

/** The article by which an illegal move is punished, and what it gives the opponent (FIDE 7.5.5; rapid A.3, blitz B.2). */
export interface Penalty {
  article: string;
  us: number;
}

const HOUR_US = 3600e6;

/** Under an hour for sixty moves is rapid play or blitz (FIDE A.1, B.1), where the opponent gets one minute. */
export function penaltyUnder(control: string): Penalty {
  const us = sixtyMoves(control);
  return us !== null && us < HOUR_US ? { article: "FIDE A.3", us: 60e6 } : { article: "FIDE 7.5.5", us: 120e6 };
}

/** Time for sixty moves, by which the Laws divide; null where a control does not say. */
export function sixtyMoves(control: string): number | null {
  const side = control.split(" vs ")[0]?.replace(/ runs on$/, "") ?? "";
  let us = 0;
  let increment = 0;
  for (const period of side.split(" : ")) {
    const granted = /^(?:\*?\d+\/|zero\/)?([\d.hmsd]+?)(?:\+([\d.hmsd]+))?(?: .*)?$/.exec(period);
    const main = granted?.[1] === undefined ? null : duration(granted[1]);
    if (main === null) return null;
    us += main;
    increment = (granted?.[2] === undefined ? null : duration(granted[2])) ?? 0;
  }
  return us + 60 * increment;
}

const UNIT_US: Record<string, number> = { d: 86400e6, h: 3600e6, m: 60e6, s: 1e6, ms: 1e3 };

/** `1h30m` in microseconds. */
export function duration(text: string): number | null {
  if (!/^(?:[\d.]+(?:ms|[dhms]))+$/.test(text)) return null;
  let us = 0;
  for (const [, count, unit] of text.matchAll(/([\d.]+)(ms|[dhms])/g)) us += Number(count) * (UNIT_US[unit ?? ""] ?? 0);
  return us;
}

const ILLEGAL = "Illegal move by ";

export function illegalReason(side: SideName, article: string): string {
  return `${ILLEGAL}${SIDE_WORD[side]}, ${article}`;
}

export function undoneReason(reason: string): string {
  return `Undone: ${reason}`;
}

/** Whether a command with this reason counts among a player's illegal moves, or takes one of them back. */
export function countsAsOffence(reason: string): boolean {
  return reason.includes(ILLEGAL);
}

/** Illegal moves of a side that stand, from the reasons of this game's commands, oldest first. */
export function offences(side: SideName, reasons: string[]): number {
  const of = `${ILLEGAL}${SIDE_WORD[side]}`;
  const made = reasons.filter((reason) => reason.startsWith(of)).length;
  const undone = reasons.filter((reason) => reason.startsWith(undoneReason(of))).length;
  return Math.max(0, made - undone);
}

/** Who wins when `side` has lost. */
export function lossOf(side: SideName): string {
  return other(side) === "white" ? "1-0" : "0-1";
}
