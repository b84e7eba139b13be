// Describes the changes since an arbiter last looked, in the arbiter's language: who made each change, what it was, and when.
//
// Owns the sentence for each kind of change. A kind that only a newer hub knows keeps the hub's own text.

import { m } from "$gen/words/messages.js";
import { ChangeKind, type Change, type Refusal } from "$gen/frames/refusal_pb.js";
import { Side } from "$gen/frames/side_pb.js";
import { clockText } from "$lib/draw/clock-text.js";
import { dayTime } from "./day-time.js";
import { isolated } from "./isolated.js";
import { resultText } from "./results.js";

/** The event's codes for results of unplayed games, mapped to the codes that clocks use. */
const UNPLAYED: Record<string, string> = { "+:-": "1-0f", "-:+": "0-1f", "-:-": "0-0f" };

interface Named {
  name: string;
  time: string;
  board: string;
  side: string;
  move: number;
  round: number;
  n: number;
  result: string;
  amount: string;
}
type Sentence = (named: Named) => string;

const SENTENCES: Record<ChangeKind, Sentence | null> = {
  [ChangeKind.UNSPECIFIED]: null,
  [ChangeKind.PRESS]: m.changed_press,
  [ChangeKind.PERIOD]: m.changed_period,
  [ChangeKind.FLAG_FELL]: m.changed_flag_fell,
  [ChangeKind.CLOCKS_STOPPED]: m.changed_stopped,
  [ChangeKind.GAME_ENDED]: (named) => (named.result ? m.changed_ended(named) : m.changed_ended_open(named)),
  [ChangeKind.STARTED]: (named) => (named.name ? m.changed_started(named) : m.changed_began(named)),
  [ChangeKind.PAUSED]: m.changed_paused,
  [ChangeKind.RESUMED]: m.changed_resumed,
  [ChangeKind.TIME_SET]: m.changed_time_set,
  [ChangeKind.TIME_ADDED]: m.changed_time_added,
  [ChangeKind.MOVES_SET]: m.changed_moves_set,
  [ChangeKind.REFILLED]: m.changed_refilled,
  [ChangeKind.RESULT_ENTERED]: m.changed_result,
  [ChangeKind.RESULT_REMOVED]: m.changed_result_removed,
  [ChangeKind.DRAW_CLAIMED]: m.changed_draw_claimed,
  [ChangeKind.FLAG_CALLED]: m.changed_flag_called,
  [ChangeKind.BUTTONS_CHANGED]: m.changed_buttons,
  [ChangeKind.CONTROL_CHANGED]: m.changed_control,
  [ChangeKind.RESTORED]: m.changed_restored,
  [ChangeKind.GAME_SET]: m.changed_game_set,
  [ChangeKind.CLOCK_ASSIGNED]: m.changed_clock,
  [ChangeKind.DRAW_ODDS]: m.changed_odds,
  [ChangeKind.CLOCK_FAILED]: m.changed_failed,
  [ChangeKind.WITHDRAWN]: m.changed_withdrawn,
  [ChangeKind.RULED]: m.changed_ruled,
  [ChangeKind.RULES_CHOSEN]: m.changed_rules,
  [ChangeKind.EVENT_REPLACED]: m.changed_event,
  [ChangeKind.EVENT_DATA]: m.changed_event_data,
  [ChangeKind.PLAYER]: m.changed_player,
  [ChangeKind.TEAM]: m.changed_team,
  [ChangeKind.PAIRING]: m.changed_pairing,
  [ChangeKind.ROUND_CONFIRMED]: m.changed_confirmed,
  [ChangeKind.ROUND_REOPENED]: m.changed_reopened,
  [ChangeKind.SEATS]: m.changed_seats,
  [ChangeKind.BOARD_REMOVED]: m.changed_board_removed,
  [ChangeKind.GAME_RESULT]: m.changed_result,
  [ChangeKind.GAME_RESULT_REMOVED]: m.changed_result_removed,
  [ChangeKind.MATCH_FORFEIT]: m.changed_match,
  [ChangeKind.FLOOR_PLAN]: m.changed_floor,
};

/** Describes the changes that a refusal lists, oldest first, and what to do; empty if it lists none. */
export function changesWords({ changes, moreChanges }: Pick<Refusal, "changes" | "moreChanges">): string {
  if (changes.length === 0) return "";
  return [...(moreChanges ? [m.changed_more()] : []), ...changes.map(changeWords), m.look_then_decide()].join(" ");
}

function changeWords(change: Change): string {
  // A kind from a newer hub is missing here, although the type says otherwise.
  const sentence = (SENTENCES as Partial<typeof SENTENCES>)[change.kind];
  if (!sentence || change.atUs === undefined) return `${change.text}.`;
  const said = sentence(named(change, Number(change.atUs)));
  return change.waiting ? `${said} ${m.changed_waiting()}` : said;
}

function named(change: Change, atUs: number): Named {
  const { board, move, round, number: n } = change;
  const us = Number(change.amountUs);
  const sign = change.kind !== ChangeKind.TIME_ADDED ? "" : us < 0 ? "−" : "+";
  return {
    // The changes are recent, so the time has no date.
    time: dayTime(atUs, atUs),
    name: isolated(change.actor),
    side: change.side === Side.BLACK ? m.black() : m.white(),
    result: change.name && resultText(UNPLAYED[change.name] ?? change.name),
    amount: sign + clockText(Math.abs(us)).join(""),
    board,
    move,
    round,
    n,
  };
}
