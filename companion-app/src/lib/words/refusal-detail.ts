// Describes the details of a refused change to the event, or of a failed pairing program, in the arbiter's language. There is no text for
// kinds that only a newer hub knows.
//
// Owns the sentence of each kind. Must never judge a refusal.

import { m } from "$gen/words/messages.js";
import { RefusalDetailKind as Kind, type RefusalDetail } from "$gen/frames/refusal_pb.js";
import { Side } from "$gen/frames/side_pb.js";
import { points } from "$lib/event/score.js";
import { isolated } from "./isolated.js";

interface Slots {
  round: number;
  board: number;
  n: number;
  most: number;
  /** The first name or text. */
  text: string;
  one: string;
  other: string;
  /** The third name: a player's team. */
  team: string;
  name: string;
  side: string;
}
type Sentence = (slots: Slots, detail: RefusalDetail) => string;

const SENTENCES: Record<Kind, Sentence | null> = {
  [Kind.UNSPECIFIED]: null,
  [Kind.ROUNDS]: m.cannot_rounds,
  [Kind.MATCH_BOARDS]: m.cannot_match_boards,
  [Kind.CYCLES]: m.cannot_cycles,
  [Kind.RESULT_POINTS]: (_, detail) => m.cannot_result_points({ most: points(detail.pointsLimit), n: points(detail.points) }),
  [Kind.ROUND_RANGE]: m.cannot_round_range,
  [Kind.PARTICIPANT_NUMBER]: m.cannot_participant_number,
  [Kind.PARTICIPANT_RANGE]: m.cannot_participant_range,
  [Kind.LONE_FORBIDDEN]: () => m.cannot_lone_forbidden(),
  [Kind.TOO_MANY_RULES]: m.cannot_more_rules,
  [Kind.ABNORMAL_POINTS]: (_, detail) => m.cannot_abnormal_points({ n: points(detail.points) }),
  [Kind.PLAYER]: m.cannot_player_unnamed,
  [Kind.TITLE]: m.cannot_title,
  [Kind.RATING]: m.cannot_rating_above,
  [Kind.FIDE_ID]: m.cannot_fide_number,
  [Kind.ROUND_ZERO]: () => m.cannot_round_zero(),
  [Kind.TEAM]: m.cannot_team_unnamed,
  [Kind.PLACE]: m.cannot_place,
  [Kind.STATED_POINTS]: (_, detail) => m.cannot_stated_points({ n: points(detail.points) }),
  [Kind.ROUND]: m.cannot_round_number,
  [Kind.FEDERATION]: m.cannot_federation,
  [Kind.CONTROL_CHARACTER]: m.cannot_control_character,
  [Kind.BOARD_ZERO]: () => m.cannot_board_zero(),
  [Kind.SAME_PLAYER]: () => m.cannot_same_player(),
  [Kind.EMPTY_BOARD]: () => m.cannot_empty_board(),
  [Kind.BOARD_WITHOUT_MATCH]: m.cannot_board_match,
  [Kind.LONE_PLAYER]: m.cannot_lone_player,
  [Kind.BOARD_TWICE]: m.cannot_board_twice,
  [Kind.ORDER_TWICE]: m.cannot_order_twice,
  [Kind.ORDER_MISSING]: m.cannot_order_missing,
  [Kind.ORDER_NOT_DRAWN]: () => m.cannot_order_drawn(),
  [Kind.TABLE_ROUND]: m.cannot_table_round,
  [Kind.ROUND_PAIRED]: m.cannot_fewer_rounds,
  [Kind.BYE_AFTER_END]: m.cannot_bye_after_end,
  [Kind.CONTEST_FIXED]: () => m.cannot_contest_change(),
  [Kind.PLAYER_PAIRED]: m.cannot_removal_paired,
  [Kind.PLAYER_IN_ROUND]: m.cannot_bye_paired,
  [Kind.PLAYER_IN_TEAM]: m.cannot_second_team,
  [Kind.TEAM_PAIRED]: m.cannot_removal_team,
  [Kind.NOT_ROUND_ROBIN]: () => m.cannot_round_robin(),
  [Kind.ALREADY_BEGUN]: m.cannot_board_begun,
  [Kind.HAS_RESULT]: m.cannot_second_result,
  [Kind.ROUND_OPEN]: (slots) => (slots.board ? m.cannot_round_end_board(slots) : m.cannot_round_end(slots)),
  [Kind.NOT_CONFIRMED]: m.cannot_confirmation,
  [Kind.ROUND_SKIPPED]: m.cannot_round_skipped,
  [Kind.ROUND_BOARD_TWICE]: m.cannot_round_board_twice,
  [Kind.TEAM_TWICE]: m.cannot_team_twice,
  [Kind.MATCH_TWICE]: m.cannot_match_twice,
  [Kind.PLAYER_TWICE]: m.cannot_player_twice,
  [Kind.OTHER_TEAM]: (slots) => (slots.team ? m.cannot_other_team(slots) : m.cannot_team_at_all(slots)),
  [Kind.SAME_TEAM]: m.cannot_same_team,
  [Kind.ROUND_BEGUN]: m.cannot_round_begun,
  [Kind.LATER_ROUND_PAIRED]: m.cannot_later_round,
  [Kind.GAME_STAYS]: m.cannot_game_leaves,
  [Kind.RESULT_STANDS]: m.cannot_result_stands,
  [Kind.GAME_BEGUN]: m.cannot_game_begun,
  [Kind.NO_BOARD_LEFT]: m.cannot_board_left,
  [Kind.SECTOR_CONTROLS]: m.cannot_sector_controls,
  [Kind.TABLE_REPEATS]: m.cannot_table_repeat,
  [Kind.COUNT_IN_CHESS]: () => m.cannot_count_in_chess(),
  [Kind.WIN_WITHOUT_LOSS]: () => m.cannot_win_without_loss(),
  [Kind.NO_POINTS]: () => m.cannot_scrabble_points(),
  [Kind.NO_DISCS]: () => m.cannot_othello_discs(),
  [Kind.DISC_SUM]: () => m.cannot_disc_sum(),
  [Kind.HIGHER_COUNT_WINS]: () => m.cannot_lower_count_wins(),
  [Kind.SIDE_EMPTY]: m.cannot_game_one_side,
  [Kind.PAIRING_SYSTEM]: m.cannot_pairing_system,
  [Kind.PAIRING_NOT_STARTED]: m.cannot_pairing_start,
  [Kind.PAIRING_TOO_SLOW]: m.cannot_pairing_in_time,
  // bbpPairings exits with 1 if no valid pairing exists.
  [Kind.PAIRING_EXIT]: (slots) => (slots.n === 1 ? m.cannot_pairing_valid(slots) : m.cannot_pairing_exit(slots)),
  [Kind.PAIRING_SIGNAL]: m.cannot_pairing_signal,
  [Kind.PAIRING_NO_ANSWER]: m.cannot_pairing_answer,
  [Kind.PAIRING_UNFIT_ANSWER]: m.cannot_pairing_fit,
  [Kind.PAIRING_FILES]: () => m.cannot_pairing_files(),
  [Kind.PAIRING_NO_PLAYERS]: m.cannot_pairing_no_players,
  [Kind.PAIRING_TOO_FEW]: m.cannot_pairing_too_few,
};

/** Describes the details of a refusal; empty if there are none, or if their kind is unknown. */
export function detailWords(detail: RefusalDetail | undefined): string {
  if (!detail) return "";
  // A kind from a newer hub is missing here, although the type says otherwise.
  const sentence = (SENTENCES as Partial<typeof SENTENCES>)[detail.kind];
  if (!sentence) return "";
  const said = sentence(slotsOf(detail), detail);
  return detail.quote.trim() === "" ? said : `${said} ${m.cannot_pairing_output({ text: isolated(detail.quote.trim()) })}`;
}

function slotsOf({ round, board, number: n, limit: most, names, side }: RefusalDetail): Slots {
  const [one = "", other = "", team = ""] = names.map(isolated);
  return { round, board, n, most, text: one, one, other, team, name: one, side: side === Side.BLACK ? m.black() : m.white() };
}
