// Describes the moments of a replayed game in the arbiter's language. A kind of moment that this app does not know is described by its log line, or
// else by the hub's own text.

import { m } from "$gen/words/messages.js";
import { clockText } from "$lib/draw/clock-text.js";
import type { SideName } from "$lib/hall/board.js";
import type { Line } from "$lib/log/lines.js";
import type { Addition } from "$lib/replay/supposition.js";
import type { FlagDifference, IgnoredWhy, Moment } from "$lib/replay/timeline.js";
import { commandWords } from "./command.js";
import { controlWords } from "./control.js";
import { dayTime } from "./day-time.js";
import { lineWords } from "./log.js";
import { refusalWords } from "./refusal.js";
import { words } from "./states.js";

/** The actor that the hub names for an action added by a supposition. */
const SUPPOSED = "what if";

const IGNORED: Record<IgnoredWhy, (() => string) | null> = {
  turn: m.replay_ignored_turn,
  not_started: m.replay_ignored_start,
  stopped: m.replay_ignored_stop,
  flag: m.replay_ignored_flag,
  over: m.replay_ignored_over,
  late: m.replay_ignored_late,
  "": null,
};

/** @param line the record's line in the log, which describes moments for which the replay has only the hub's own text */
export function momentWords(moment: Moment, line: Line | undefined, nowUs: number): string {
  const { kind, text, number, reason, refused } = moment;
  const side = words.side(moment.side ?? "white");
  switch (kind) {
    case "set":
      return m.replay_did_set({ control: controlWords(text) });
    case "started":
      return m.replay_did_start({ side });
    case "move":
      return `${moveText(moment.side ?? "white", number)} ${side}`;
    case "ignored": {
      const why = IGNORED[moment.ignored]?.() ?? text;
      return `${m.replay_ignored({ side })}: ${why}`;
    }
    case "stopped":
      return m.log_stopped();
    case "called":
      return m.log_arbiter_called();
    case "flag":
      return m.replay_did_flag({ side });
    case "expected":
      return m.log_flag_expected();
    case "period":
      return m.replay_did_period({ side, n: number });
    case "action": {
      const said = withReason(commandWords(text), reason);
      const done = isSupposed(moment) ? m.replay_supposed({ what: said }) : said;
      return refused ? `${done} (${refusalWords(refused)})` : done;
    }
    case "asked":
      return m.replay_did_ask({ what: withReason(commandWords(text), reason) });
    case "offline":
      return m.log_link_lost();
    case "online":
      return m.log_link_found();
    case "note":
    case "other":
      return line ? lineWords(line, { nowUs, command: () => undefined }) : text;
  }
}

export const isSupposed = ({ kind, actor }: Moment): boolean => kind === "action" && actor === SUPPOSED;

function withReason(said: string, reason: string): string {
  return reason ? `${said}: ${reason}` : said;
}

/** Formats a move number as on score sheets: `31.` or `31…`. */
export function moveText(side: SideName, number: number): string {
  return `${number}${side === "white" ? "." : "…"}`;
}

/** Describes an addition: `Black +2:00 before 23.` */
export function additionWords({ side, us, before }: Addition): string {
  const what = m.did_add({ side: words.side(side), time: `${us < 0 ? "−" : "+"}${clockText(Math.abs(us)).join("")}` });
  return m.replay_added({ what, move: moveText(before.side, before.number) });
}

export function flagWords({ side: of, wasUs, wouldUs, during: move }: FlagDifference, nowUs: number): string {
  const side = words.side(of);
  const at = (us: number): string => dayTime(us, nowUs, true);
  if (wasUs === undefined) return m.replay_flag_more({ side, time: at(wouldUs ?? 0), move });
  if (wouldUs === undefined) return m.replay_flag_kept({ side, time: at(wasUs), move });
  return m.replay_flag_moved({ side, time: at(wouldUs), was: at(wasUs), move });
}
