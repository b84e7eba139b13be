// The texts of a player's page: turns, the end of a game, and why an action has no effect.

import { m } from "$gen/words/messages.js";
import { ActRefusal } from "$gen/api/player_pb.js";
import type { TimeChessTurn } from "$gen/api/time_chess_pb.js";

/** The reasons for the end of a game, by the value of PGN's Termination tag. */
const END: Readonly<Record<string, () => string>> = {
  checkmate: m.player_end_checkmate,
  stalemate: m.player_end_stalemate,
  "no move in a blind turn": m.player_end_no_move,
  "dead position": m.player_end_dead,
  "fivefold repetition": m.player_end_fivefold,
  "75 moves": m.player_end_seventy_five,
  "threefold repetition": m.player_end_threefold,
  "50 moves": m.player_end_fifty,
  resignation: m.player_end_resignation,
  agreement: m.player_end_agreement,
  "flag fall": m.player_end_flag,
};

export const endWords = (reason: string): string => END[reason]?.() ?? "";

export function refusedWords(refusal: ActRefusal): string {
  switch (refusal) {
    case ActRefusal.UNSPECIFIED:
      return "";
    case ActRefusal.NO_GAME:
      return m.player_no_game();
    case ActRefusal.NOT_RUNNING:
      return m.player_refused_not_running();
    case ActRefusal.NOT_IN_PLAY:
      return m.player_refused_not_in_play();
    case ActRefusal.PRESS_THE_CLOCK:
      return m.player_press_clock();
    case ActRefusal.NO_OFFER:
      return m.player_refused_no_offer();
    case ActRefusal.OFFER_STANDS:
      return m.player_offered();
    case ActRefusal.NOT_POSSIBLE:
      return m.player_refused_not_possible();
    case ActRefusal.ALREADY_MOVED:
      return m.player_refused_moved();
    case ActRefusal.NOT_MOVED:
      return m.player_refused_not_moved();
    case ActRefusal.NOT_ON_MOVE:
      return m.player_refused_not_on_move();
    case ActRefusal.BLIND:
      return m.player_refused_blind();
    case ActRefusal.NO_DRAW:
      return m.player_refused_no_draw();
  }
}

/** Describes a turn, but reveals nothing that the player may not know. */
export function turnWords(turn: TimeChessTurn): string {
  if (turn.hidden) return m.player_turn_hidden();
  if (turn.forfeited) return turn.attempt === "" ? m.player_turn_forfeited() : m.player_turn_forfeited_of({ move: turn.attempt });
  const made = `${turn.move.slice(0, 2)}–${turn.move.slice(2)}`;
  return turn.attempt === "" ? made : m.player_turn_stopped({ move: made, attempt: turn.attempt });
}
