// The broadcast's settings as the chief arbiter types them.

import { create } from "@bufbuild/protobuf";
import {
  BoardDelaySchema,
  BroadcastFolderSchema,
  BroadcastSettingsSchema,
  LichessBroadcastSchema,
  LichessRoundSchema,
  OutputFault,
  type BroadcastSettings,
} from "$gen/api/broadcast_pb.js";
import { m } from "$gen/words/messages.js";

export interface BroadcastEntry {
  /** Delay in minutes. */
  delay: number | null;
  /** The boards with a different delay in minutes: `1=30, 2=30`. */
  boards: string;
  folder: string;
  /** True if the files are for Lichess Broadcaster. */
  forLichess: boolean;
  /** The ids at Lichess, one line per round: `3=AbCdEf12`. */
  rounds: string;
  /** The address of the public pages, such as `https://live.example.org`; empty for the hub's own. */
  site: string;
  /** A new token; empty to keep the stored token. */
  token: string;
}

const MINUTE_S = 60;

export function entryOf(settings: BroadcastSettings | undefined): BroadcastEntry {
  return {
    delay: (settings?.delayS ?? 0) / MINUTE_S,
    boards: (settings?.boards ?? []).map((one) => `${one.board}=${one.delayS / MINUTE_S}`).join(", "),
    folder: settings?.folder?.path ?? "",
    forLichess: settings?.folder?.lichess ?? false,
    rounds: (settings?.lichess?.rounds ?? []).map((one) => `${one.round}=${one.ids.join(",")}`).join("\n"),
    site: settings?.site ?? "",
    token: "",
  };
}

/** Returns the settings, or the part of the entry that cannot be parsed. */
export function settingsOf(entry: BroadcastEntry, server: string): BroadcastSettings | string {
  const boards = [];
  for (const part of entry.boards
    .split(/[,;\n]/)
    .map((text) => text.trim())
    .filter(Boolean)) {
    const [, board, minutes] = /^([^=\s]+)\s*=\s*(\d+(?:\.\d+)?)$/.exec(part) ?? [];
    if (!board || !minutes) return part;
    boards.push(create(BoardDelaySchema, { board, delayS: Math.round(Number(minutes) * MINUTE_S) }));
  }
  const rounds = [];
  for (const part of entry.rounds
    .split("\n")
    .map((text) => text.trim())
    .filter(Boolean)) {
    const [, round, ids] = /^(\d+)\s*=\s*(\S+)$/.exec(part) ?? [];
    if (!round || !ids) return part;
    // If whole addresses are typed, only the ids at their ends are used.
    rounds.push(create(LichessRoundSchema, { round: Number(round), ids: ids.split(",").map((id) => id.replace(/^.*\//, "")) }));
  }
  const path = entry.folder.trim();
  return create(BroadcastSettingsSchema, {
    delayS: Math.round((entry.delay ?? 0) * MINUTE_S),
    boards,
    folder: path ? create(BroadcastFolderSchema, { path, lichess: entry.forLichess }) : undefined,
    lichess: rounds.length > 0 ? create(LichessBroadcastSchema, { server, rounds }) : undefined,
    site: entry.site.trim(),
  });
}

const FAULTS: Record<OutputFault, (() => string) | undefined> = {
  [OutputFault.UNSPECIFIED]: undefined,
  [OutputFault.FOLDER]: m.broadcast_fault_folder,
  [OutputFault.UNREACHABLE]: m.broadcast_fault_unreachable,
  [OutputFault.TOO_MANY]: m.broadcast_fault_too_many,
  [OutputFault.TOKEN]: m.broadcast_fault_token,
  [OutputFault.NO_ROUND]: m.broadcast_fault_no_round,
  [OutputFault.SERVER]: m.broadcast_fault_server,
  [OutputFault.LOG]: m.broadcast_fault_log,
};

/** Describes why games are not going out; empty if there is no fault. */
export const faultWords = (fault: OutputFault): string => FAULTS[fault]?.() ?? "";
