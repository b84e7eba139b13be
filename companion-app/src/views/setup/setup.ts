// The boards, the time controls and the event of the first day, and their wire messages. Pure functions.

import { create } from "@bufbuild/protobuf";
import { EventSchema, type Event } from "$gen/frames/event_pb.js";
import { PRESETS, type Preset } from "$gen/presets.js";
import { duration } from "$lib/commands/command.js";
import type { BoardState } from "$lib/hall/board.js";

export const MAX_BOARDS = 500;

export function nextNumber(boards: readonly string[]): number {
  return boards.reduce((highest, board) => (/^\d{1,5}$/.test(board) ? Math.max(highest, Number(board)) : highest), 0) + 1;
}

/** Returns the names of the boards to be added; empty if the numbers are invalid. */
export function newBoards(first: number, count: number): string[] {
  const usable = Number.isInteger(first) && Number.isInteger(count) && first >= 1 && count >= 1 && count <= MAX_BOARDS && first + count <= 65_536;
  return usable ? Array.from({ length: count }, (_, at) => String(first + at)) : [];
}

/** Returns true if a board has no game: no game was started, and no round has assigned players to the board. */
export const isFree = ({ phase, round }: Pick<BoardState, "phase" | "round">): boolean => phase === "ready" && round === 0;

/** Returns the presets by group, in the same order as on the command line. */
export function presetGroups(): [group: string, presets: Preset[]][] {
  const groups = new Map<string, Preset[]>();
  for (const preset of PRESETS) groups.set(preset.group, [...(groups.get(preset.group) ?? []), preset]);
  return [...groups];
}

/** Returns the code for a time control in record 222 of a report (TRF); null if there is none. */
export function reportCode(notation: string): string | null {
  const periods = notation
    .replace(/ runs on$/, "")
    .split(" : ")
    .map((period) => {
      const [, moves, main, increment] = /^(?:(\d+)\/)?([\d.hms]+)(?:\+([\d.hms]+))?$/.exec(period) ?? [];
      const [mainUs, moreUs] = [duration(main ?? ""), increment === undefined ? 0 : duration(increment)];
      if (mainUs === null || moreUs === null || mainUs % 1e6 || moreUs % 1e6) return null;
      return `${moves === undefined ? "" : `${moves}/`}${mainUs / 1e6}${moreUs ? `+${moreUs / 1e6}` : ""}`;
    });
  return periods.includes(null) ? null : periods.join(":");
}

export type Kind = "swiss" | "round_robin" | "teams" | "none";
export const KINDS: readonly Kind[] = ["swiss", "round_robin", "teams", "none"];
/** The type of an event without pairings, in English as in reports. */
const NO_PAIRINGS = "Without pairings";

export function kindOf(event: Event): Kind {
  if (event.typeText === NO_PAIRINGS) return "none";
  if (event.teamBoards > 0) return "teams";
  return event.roundRobinCycles > 0 ? "round_robin" : "swiss";
}

export interface NewEvent {
  name: string;
  kind: Kind;
  rounds: number;
  /** Number of boards in a match; only for team events. */
  teamBoards: number;
  control: string;
}

export function newEvent({ name, kind, rounds, teamBoards, control }: NewEvent): Event {
  return create(EventSchema, {
    name: name.trim(),
    rounds,
    timeControlCode: reportCode(control) ?? control,
    roundRobinCycles: kind === "round_robin" ? 1 : 0,
    teamBoards: kind === "teams" ? teamBoards : 0,
    typeText: kind === "none" ? NO_PAIRINGS : "",
  });
}

/** Returns the preset with the event's time control; undefined if there is none. */
export function presetOf(event: Event | undefined): Preset | undefined {
  const code = event?.timeControlCode.trim();
  return code ? PRESETS.find(({ notation, drawOdds }) => !drawOdds && (notation === code || reportCode(notation) === code)) : undefined;
}

export interface SetupProgress {
  event: boolean;
  boards: number;
  /** Number of boards with a clock. */
  clocks: number;
}

export const isSetUp = ({ event, boards, clocks }: SetupProgress): boolean => event && boards > 0 && clocks === boards;
