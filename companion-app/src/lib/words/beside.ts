// What stands beside a side's time, and whose move it is, in the arbiters' app and on the public pages.
//
// Pure but for the language. Must never judge a control: it reads the numbers that the hub sends.

import { m } from "$gen/words/messages.js";
import { sideText } from "$lib/draw/clock-text.js";
import type { BoardState, SideState } from "$lib/hall/board.js";

const HOUR_US = 3600e6;
/** From as many days on the hours are left out. */
const DAYS_ALONE = 10;

/** Delay, byo-yomi periods, stones, bank, points. `waitUs`: what is left of the delay of the side to move. */
export function besideTime(player: Pick<SideState, "byoLeft" | "stones" | "bankUs" | "points" | "delayUs">, allotment: string, waitUs: number | undefined): string {
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

/** A bank of Triple Block: in days from one day on, with hours while they matter; never more than there is. */
export function bankText(us: number): string {
  const hours = Math.floor(us / HOUR_US);
  if (hours < 24) return sideText(us, "main")[0];
  const days = Math.floor(hours / 24);
  return days < DAYS_ALONE && hours % 24 ? m.beside_days_hours({ days, hours: hours % 24 }) : m.beside_days({ days });
}

/** With its sign: a plus, or a minus as wide as it. */
function signed(n: number): string {
  return `${n < 0 ? "−" : "+"}${Math.abs(n)}`;
}

/** `31.` while White is on move, `31…` while Black is: chess notation for whose turn it is; the number of moves where no side is on move. */
export function moveText(one: Pick<BoardState, "running" | "next" | "phase"> & Record<"white" | "black", Pick<SideState, "moves">>): string {
  const mover = one.running ?? one.next;
  if (one.phase === "over" || !mover) return one.white.moves > 0 ? String(one.white.moves) : "";
  return mover === "white" ? `${one.white.moves + 1}.` : `${one.black.moves + 1}…`;
}
