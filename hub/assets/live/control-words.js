// A time control in words: `90 min + 30 s per move`.
//
// Reads the notation the hub sends and never judges it; what it does not know it shows as it stands. The agent's face has
// the same words (clock-agent/src/face/control_words.rs; tests/control-words.txt holds both to it).

/** @param {string} notation @returns {string} */
export function controlWords(notation) {
  const both = notation.endsWith(" runs on") ? notation.slice(0, -" runs on".length) : notation;
  const [white, black] = both.split(" vs ");
  return black === undefined ? side(both) : `White ${side(white)}. Black ${side(black)}`;
}

/** @param {string} notation */
function side(notation) {
  const periods = notation.split(" : ");
  const last = periods.length - 1;
  return periods.map((text, place) => period(text, place === last && place > 0) ?? text).join(", then ");
}

/**
 * One period; null where the notation itself must do.
 * @param {string} text
 * @param {boolean} lastOfMany
 * @returns {string|null}
 */
function period(text, lastOfMany) {
  const [head, tail] = halves(text, " ");
  if (head === "up" && !tail) return "time counted up, no limit";
  if (head === "move") return said`${duration(tail)} for each move`;
  if (head === "triple") {
    const [, days, guaranteed] = /^(\d+)( gt)?$/.exec(tail) ?? [];
    return days ? `Triple Block, ${days} days${guaranteed ? ", guaranteed time" : ""}` : null;
  }
  const [count, granted] = head.includes("/") ? halves(head, "/") : ["", head];
  const [main, increment] = granted.split("+");
  const each = increment === undefined ? duration(main) : said`${duration(main)} + ${duration(increment)} per move`;
  return each && withTail(counted(each, count, lastOfMany), granted, tail);
}

/**
 * @param {string} main
 * @param {string} count
 * @param {boolean} lastOfMany
 */
function counted(main, count, lastOfMany) {
  if (!count) return main;
  if (count === "zero") return `${main} until used up`;
  const [, star, moves] = /^(\*?)(\d+)$/.exec(count) ?? [];
  return moves ? `${star || lastOfMany ? "every " : ""}${moves} moves in ${main}` : null;
}

/**
 * @param {string|null} main
 * @param {string} granted
 * @param {string} tail
 */
function withTail(main, granted, tail) {
  if (main === null) return null;
  const [word, rest] = halves(tail, " ");
  const number = (/** @type {string} */ text) => (/^\d+$/.test(text) ? text : null);
  // "0s byo 3x30s" has no main time to speak of.
  const before = granted === "0s" ? "" : `${main}, then `;
  switch (word) {
    case "":
      return main;
    case "cap":
      return said`${main}, never over ${duration(rest)}`;
    case "delay":
      return said`${main}, ${duration(rest)} delay`;
    case "bronstein":
      return said`${main}, ${duration(rest)} Bronstein delay`;
    case "hourglass":
      return `hourglass of ${main}`;
    case "grace":
      return said`${main}, then ${duration(rest)} grace`;
    case "byo": {
      const [periods, time] = halves(rest, "x");
      return said`${before}byo-yomi ${number(periods)} × ${duration(time)}`;
    }
    case "canadian": {
      const [stones, time] = halves(rest, "/");
      return said`${before}every ${number(stones)} moves in ${duration(time)}`;
    }
    case "extra":
      return said`${before}${duration(halves(rest, " min ")[0])} extra time`;
    case "overtime": {
      const [points, time] = halves(rest, "/");
      return said`${main}, then ${number(points)} points off for every ${duration(time)}`;
    }
    default:
      return null;
  }
}

/** @param {string} text @param {string} mark @returns {[string, string]} */
function halves(text, mark) {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + mark.length)];
}

/**
 * The text, unless one of its parts is not known.
 * @param {TemplateStringsArray} texts
 * @param {(string|null)[]} parts
 */
function said(texts, ...parts) {
  return parts.includes(null) ? null : String.raw({ raw: texts }, ...parts);
}

/** `1h30m` as `1 h 30 min`. @param {string} text */
function duration(text) {
  if (!/^(\d[\d.]*(d|h|m|s|ms))+$/.test(text)) return null;
  const words = text.matchAll(/([\d.]+)([a-z]+)/g);
  return [...words].map(([, count, unit]) => `${count} ${unit === "d" ? (count === "1" ? "day" : "days") : unit === "m" ? "min" : unit}`).join(" ");
}
