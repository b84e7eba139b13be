// Describes the lines of a board's log: what happened, and which values changed.

import { m } from "$gen/words/messages.js";
import { clockText, lengthText } from "$lib/draw/clock-text.js";
import type { Difference } from "$lib/log/effects.js";
import type { Line, Made } from "$lib/log/lines.js";
import { commandWords } from "./command.js";
import { controlWords } from "./control.js";
import { dayTime } from "./day-time.js";
import { recordWords } from "./record.js";
import { resultText } from "./results.js";
import { words } from "./states.js";

export interface LineContext {
  nowUs: number;
  /** Returns a command's notation by its id, if the log has it. */
  command: (id: string) => string | undefined;
}

export function lineWords(line: Line, around: LineContext): string {
  const { made, flag, link } = line;
  if (made) return m.log_press({ move: moveText(made), used: lengthText(made.usedUs), left: time(made.leftUs) });
  if (flag) return flag.confirmedUs === undefined ? m.log_flag_expected() : m.log_flag_fell({ time: dayTime(flag.confirmedUs, around.nowUs, true) });
  if (link)
    return link.online
      ? m.log_link_found()
      : link.heardUs === undefined
        ? m.log_link_lost()
        : m.log_link_lost_since({ time: dayTime(link.heardUs, around.nowUs) });
  if (line.gameSet) return m.log_game_set();
  if (line.stopped) return line.stopped === "called" ? m.log_arbiter_called() : m.log_stopped();
  if (line.press) return m.log_pressed();
  if (line.withdraws !== undefined) return m.log_withdrawn({ what: namedCommand(line.withdraws, around) });
  if (line.forces !== undefined) return m.log_forced({ what: namedCommand(line.forces, around) });
  // A correction made at the clock is a command that has no record of its own.
  const said = line.input.case === "command" || line.command === undefined ? recordWords(line.input, line.text) : commandWords(line.command);
  return line.reason ? `${said}: ${line.reason}` : said;
}

function moveText({ move, side }: Made): string {
  return `${move}${side === "white" ? "." : "…"}`;
}

/** Describes the command that has this id. If the log has no notation for this command, returns the beginning of the id. */
function namedCommand(id: string, { command }: LineContext): string {
  const text = command(id);
  return text === undefined ? id.slice(0, 8) : commandWords(text);
}

/** Describes a changed value, before and after; null if both look the same. */
export function differenceWords(one: Difference): { name: string; from: string; to: string } | null {
  const [name, from, to] = parts(one);
  return from === to ? null : { name, from, to };
}

function parts(one: Difference): [string, string, string] {
  switch (one.what) {
    case "time":
      return [words.side(one.side), span(one.fromUs), span(one.toUs)];
    case "bank":
      return [m.change_bank({ side: words.side(one.side) }), span(one.fromUs), span(one.toUs)];
    case "moves":
      return [m.change_moves({ side: words.side(one.side) }), count(one.from), count(one.to)];
    case "period":
      return [m.change_period({ side: words.side(one.side) }), count(one.from), count(one.to)];
    case "byo":
      return [m.change_byo({ side: words.side(one.side) }), count(one.from), count(one.to)];
    case "stones":
      return [m.change_stones({ side: words.side(one.side) }), count(one.from), count(one.to)];
    case "turn":
      return [m.change_turn(), words.side(one.from), words.side(one.to)];
    case "whiteButton":
      return [m.change_button(), button(one.from), button(one.to)];
    case "result":
      return [m.result(), resultText(one.from), one.to ? resultText(one.to) : NONE];
    case "control":
      return [m.control(), controlWords(one.from), controlWords(one.to)];
  }
}

const NONE = "–";

function count(value: number | null): string {
  return value === null ? NONE : String(value);
}

function span(us: number | null): string {
  return us === null ? NONE : time(us);
}

function time(us: number): string {
  return clockText(us).join("");
}

function button(side: "left" | "right"): string {
  return side === "left" ? m.change_left() : m.change_right();
}
