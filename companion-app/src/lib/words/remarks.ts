// Describes remarks on files and pairings, and data that an exported file cannot contain, in the arbiter's language. A remark of unknown
// kind, from an older or newer hub, keeps the hub's own text.
//
// Owns the sentence of each kind. Must never judge a file.

import { m } from "$gen/words/messages.js";
import { RemarkKind as Kind, type Entrant, type Remark } from "$gen/api/remark_pb.js";
import { FideListFaultKind as FaultKind, RateOfPlay, type FideListFault } from "$gen/api/fide_pb.js";
import { Bye, type Result } from "$gen/frames/event_pb.js";
import { codeOf } from "$lib/event/results.js";
import { points } from "$lib/event/score.js";
import { atPlace, withFault } from "./file-faults.js";
import { isolated, pairOf } from "./isolated.js";
import { byeWord } from "./pairing.js";
import { rateWord } from "./rating.js";
import { resultText } from "./results.js";

type Sentence = (about: Remark) => string;

export const REMARKS: Record<Kind, Sentence | null> = {
  [Kind.UNSPECIFIED]: null,
  [Kind.PAIRED_AFTER_WITHDRAWAL]: (about) => m.rm_paired_withdrawn({ player: first(about), round: about.round, here: about.here }),
  [Kind.PAIRED_BEFORE_ARRIVAL]: (about) => m.rm_paired_early({ player: first(about), round: about.round, here: about.here }),
  [Kind.PAIRED_DESPITE_BYE]: (about) => m.rm_paired_bye({ player: first(about), round: about.round, bye: byeWord(about.bye) }),
  [Kind.FORBIDDEN_PAIR]: forbiddenWords,
  [Kind.MET_BEFORE]: (about) => m.rm_met({ ...pair(about), round: about.round }),
  [Kind.SECOND_BYE]: (about) => m.rm_second_bye({ player: first(about), round: about.round }),
  [Kind.WITHDRAWN_BUT_PAIRED]: (about) => m.rm_withdrawn_paired({ player: first(about), here: about.here, board: about.board, round: about.round }),
  [Kind.SHARED_BYE]: (about) => m.rm_shared_bye({ round: about.round, n: about.entrants.length, players: all(about) }),
  [Kind.NUMBERS_OUT_OF_ORDER]: ({ round }) => m.rm_numbers({ round }),

  [Kind.FEWER_ROUNDS]: ({ inFile, here }) => m.rm_fewer_rounds({ in_file: inFile, here }),
  [Kind.POINTS_KEPT]: () => m.rm_points_kept(),
  [Kind.MISSING_PLAYERS]: (about) => m.rm_missing({ n: about.count, players: about.count > about.entrants.length ? `${all(about)} …` : all(about) }),
  [Kind.CORRECTED_RESULT]: (about) => m.rm_corrected({ ...ofBoard(about), here: result(about.resultHere) }),
  [Kind.POINTS_ADDED]: (about) => m.rm_points_added(ofBoard(about)),
  [Kind.BOARD_KEPT]: (about) => {
    const { round, inFile, here, count } = about;
    const kept = m.rm_board_kept({ round, in_file: inFile, here });
    return atPlace(about, count > 0 ? `${kept} ${m.rm_more({ n: count })}` : kept);
  },

  [Kind.DOS_CODE_PAGE]: () => m.rm_dos(),
  [Kind.HIDDEN_CHARACTER]: (about) => atPlace(about, m.rm_hidden({ text: about.text })),
  [Kind.MORE_HIDDEN_CHARACTERS]: ({ count }) => m.rm_hidden_more({ n: count }),
  [Kind.COLUMNS_IN_BYTES]: () => m.rm_bytes(),
  [Kind.UNKNOWN_COLUMN]: (about) => m.rm_column(quoted(about)),
  [Kind.REPEATED_RECORD]: (about) => atPlace(about, m.rm_repeated({ tag: about.otherText })),
  [Kind.COMMENT_LEFT_OUT]: (about) => atPlace(about, unreadable(about, m.rm_comment_out())),
  [Kind.RECORD_LEFT_OUT]: (about) => atPlace(about, unreadable(about, m.rm_record_out({ tag: about.otherText }))),
  [Kind.RECORD_KEPT]: (about) => atPlace(about, unreadable(about, m.rm_record_kept({ tag: about.otherText }))),
  [Kind.NOT_A_RECORD]: (about) => atPlace(about, m.rm_no_record(quoted(about))),
  [Kind.OUTDATED_TEAMS]: (about) => atPlace(about, m.rm_outdated_teams()),
  [Kind.READ_AS_DATE]: (about) => atPlace(about, m.rm_as_date({ ...quoted(about), date: about.otherText })),
  [Kind.NO_DATE]: (about) => atPlace(about, m.rm_no_date(quoted(about))),
  [Kind.COMMENT]: (about) => atPlace(about, m.rm_comment(quoted(about))),
  [Kind.NO_FEDERATION]: (about) => atPlace(about, m.rm_no_federation(quoted(about))),
  [Kind.NO_FIDE_ID]: (about) => atPlace(about, m.rm_no_id(quoted(about))),
  [Kind.READ_AS_NO_RESULT]: (about) => atPlace(about, m.rm_no_result(quoted(about))),
  [Kind.COLOUR_WITHOUT_OPPONENT]: (about) => atPlace(about, m.rm_colour(quoted(about))),
  [Kind.READ_AS_BYE]: (about) => atPlace(about, m.rm_as_bye({ ...quoted(about), bye: byeWord(about.bye) })),
  [Kind.DATES_IN_ORDER]: (about) => atPlace(about, m.rm_dates({ ...quoted(about), round: about.round })),

  [Kind.ANNOUNCED_COUNT]: (about) => {
    const numbers = { in_file: about.inFile, here: about.here };
    return atPlace(about, about.teams ? m.rm_teams_announced(numbers) : m.rm_players_announced(numbers));
  },
  [Kind.NO_TEAMS]: (about) => atPlace(about, m.rm_no_teams(quoted(about))),
  [Kind.ANNOUNCED_ROUNDS]: (about) => atPlace(about, m.rm_rounds_announced({ in_file: about.inFile, here: about.here })),
  [Kind.TWO_ROUND_COUNTS]: (about) => atPlace(about, m.rm_two_counts({ in_file: about.inFile, here: about.here })),
  [Kind.END_BEFORE_START]: (about) => atPlace(about, m.rm_end({ end: about.text, start: about.otherText })),
  [Kind.ROUNDS_COUNTED]: ({ here }) => m.rm_rounds_counted({ here }),
  [Kind.TIE_BREAK_LEFT_OUT]: (about) => m.rm_tie_break(quoted(about)),

  [Kind.FORFEITS_AS_BYES]: ({ round, bye, numbers }) => m.rm_forfeits_byes({ round, bye: byeWord(bye), lines: numbers.join(", ") }),
  [Kind.PLAYER_WITHOUT_TEAM]: (about) => atPlace(about, m.rm_no_team({ round: about.round })),
  [Kind.FORFEITS_WITHOUT_MATCH]: (about) => {
    const slots = { round: about.round, players: all(about) };
    return about.count > 0 ? m.rm_no_match({ ...slots, team: about.count }) : m.rm_no_match_alone(slots);
  },
  [Kind.JOINS_TEAM]: (about) => m.rm_joins({ player: first(about), team: about.count, round: about.round }),
  [Kind.BYE_WITHOUT_LETTER]: (about) => atPlace(about, m.rm_bye_letter({ player: first(about), round: about.round, bye: byeWord(about.bye) })),
  [Kind.BYE_OF_PAIRED]: (about) => atPlace(about, m.rm_bye_paired(byeOf(about))),
  [Kind.BYE_BESIDE_OTHER]: (about) => atPlace(about, m.rm_bye_other({ ...byeOf(about), other: byeWord(about.otherBye) })),
  [Kind.BYE_AFTER_LAST_ROUND]: (about) => atPlace(about, m.rm_bye_late({ ...byeOf(about), here: about.here })),

  [Kind.UNEXPLAINED_POINTS]: (about) => atPlace(about, m.rm_points({ player: first(about), ...scores(about) })),
  [Kind.UNEXPLAINED_POINTS_299]: (about) => atPlace(about, m.rm_points_299({ player: first(about), ...scores(about) })),
  [Kind.POINTS_FROM_FILE]: (about) => `${m.rm_points_file({ players: all(about) })} ${m.rm_until()}`,
  [Kind.TEAM_POINTS]: (about) => m.rm_team_points({ team: first(about), in_file: teamScore(about.pointsInFile), here: teamScore(about.pointsHere) }),
  [Kind.RANKS_BY_OWN_POINTS]: (about) => ranks(about, m.rm_rank_own()),
  [Kind.RANKS_WITHOUT_TIE_BREAKS]: (about) => ranks(about, m.rm_rank_none()),
  [Kind.RANKS_BY_TIE_BREAKS]: (about) => ranks(about, m.rm_rank_list({ list: about.texts.join(", ") })),

  [Kind.LOST_RECORDS]: (about) => unreadable(about, m.rm_lost_records({ n: about.count })),
  [Kind.LOST_BIRTH]: (about) => m.rm_lost_birth({ player: first(about), ...quoted(about) }),
  [Kind.CUT_RECORD]: (about) => m.rm_cut_record({ tag: about.otherText, ...quoted(about) }),
  [Kind.CUT_PLAYER]: (about) => m.rm_cut_player({ player: first(about), ...quoted(about) }),
  [Kind.CUT_TEAM]: (about) => m.rm_cut_team({ team: isolated(about.otherText), ...quoted(about) }),
  [Kind.ONLY_IN_COMMENT]: ({ otherText }) => m.rm_in_comment({ tag: otherText }),
  [Kind.LOST_DECIMALS]: (about) => m.rm_decimals({ points: scores(about).here }),
  [Kind.POINTS_OF_FULL_BYE]: (about) => award(byeWord(Bye.FULL), about),
  [Kind.POINTS_OF_HALF_BYE]: (about) => award(byeWord(Bye.HALF), about),
  [Kind.POINTS_OF_FORFEIT_LOSS]: (about) => award(m.rm_forfeit_loss(), about),
  [Kind.LOST_MOVES]: () => m.rm_moves(),
  [Kind.LOST_BYES]: ({ round }) => m.rm_byes({ round }),
  [Kind.GAME_OF_ONE_PLAYER]: ({ round, board }) => m.rm_one_player({ round, board }),
  [Kind.GAME_FORFEITED]: ({ round, board }) => m.rm_forfeited({ round, board }),
  [Kind.GAME_WITH_TWO_RESULTS]: ({ round, board }) => m.rm_two_results({ round, board }),
};

/** Describes remarks. `texts` are the hub's own texts for them, in the same order. */
export function remarkWords(texts: readonly string[], typed: readonly Remark[]): string[] {
  return texts.map((text, at) => {
    const about = typed[at];
    // A kind from a newer hub is missing here, although the type says otherwise.
    return (about && (REMARKS as Partial<typeof REMARKS>)[about.kind]?.(about)) ?? text;
  });
}

/** The sentence of each kind of unreadable field in a line of FIDE's rating list; the compiler checks that none is missing. */
export const FAULTS: Record<FaultKind, ((text: string) => string) | null> = {
  [FaultKind.UNSPECIFIED]: null,
  [FaultKind.FIDE_ID]: (text) => m.fide_fault_id({ text }),
  [FaultKind.NAME]: () => m.fide_fault_name(),
  [FaultKind.RATING]: (text) => m.fide_fault_rating({ text }),
  [FaultKind.STANDARD_RATING]: (text) => m.fide_fault_rating_of({ text, rate: rateWord(RateOfPlay.STANDARD) }),
  [FaultKind.RAPID_RATING]: (text) => m.fide_fault_rating_of({ text, rate: rateWord(RateOfPlay.RAPID) }),
  [FaultKind.BLITZ_RATING]: (text) => m.fide_fault_rating_of({ text, rate: rateWord(RateOfPlay.BLITZ) }),
  [FaultKind.BIRTH_YEAR]: (text) => m.fide_fault_year({ text }),
};

export function listFaultWords({ line, text, kind, found }: FideListFault): string {
  const sentence = (FAULTS as Partial<typeof FAULTS>)[kind];
  return m.fide_list_line({ line: String(line), text: sentence?.(isolated(found)) ?? text });
}

function forbiddenWords(about: Remark): string {
  const slots = { ...pair(about), round: about.round };
  const [from, to] = about.numbers;
  return from === undefined || to === undefined ? m.rm_forbidden(slots) : m.rm_forbidden_rounds({ ...slots, first: from, last: to });
}

function ofBoard({ round, board, entrants, resultInFile }: Remark): { round: number; board: number; names: string; in_file: string } {
  const seat = (entrant: Entrant | undefined): string => entrant?.name || (entrant?.number ? String(entrant.number) : "–");
  const names = pairOf(seat(entrants[0]), seat(entrants[1]));
  return { round, board, names, in_file: result(resultInFile) };
}

function result(of: Result | undefined): string {
  const text = resultText(codeOf(of) ?? "–");
  return of?.kind.case === "played" && of.kind.value.unrated ? m.rm_unrated({ result: text }) : text;
}

function unreadable(about: Remark, sentence: string): string {
  return withFault(sentence, about.expected, about.text);
}

function quoted({ text }: Remark): { text: string } {
  return { text: isolated(text) };
}

/** Formats an entrant: `3 Charlie, Cid`, or only the number if the name is unknown. */
function entrantWords({ number, name }: Entrant): string {
  return name === "" ? String(number) : `${number} ${isolated(name)}`;
}

function first({ entrants: [entrant] }: Remark): string {
  return entrant ? entrantWords(entrant) : "–";
}

function pair({ entrants: [one, other] }: Remark): { one: string; other: string } {
  return { one: one ? entrantWords(one) : "–", other: other ? entrantWords(other) : "–" };
}

function byeOf(about: Remark): { number: string; round: number; bye: string } {
  return { number: first(about), round: about.round, bye: byeWord(about.bye) };
}

/** Lists the entrants. If any entrant has a name, the separator is a semicolon, because names contain commas. */
function all({ entrants }: Remark): string {
  const separator = entrants.some(({ name }) => name !== "") ? "; " : ", ";
  return entrants.map(entrantWords).join(separator);
}

function scores({ pointsInFile: [inFile = 0n], pointsHere: [here = 0n] }: Remark): { in_file: string; here: string } {
  return { in_file: points(inFile), here: points(here) };
}

function teamScore([match = 0n, game = 0n]: readonly bigint[]): string {
  return m.rm_match_game({ match: points(match), game: points(game) });
}

function award(what: string, about: Remark): string {
  const { in_file, here } = scores(about);
  return m.rm_award({ what, points: here, in_file });
}

function ranks(about: Remark, rule: string): string {
  const { numbers, inFile, here } = about;
  const slots = { n: numbers[0] ?? 0, all: numbers[1] ?? 0, no: first(about), in_file: inFile, here };
  const sentence = about.teams ? m.rm_team_ranks(slots) : m.rm_ranks(slots);
  return `${sentence} ${rule} ${m.rm_until()}`;
}
