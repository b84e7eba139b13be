// The texts of the public pages' documents (`hub/assets/{live,event}/*.html`), by the message names in `data-m`. The hub writes them in the
// browser's language; the page replaces them if the visitor chose a different language.

import { m } from "$gen/words/messages.js";

/** @type {Record<string, () => string>} */
export const TEXTS = {
  board: () => m.board(),
  black: () => m.black(),
  chart_thinking: () => m.chart_thinking(),
  connecting: () => m.connecting(),
  cross_table: () => m.cross_table(),
  find_hint: () => m.find_hint(),
  hall_time: () => m.hall_time(),
  move_list: () => m.move_list(),
  players: () => m.players(),
  boards: () => m.boards(),
  pub_all_boards: () => m.pub_all_boards(),
  pub_clocks: () => m.pub_clocks(),
  pub_event: () => m.pub_event(),
  pub_find: () => m.pub_find(),
  pub_key_boards: () => m.pub_key_boards(),
  pub_key_find: () => m.pub_key_find(),
  pub_key_flag: () => m.pub_key_flag(),
  pub_key_open: () => m.pub_key_open(),
  pub_last_moves: () => m.pub_last_moves(),
  pub_pairings: () => m.pub_pairings(),
  pub_recording_stopped: () => m.pub_recording_stopped(),
  pub_skip: () => m.pub_skip(),
  view_standings: () => m.view_standings(),
  white: () => m.white(),
};
