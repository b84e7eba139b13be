// The texts for each state, long and short, and the label of a board for screen readers.

import { m } from "$gen/words/messages.js";
import { getLocale } from "$lib/words/catalogue.js";
import { ageText, sideText } from "$lib/draw/clock-text.js";
import type { Short } from "$lib/draw/time-left.js";
import { SIDES, type BoardState, type SideName } from "$lib/hall/board.js";
import type { GroupKey, State, StateKey } from "$lib/state/states.js";
import type { Role } from "$lib/transport/transport.js";
import { dayTime } from "./day-time.js";
import { isolated } from "./isolated.js";
import { claimWords } from "./laws.js";
import { resultText } from "./results.js";

const WORD: Record<StateKey, () => string> = {
  flag: m.state_flag,
  expected: m.state_unconfirmed,
  wanted: m.state_wanted,
  silent: m.state_no_signal,
  refused: m.state_refused,
  missing: m.state_missing,
  law: m.state_claim,
  doubt: m.state_doubt,
  note: m.state_note,
  battery: m.state_battery,
  called: m.state_called,
  result: m.state_result,
  pending: m.state_pending,
  paused: m.state_paused,
  ready: m.state_ready,
  unserved: m.state_unserved,
};
/** The texts for a chip on a tile: at most sixteen characters, with the age if it matters. */
const SHORT: Record<StateKey, (age: string) => string> = {
  flag: () => m.short_flag(),
  expected: () => m.short_unconfirmed(),
  wanted: (age) => m.short_wanted({ age }),
  silent: (age) => m.short_no_signal({ age }),
  refused: () => m.state_refused(),
  missing: () => m.state_missing(),
  law: () => m.short_claim(),
  doubt: () => m.state_doubt(),
  note: () => m.state_note(),
  battery: () => m.state_battery(),
  called: () => m.state_called(),
  result: () => m.state_result(),
  pending: () => m.state_pending(),
  paused: (age) => m.short_paused({ age }),
  ready: () => m.state_ready(),
  unserved: () => m.state_unserved(),
};

const ROLE: Record<Role, () => string> = {
  viewer: m.role_viewer,
  floor: m.role_floor,
  chief: m.role_chief,
  broadcaster: m.role_broadcaster,
  auditor: m.role_auditor,
  player: m.role_player,
};
export const words = { state, short, under, side, board, notification, silentTogether, urgent, role };

function state(key: StateKey): string {
  return WORD[key]();
}

function short(one: State, nowUs: number): string {
  const age = one.sinceUs === undefined ? "" : ageText(nowUs - one.sinceUs);
  return SHORT[one.key](age).trim();
}

function role(name: Role): string {
  return ROLE[name]();
}

/** Returns the label of the chip for time trouble: "Under 0:20". */
function under(step: Short): string {
  switch (step) {
    case 0:
      return "";
    case 1:
      return m.short_time({ limit: "1:00" });
    case 2:
      return m.short_time({ limit: "0:20" });
    case 3:
      return m.short_time({ limit: "0:10" });
  }
}

function side(name: SideName): string {
  return name === "white" ? m.white() : m.black();
}

/** Formatted numbers of moves. Cached, because every press needs one and plural rules are slow. */
const movesIn = new Map<string, string>();
function moves(n: number): string {
  const key = `${getLocale()} ${n}`;
  const known = movesIn.get(key) ?? m.moves({ n });
  movesIn.set(key, known);
  return known;
}

/** Returns the label of a tile, which changes with the board's state but not on every tick. */
function board(one: BoardState, states: readonly State[]): string {
  const clocks = SIDES.map((name) => {
    const player = one[name];
    return m.side_clock({ side: side(name), name: isolated(player.name) || m.no_player_mark(), time: sideText(player.us, player.allotment).join("") });
  });
  const says = states.map((s) => `${state(s.key)}${s.side ? `, ${side(s.side)}` : ""}.`);
  const result = one.result ? [`${m.result()} ${resultText(one.result)}.`] : [];
  return [m.board_no({ board: one.board }), ...clocks, `${moves(one.white.moves)}.`, ...result, ...says].join(" ");
}

function notification(key: "flag" | "expected" | "wanted" | "silent", one: BoardState): { title: string; body: string } {
  const names = `${one.white.name} – ${one.black.name}`;
  return { title: `${m.board_no({ board: one.board })} ${state(key)}`, body: names };
}

/** Maximum number of boards that a notification lists. */
const NAMED = 12;

function silentTogether(boards: readonly BoardState[]): { title: string; body: string } {
  const named = [...boards.slice(0, NAMED).map((one) => one.board), ...(boards.length > NAMED ? ["…"] : [])].join(", ");
  return { title: groupWords("silent", boards.length), body: m.boards_named({ boards: named }) };
}

export function groupWords(key: GroupKey, n: number): string {
  switch (key) {
    case "silent":
      return m.group_silent({ n });
    case "result":
      return m.group_result({ n });
    case "missing":
      return m.group_missing({ n });
    case "paused":
      return m.group_paused({ n });
    case "doubt":
      return m.group_doubt({ n });
    case "battery":
      return m.group_battery({ n });
  }
}

/** Returns the second line of a card in the strip. */
function urgent(one: State, nowUs: number): string {
  const parts = [];
  if (one.key === "paused") return pausedSince(one, nowUs);
  if (one.side) parts.push(side(one.side));
  if (one.claim) parts.push(claimWords(one.claim));
  if (one.sinceUs !== undefined) parts.push(ageText(nowUs - one.sinceUs));
  if (one.key === "expected") parts.push(m.asking_clock());
  if (one.key === "called") parts.push(m.state_missing());
  return parts.join(" · ");
}

function pausedSince({ by, sinceUs }: State, nowUs: number): string {
  if (sinceUs === undefined) return by ? isolated(by) : "";
  const time = dayTime(sinceUs, nowUs);
  return by ? m.paused_by({ name: isolated(by), time }) : m.paused_since({ time });
}
