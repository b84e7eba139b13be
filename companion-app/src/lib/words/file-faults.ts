// Describes errors in a file that cannot be read, in the arbiter's language: the place, the text expected there, and the text found. There
// is no text for kinds that only a newer hub knows.
//
// Owns the texts of all kinds. Must never judge a file.

import { m } from "$gen/words/messages.js";
import { ExpectationKind as Kind, type Expectation, type FileFault } from "$gen/frames/file_fault_pb.js";
import { isolated } from "./isolated.js";

type Words = (about: Expectation) => string;

const EXPECTATIONS: Record<Kind, Words | null> = {
  [Kind.UNSPECIFIED]: null,
  [Kind.NUMBER]: ({ number: low, other: high }) => m.exp_number({ low, high }),
  [Kind.ONE_OF]: (about) => m.exp_one_of({ list: listed(about) }),
  [Kind.POINTS]: ({ text: example }) => m.exp_points({ example }),
  [Kind.DATE]: ({ text: example }) => m.exp_date({ example }),
  [Kind.BIRTH]: ({ text: example }) => m.exp_birth({ example }),
  [Kind.TITLE]: () => m.exp_title(),
  [Kind.FEDERATION]: () => m.exp_federation(),
  [Kind.TIME_CONTROL]: () => m.exp_time_control(),
  [Kind.PLAIN_TEXT]: () => m.exp_plain_text(),
  [Kind.PLAYER_NAME]: () => m.exp_player_name(),
  [Kind.TEAM_NAME]: () => m.exp_team_name(),
  [Kind.NATIONAL_NUMBER]: () => m.exp_national_number(),
  [Kind.FIDE_ID]: () => m.exp_fide_id(),
  [Kind.RATING]: () => m.exp_rating(),
  [Kind.PARTICIPANT]: () => m.exp_participant(),
  [Kind.TWO_PARTICIPANTS]: () => m.exp_two_participants(),
  [Kind.CODE_LIST]: () => m.exp_code_list(),
  [Kind.CODE_ONCE]: () => m.exp_code_once(),
  [Kind.CODE_WITH_POINTS]: () => m.exp_code_with_points(),
  [Kind.POINTS_OF_CODE]: () => m.exp_points_of_code(),
  [Kind.COLOURS]: ({ number: n }) => m.exp_colours({ n }),
  [Kind.RANKING_METHOD]: () => m.exp_ranking_method(),
  [Kind.RANGE_IN_ORDER]: () => m.exp_range_in_order(),
  [Kind.VALUE]: () => m.exp_value(),
  [Kind.BLANK]: () => m.exp_blank(),
  [Kind.NO_MORE_TEXT]: () => m.exp_no_more_text(),
  [Kind.ROUND_LIMIT]: ({ number: n }) => m.exp_round_limit({ n }),
  [Kind.TEAM_SIZE]: ({ number: n }) => m.exp_team_size({ n }),
  [Kind.TAG]: () => m.exp_tag(),
  [Kind.SINGLE_RECORD]: ({ text: tag }) => m.exp_single_record({ tag }),
  [Kind.PLAYER_LINE]: () => m.exp_player_line(),
  [Kind.NO_OPPONENT]: () => m.exp_no_opponent(),
  [Kind.COLOUR]: () => m.exp_colour(),
  [Kind.FREE_NUMBER]: () => m.exp_free_number(),
  [Kind.FREE_TEAM_NUMBER]: () => m.exp_free_team_number(),
  [Kind.OPPONENT]: ({ round }) => m.exp_opponent({ round }),
  [Kind.OPPONENT_IN_FILE]: ({ round }) => m.exp_opponent_in_file({ round }),
  [Kind.OPPONENT_WHO_MET]: ({ number: n, round }) => m.exp_opponent_who_met({ n, round }),
  [Kind.OPPOSITE_COLOUR]: ({ number: n, round }) => m.exp_opposite_colour({ n, round }),
  [Kind.MATCHING_RESULT]: ({ number: n, round }) => m.exp_matching_result({ n, round }),
  [Kind.PLAYER_IN_FILE]: () => m.exp_player_in_file(),
  [Kind.PARTICIPANT_IN_FILE]: () => m.exp_participant_in_file(),
  [Kind.ONE_TEAM]: () => m.exp_one_team(),
  [Kind.COUNT]: ({ number: n, teams }) => (teams ? m.exp_count_teams({ n }) : m.exp_count({ n })),
  [Kind.TEAM_LIMIT]: ({ number: n }) => m.exp_team_limit({ n }),
  [Kind.PLAYERS_WITH_TEAMS]: () => m.exp_players_with_teams(),
  [Kind.OTHER_TEAM]: () => m.exp_other_team(),
  [Kind.OPPONENT_OF_TEAM]: ({ number: n, other }) => m.exp_opponent_of_team({ n, other }),
  [Kind.ONE_MATCH]: ({ number: n, other, round }) => m.exp_one_match({ n, other, round }),
  [Kind.FILE_SIZE]: ({ number: n }) => m.exp_file_size({ n }),
  [Kind.ENCODING]: ({ text: encoding }) => m.exp_encoding({ encoding }),
  [Kind.SEPARATOR]: () => m.exp_separator(),
  [Kind.QUOTED_FIELD]: () => m.exp_quoted_field(),
  [Kind.CLOSING_QUOTE]: () => m.exp_closing_quote(),
  [Kind.HEADERS]: ({ text: example }) => m.exp_headers({ example }),
  [Kind.HEADER]: ({ text: heading }) => m.exp_header({ heading }),
  [Kind.COLUMN_ONCE]: () => m.exp_column_once(),
  [Kind.FIELDS]: ({ number: n }) => m.exp_fields({ n }),
  [Kind.PLAYER_PER_LINE]: () => m.exp_player_per_line(),
  [Kind.NAME_OR_FIDE_ID]: () => m.exp_name_or_fide_id(),
  [Kind.FIDE_ID_ONCE]: ({ number: line }) => m.exp_fide_id_once({ line }),
  [Kind.PAIRING]: () => m.exp_pairing(),
  [Kind.PLAYERS_OR_BYE]: () => m.exp_players_or_bye(),
  [Kind.PLAYER_ONCE]: ({ round }) => m.exp_player_once({ round }),
  [Kind.BOARD_ONCE]: ({ round }) => m.exp_board_once({ round }),
  [Kind.BYE]: () => m.exp_bye(),
  [Kind.RESULT]: () => m.exp_result(),
  [Kind.KNOWN_NUMBER]: () => m.exp_known_number(),
  [Kind.KNOWN_FIDE_ID]: () => m.exp_known_fide_id(),
  [Kind.KNOWN_NAME]: () => m.exp_known_name(),
  [Kind.UNIQUE_NAME]: () => m.exp_unique_name(),
  [Kind.BOARD_NUMBER]: () => m.exp_board_number(),
  [Kind.BOARD_OF_ROUND]: (about) => m.exp_board_of_round({ round: about.round, list: listed(about) }),
  [Kind.PLAYERS_OF_TEAMS]: ({ texts: [one = "", other = ""], number: board }) => m.exp_players_of_teams({ one: isolated(one), other: isolated(other), board }),
  [Kind.LEFT_BOARD]: ({ number: board, other: player }) => m.exp_left_board({ board, player }),
  [Kind.RATING_LIST]: () => m.exp_rating_list(),
  [Kind.COMPLETE_FILE]: () => m.exp_complete_file(),
  [Kind.FULL_LIST]: ({ number: n, other }) => m.exp_full_list({ n, other }),
  [Kind.LIST_SIZE]: ({ number: n }) => m.exp_list_size({ n }),
};

/** The kinds of errors that would break up the matches of a paired round. */
const BREAKS_MATCH: ReadonlySet<Kind> = new Set([Kind.BOARD_NUMBER, Kind.BOARD_OF_ROUND, Kind.PLAYERS_OF_TEAMS, Kind.LEFT_BOARD]);

/** Describes the expected text; empty if there is none, or if its kind is unknown. */
export function expectedWords(about: Expectation | undefined): string {
  if (!about) return "";
  // A kind from a newer hub is missing here, although the type says otherwise.
  const what = (EXPECTATIONS as Partial<typeof EXPECTATIONS>)[about.kind]?.(about);
  if (!what) return "";
  const expected = m.exp_expected({ what });
  return BREAKS_MATCH.has(about.kind) ? `${expected} ${m.exp_full_matches({ round: about.round })}` : expected;
}

/** Appends the expected text and the text found to a sentence, if they are known. */
export function withFault(sentence: string, expected: Expectation | undefined, found: string): string {
  const parts = [sentence, expectedWords(expected), found === "" ? "" : m.rm_found({ text: isolated(found) })];
  return parts.filter((part) => part !== "").join(" ");
}

export function atPlace({ line, column }: { line: number; column: number }, text: string): string {
  if (line === 0) return text;
  return column === 0 ? m.fide_list_line({ line: String(line), text }) : m.rm_place({ line, column, text });
}

/** Describes the errors in a file, one per line; empty if the expectation of any error is missing or of unknown kind. */
export function faultsWords(faults: readonly FileFault[], more: number): string {
  const lines = faults.map((fault) => (expectedWords(fault.expected) ? atPlace(fault, withFault("", fault.expected, fault.found)) : ""));
  if (lines.some((line) => line === "")) return "";
  return [...lines, ...(more > 0 ? [m.rm_more({ n: more })] : [])].join("\n");
}

function listed({ texts }: Expectation): string {
  return texts.map(isolated).join(", ");
}
