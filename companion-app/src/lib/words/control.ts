// Describes time controls: `90 min + 30 s per move`. The English texts are the same as on the clock's face: both are tested against
// tests/control-words.txt of the repository.
//
// Reads the hub's notation and never judges it. An unknown part is shown unchanged.

import { m } from "$gen/words/messages.js";

export function controlWords(notation: string): string {
  const both = notation.replace(/ runs on$/, "");
  const [white, black] = both.split(" vs ");
  if (white === undefined || black === undefined) return side(both);
  return m.control_both({ white: side(white), black: side(black) });
}

function side(notation: string): string {
  const periods = notation.split(" : ");
  const last = periods.length - 1;
  const said = periods.map((text, place) => period(text, place === last && place > 0) ?? text);
  return said.reduce((first, next) => m.control_then({ first, next }));
}

function period(text: string, lastOfMany: boolean): string | null {
  const [head, tail] = halves(text, " ");
  if (head === "up" && !tail) return m.control_up();
  if (head === "move") return given([durationWords(tail)], (time) => m.control_move({ time }));
  if (head === "triple") {
    const [, days, guaranteed] = /^(\d+)( gt)?$/.exec(tail) ?? [];
    if (days === undefined) return null;
    return guaranteed ? m.control_triple_gt({ days }) : m.control_triple({ days });
  }
  const [count, granted] = head.includes("/") ? halves(head, "/") : ["", head];
  const [main, increment] = granted.split("+");
  const each =
    increment === undefined
      ? durationWords(main ?? "")
      : given([durationWords(main ?? ""), durationWords(increment)], (time, more) => m.control_increment({ time, more }));
  const counts = each === null ? null : counted(each, count, lastOfMany);
  return counts === null ? null : withTail(counts, granted, tail);
}

function counted(main: string, count: string, lastOfMany: boolean): string | null {
  if (!count) return main;
  if (count === "zero") return m.control_zero({ time: main });
  const [, star, moves] = /^(\*?)(\d+)$/.exec(count) ?? [];
  if (moves === undefined) return null;
  return star || lastOfMany ? m.control_every_moves({ moves, time: main }) : m.control_moves({ moves, time: main });
}

function withTail(main: string, granted: string, tail: string): string | null {
  const [word, rest] = halves(tail, " ");
  // `0s byo 3x30s` has no main time to mention.
  const after = (next: string): string => (granted === "0s" ? next : m.control_then({ first: main, next }));
  switch (word) {
    case "":
      return main;
    case "cap":
      return given([durationWords(rest)], (time) => m.control_cap({ main, time }));
    case "delay":
      return given([durationWords(rest)], (time) => m.control_delay({ main, time }));
    case "bronstein":
      return given([durationWords(rest)], (time) => m.control_bronstein({ main, time }));
    case "hourglass":
      return m.control_hourglass({ main });
    case "grace":
      return given([durationWords(rest)], (time) => m.control_grace({ main, time }));
    case "byo": {
      const [periods, time] = halves(rest, "x");
      return given([number(periods), durationWords(time)], (n, each) => after(m.control_byo({ n, time: each })));
    }
    case "canadian": {
      const [stones, time] = halves(rest, "/");
      return given([number(stones), durationWords(time)], (moves, each) => after(m.control_every_moves({ moves, time: each })));
    }
    case "extra":
      return given([durationWords(halves(rest, " min ")[0])], (time) => after(m.control_extra({ time })));
    case "overtime": {
      const [points, time] = halves(rest, "/");
      return given([number(points), durationWords(time)], (n, each) => m.control_overtime({ main, n, time: each }));
    }
    default:
      return null;
  }
}

/** Returns the sentence that `say` builds from one or two parts, or null if a part is unknown. */
function given(parts: (string | null)[], say: (...known: [string, string]) => string): string | null {
  const known = parts.filter((part) => part !== null);
  return known.length === parts.length ? say(known[0] ?? "", known[1] ?? "") : null;
}

function halves(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + mark.length)];
}

function number(text: string): string | null {
  return /^\d+$/.test(text) ? text : null;
}

/** Formats a duration in the hub's notation: `1h30m` as `1 h 30 min`. Returns null for any other text. */
function durationWords(text: string): string | null {
  if (!/^(\d[\d.]*(d|h|m|s|ms))+$/.test(text)) return null;
  const parts = [...text.matchAll(/([\d.]+)([a-z]+)/g)].map(([, count, unit]) => {
    if (unit === "d") return count === "1" ? m.control_day({ n: count }) : m.control_days({ n: count ?? "" });
    return `${count ?? ""} ${unit === "m" ? "min" : (unit ?? "")}`;
  });
  return parts.join(" ");
}
