// The moments of a replayed game in words.

import { MomentKind } from "$gen/api/archive_pb.js";
import { m } from "$gen/words/messages.js";
import { lengthText } from "$lib/draw/clock-text.js";
import type { FlagChange, Moment } from "$lib/replay/replay.js";
import { commandWords } from "./command.js";
import { controlWords } from "./control.js";
import { dayTime } from "./day-time.js";
import { words } from "./states.js";

export function momentWords(moment: Moment): string {
  const side = words.side(moment.side ?? "white");
  switch (moment.kind) {
    case MomentKind.SET:
      return controlWords(moment.text);
    case MomentKind.STARTED:
      return m.did_start_side({ side });
    case MomentKind.MOVE:
      return m.replay_moved({ move: moveText(moment), used: lengthText(moment.usedUs) });
    case MomentKind.IGNORED:
      return m.replay_ignored({ side });
    case MomentKind.STOPPED:
      return m.log_stopped();
    case MomentKind.ARBITER_CALLED:
      return m.log_arbiter_called();
    case MomentKind.FLAG:
      return m.replay_flag({ side });
    case MomentKind.FLAG_EXPECTED:
      return m.log_flag_expected();
    case MomentKind.PERIOD:
      return m.replay_period({ side, n: moment.number });
    case MomentKind.ACTION:
      return withReason(commandWords(moment.text), moment.reason);
    case MomentKind.ASKED:
      return withReason(m.replay_asked({ what: commandWords(moment.text) }), moment.reason);
    case MomentKind.OFFLINE:
      return m.log_link_lost();
    case MomentKind.ONLINE:
      return m.log_link_found();
    case MomentKind.NOTE:
    case MomentKind.OTHER:
    case MomentKind.UNSPECIFIED:
      return moment.text;
  }
}

/** Formats a move as score sheets do: `31.` and `31…`. */
export function moveText({ number, side }: Pick<Moment, "number" | "side">): string {
  return `${number}${side === "black" ? "…" : "."}`;
}

function withReason(what: string, reason: string): string {
  return reason ? `${what}: ${reason}` : what;
}

/** Words a flag that would or would not have fallen. */
export function flagWords({ side, wasUs, wouldUs, during }: FlagChange, nowUs: number): string {
  const of = words.side(side);
  const time = (us: number): string => dayTime(us, nowUs, true);
  if (wouldUs === undefined) return m.replay_flag_not({ side: of, time: time(wasUs ?? 0), move: during });
  if (wasUs === undefined) return m.replay_flag_would({ side: of, time: time(wouldUs), move: during });
  return m.replay_flag_other({ side: of, time: time(wouldUs), was: time(wasUs) });
}
