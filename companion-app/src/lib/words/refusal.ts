// Describes refusals in the arbiter's language, with the article if there is one. A refusal without a known code keeps the hub's own text.
//
// Owns the sentence of each code. Must never judge a refusal.

import { m } from "$gen/words/messages.js";
import { RefusalCode, type Refusal } from "$gen/frames/refusal_pb.js";
import { Side } from "$gen/frames/side_pb.js";
import { Refused, Unreachable } from "$lib/transport/transport.js";
import { dateTime } from "./day-time.js";
import { changesWords } from "./changes.js";
import { faultsWords } from "./file-faults.js";
import { isolated } from "./isolated.js";
import { lawRefusalWords, moveRefusalWords } from "./laws.js";
import { detailWords } from "./refusal-detail.js";

type About = Pick<Refusal, "text" | "board" | "clock" | "side" | "move" | "round" | "number" | "name" | "atUs" | "reason"> &
  Partial<Pick<Refusal, "detail" | "faults" | "moreFaults" | "law">>;
type Sentence = (about: About) => string;

const side = (about: About): string => (about.side === Side.BLACK ? m.black() : m.white());
/** Describes a refused change to the event; older hubs send only a text. */
const impossible: Sentence = ({ detail, text }) => detailWords(detail) || m.rule_event_invalid({ text });

export const SENTENCES: Record<RefusalCode, Sentence | null> = {
  [RefusalCode.UNSPECIFIED]: null,
  [RefusalCode.LATE]: () => m.rule_late(),
  [RefusalCode.GAME_OVER]: () => m.rule_game_over(),
  [RefusalCode.ALREADY_STARTED]: () => m.rule_already_started(),
  [RefusalCode.NOT_STARTED]: () => m.why_not_started(),
  [RefusalCode.GAME_IN_PROGRESS]: () => m.rule_going_on(),
  [RefusalCode.NOT_RUNNING]: () => m.rule_not_running(),
  [RefusalCode.RUNNING]: () => m.rule_running(),
  [RefusalCode.NO_TIME_LEFT]: () => m.rule_no_time_left(),
  [RefusalCode.TRIPLE_BLOCK]: () => m.rule_triple_block(),
  [RefusalCode.NO_BANK]: () => m.rule_no_bank(),
  [RefusalCode.NOT_ON_MOVE]: () => m.rule_not_on_move(),
  [RefusalCode.FLAG_DOWN]: () => m.rule_flag_down(),
  [RefusalCode.NOTHING_TO_REFILL]: () => m.rule_nothing_to_refill(),
  [RefusalCode.NO_DOUBLE_FLAG]: () => m.rule_no_double_flag(),
  [RefusalCode.NO_DRAW_RIGHT]: () => m.rule_no_draw_right(),
  [RefusalCode.FLAG_UP]: () => m.rule_flag_up(),
  [RefusalCode.ALREADY_CALLED]: () => m.rule_already_called(),
  [RefusalCode.NO_RESULT]: () => m.rule_no_result(),
  [RefusalCode.BOARD_CHANGED]: (about) => (about.move ? m.rule_pressed({ side: side(about), move: about.move }) : m.rule_changed()),
  [RefusalCode.BOARD_EXISTS]: ({ board }) => m.rule_board_exists({ board }),
  [RefusalCode.NO_BOARD]: ({ board }) => m.no_board({ board }),
  [RefusalCode.NO_CLOCK]: () => m.rule_no_clock(),
  [RefusalCode.NO_CLOCK_EACH]: () => m.rule_no_clock_each(),
  [RefusalCode.CLOCK_FAILED]: () => m.rule_clock_failed(),
  [RefusalCode.CLOCK_SILENT]: () => m.why_silent(),
  [RefusalCode.CLOCK_REVOKED]: ({ clock }) => m.rule_revoked({ clock }),
  [RefusalCode.CLOCK_ELSEWHERE]: ({ clock, board }) => m.rule_elsewhere({ clock, board }),
  [RefusalCode.CLOCK_OTHER_SIDE]: (about) => m.rule_other_side({ clock: about.clock, side: side(about) }),
  [RefusalCode.CLOCK_UNKNOWN]: ({ clock }) => m.rule_clock_unknown({ clock }),
  [RefusalCode.CLOCK_AMBIGUOUS]: ({ clock }) => m.rule_clock_ambiguous({ clock }),
  [RefusalCode.BOARD_IN_PLAY]: () => m.rule_going_on(),
  [RefusalCode.ZERO_TEST_IN_PLAY]: () => m.rule_test_playing(),
  [RefusalCode.ZERO_TEST_UNKNOWN]: () => m.rule_test_unknown(),
  [RefusalCode.ZERO_TEST_UNDER_WAY]: () => m.rule_test_under_way(),
  [RefusalCode.NO_SUCH_PRESS]: () => m.rule_no_press(),
  [RefusalCode.TURN_NEVER_BEGAN]: (about) => m.rule_never_began({ side: side(about), move: about.move }),
  [RefusalCode.CLOCK_CARRIES_IT_OUT]: () => m.rule_clock_does_it(),
  [RefusalCode.LEFT_FOR_CLOCK]: () => m.rule_already_sent(),
  [RefusalCode.SHOWS_RESULT]: () => m.rule_shows_result(),
  [RefusalCode.PASSED_OVER]: () => m.rule_skipped(),
  [RefusalCode.TAKEN_OVER]: () => m.rule_taken_over(),
  [RefusalCode.CLOCK_REPLACED]: () => m.rule_replaced(),
  [RefusalCode.GIVEN_TWO_CLOCKS]: () => m.rule_replaced(),
  [RefusalCode.CLOCK_MOVED]: () => m.rule_replaced(),
  [RefusalCode.COMMAND_UNKNOWN]: () => m.rule_unknown(),
  [RefusalCode.CHIEF_ONLY]: () => m.why_chief(),
  [RefusalCode.ARBITER_ONLY]: () => m.why_viewer(),
  [RefusalCode.OUTSIDE_SECTOR]: ({ name }) => m.rule_sector({ boards: isolated(name) }),
  [RefusalCode.SECOND_NEEDED]: () => m.rule_second(),
  [RefusalCode.SECOND_DECLINED]: ({ name }) => m.rule_declined({ name: isolated(name) }),
  [RefusalCode.SECOND_IS_SENDER]: () => m.rule_second_other(),
  [RefusalCode.NOT_HELD]: () => m.rule_not_held(),
  [RefusalCode.TOO_MANY_HELD]: () => m.rule_many_held(),
  [RefusalCode.SECOND_SENDER_GONE]: ({ name }) => m.rule_sender_gone({ name: isolated(name) }),
  [RefusalCode.EVENT_CHANGED]: () => m.rule_event_changed(),
  [RefusalCode.NO_EVENT]: () => m.rule_no_event(),
  [RefusalCode.NO_PLAYER]: ({ number: n }) => m.rule_no_player({ n }),
  [RefusalCode.NO_TEAM]: ({ number: n }) => m.rule_no_team({ n }),
  [RefusalCode.NO_MATCH]: ({ round, number: n }) => m.rule_no_match({ round, n }),
  [RefusalCode.NO_ROUND]: ({ round }) => m.rule_no_round({ round }),
  [RefusalCode.NO_ROUND_BOARD]: ({ round, board }) => m.rule_no_round_board({ round, board }),
  [RefusalCode.NO_SECTOR]: ({ name }) => m.rule_no_sector({ name: isolated(name) }),
  [RefusalCode.ROUND_CONFIRMED]: ({ round }) => m.rule_confirmed({ round }),
  [RefusalCode.REASON_MISSING]: ({ board }) => (board ? m.rule_reason_board({ board }) : m.why_reason()),
  [RefusalCode.RESULT_IMPOSSIBLE]: impossible,
  [RefusalCode.EVENT_INVALID]: impossible,
  [RefusalCode.EVENT_CONFLICT]: impossible,
  [RefusalCode.FLOOR_CHANGED]: ({ name }) => m.rule_floor({ name: isolated(name) }),
  [RefusalCode.CODE_NOT_VALID]: () => m.rule_code_not_valid(),
  [RefusalCode.CODES_WRONG]: () => m.rule_codes_wrong(),
  [RefusalCode.CODE_OF_OTHER_HUB]: () => m.rule_other_hub(),
  [RefusalCode.HUB_CANNOT]: () => m.rule_hub_cannot(),
  [RefusalCode.NAME_UNFIT]: () => m.rule_name(),
  [RefusalCode.CONTROL_UNREADABLE]: ({ name }) => m.rule_control({ name }),
  [RefusalCode.FILE_UNREADABLE]: ({ faults = [], moreFaults = 0, text }) => m.rule_file({ text: faultsWords(faults, moreFaults) || text }),
  [RefusalCode.HIDDEN_CHARACTER]: ({ name }) => m.rule_hidden({ name }),
  [RefusalCode.NUMBERS_FIXED]: ({ round }) => m.rule_numbers_fixed({ round }),
  [RefusalCode.NO_PAIRING_PROGRAM]: () => m.rule_no_program(),
  [RefusalCode.FIRST_COLOUR_OPEN]: () => m.rule_first_colour(),
  [RefusalCode.ROUND_OPEN]: ({ round, board }) => m.rule_round_open({ round, board }),
  [RefusalCode.ALL_ROUNDS_PAIRED]: ({ number: n }) => m.rule_all_paired({ n }),
  [RefusalCode.PAIRING_FAILED]: ({ detail, text }) => detailWords(detail) || m.rule_pairing_failed({ text }),
  [RefusalCode.FOREIGN_FILE]: () => m.rule_foreign(),
  [RefusalCode.REMOVES_PAIRINGS]: ({ number: n }) => m.rule_removes({ n }),
  [RefusalCode.NOTHING_TO_UNDO]: () => m.rule_no_undo(),
  [RefusalCode.UNDO_BLOCKED]: ({ name: what }) => m.rule_undo_blocked({ what }),
  [RefusalCode.EVENT_NAME_DIFFERS]: ({ name }) => m.rule_event_name({ name }),
  [RefusalCode.EVENT_IN_PLAY]: ({ round, board }) => m.rule_in_play({ round, board }),
  [RefusalCode.EVENT_UNKNOWN]: ({ number: n }) => m.rule_event_unknown({ n }),
  [RefusalCode.NO_FIDE_LIST]: () => m.rule_no_fide_list(),
  [RefusalCode.FIDE_LIST_BUSY]: () => m.rule_fide_list_busy(),
  [RefusalCode.FIDE_LIST_INTERRUPTED]: () => m.rule_fide_list_interrupted(),
  [RefusalCode.ENROLMENT_OPEN]: ({ name }) => m.rule_enrolment_open({ name: isolated(name) }),
  [RefusalCode.ENROLMENT_CLOSED]: () => m.many_ended(),
  [RefusalCode.MORE_CLOCKS_THAN_ASKED]: ({ number: n }) => m.rule_more_clocks({ n }),
  [RefusalCode.CLOCK_NOT_WAITING]: ({ clock }) => m.rule_not_waiting({ clock }),
  [RefusalCode.NO_CODE_LEFT]: () => m.rule_no_code_left(),
  [RefusalCode.BY_THE_LAWS]: ({ law }) => lawRefusalWords(law),
  [RefusalCode.MOVE_NOT_PLAYABLE]: (about) =>
    about.law ? m.rule_move({ n: about.move, side: side(about), why: moveRefusalWords(about.law) }) : m.rule_no_move(),
  [RefusalCode.MOVES_MISSING]: ({ number: n }) => m.rule_moves_missing({ n }),
  [RefusalCode.TOO_MANY_MOVES]: ({ number: n }) => m.rule_many_moves({ n }),
  [RefusalCode.NOT_CHESS]: () => m.rule_not_chess(),
  [RefusalCode.COMMAND_WAITS]: () => m.rule_command_waits(),
  [RefusalCode.SERVED_BY_CLOCK]: ({ board }) => m.rule_served_by_clock({ board }),
  [RefusalCode.NOT_TIME_CHESS]: ({ board }) => m.rule_not_time_chess({ board }),
  [RefusalCode.NO_RULE_SET]: ({ name }) => m.rule_no_rules({ name }),
  [RefusalCode.DEVICE_REVOKED]: ({ name, atUs, reason }) => {
    const time = dateTime(new Date(Number(atUs ?? 0n) / 1000), new Date());
    const who = { name: isolated(name), time };
    return reason ? m.rule_device_revoked_for({ ...who, reason: isolated(reason) }) : m.rule_device_revoked(who);
  },
};

export function failureWords(error: unknown): string {
  if (error instanceof Refused) return refusalWords(error.why);
  if (error instanceof Unreachable) return m.no_answer();
  return error instanceof Error ? error.message : String(error);
}

export function refusalWords(refusal: About & Pick<Refusal, "code" | "changes" | "moreChanges">): string {
  const changes = changesWords(refusal);
  if (changes) return changes;
  // A code from a newer hub is missing here, although the type says otherwise.
  const sentence = (SENTENCES as Partial<typeof SENTENCES>)[refusal.code];
  return sentence ? sentence(refusal) : refusal.text;
}
