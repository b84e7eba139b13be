// The texts beside a side's time, and the move number, for the app and the public pages.
//
// Pure except for the language. Must never judge a time control: it only reads the hub's numbers.

import { m } from "$gen/words/messages.js";
import { sideText } from "$lib/draw/clock-text.js";
import type { BoardState, SideState } from "$lib/hall/board.js";

const HOUR_US = 3600e6;
/** Number of days from which hours are left out. */
const DAYS_ALONE = 10;

/** Describes delay, byo-yomi periods, stones, extra time, grace, bank and points. `waitUs` is the remaining delay of the side to move. */
export function besideTime(
  player: Pick<SideState, "byoLeft" | "stones" | "bankUs" | "points" | "delayUs">,
  allotment: string,
  waitUs: number | undefined,
): string {
  const parts: string[] = [];
  const delay = waitUs ?? player.delayUs;
  if (delay) parts.push(m.beside_delay({ seconds: Math.ceil(delay / 1e6) }));
  if (allotment === "byo" && player.byoLeft) parts.push(`×${player.byoLeft}`);
  if (allotment === "canadian" && player.stones) parts.push(m.beside_stones({ n: player.stones }));
  if (allotment === "extra") parts.push(m.beside_extra());
  if (allotment === "grace") parts.push(m.beside_grace());
  if (player.bankUs) parts.push(m.beside_bank({ time: bankText(player.bankUs) }));
  if (player.points) parts.push(m.beside_points({ n: signed(player.points) }));
  return parts.join(" · ");
}

/** Formats a Triple Block bank. From one day upwards, the text gives days, and below ten days also hours, rounded down. */
export function bankText(us: number): string {
  const hours = Math.floor(us / HOUR_US);
  if (hours < 24) return sideText(us, "main")[0];
  const days = Math.floor(hours / 24);
  return days < DAYS_ALONE && hours % 24 ? m.beside_days_hours({ days, hours: hours % 24 }) : m.beside_days({ days });
}

/** Formats a number with a plus sign, or with a minus sign of the same width. */
function signed(n: number): string {
  return `${n < 0 ? "−" : "+"}${Math.abs(n)}`;
}

/**
 * Formats the move number: `31.` if White is to move, `31…` if Black is. If the game is over or no side is to move, returns White's number
 * of moves; empty for 0.
 */
export function moveText(one: Pick<BoardState, "running" | "next" | "phase"> & Record<"white" | "black", Pick<SideState, "moves">>): string {
  const mover = one.running ?? one.next;
  if (one.phase === "over" || !mover) return one.white.moves > 0 ? String(one.white.moves) : "";
  return mover === "white" ? `${one.white.moves + 1}.` : `${one.black.moves + 1}…`;
}
