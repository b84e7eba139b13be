// Formats clock digits, also for the public pages. The agent, the hub and this module must agree on every digit, because people compare them
// (tests/clock-text.txt in the repository checks all three).
//
// Clock times are rounded up, so that zero appears only when the time is used up. Two groups are m:ss, three are h:mm:ss, never h:mm.

const TENTH = 100_000;
const SECOND = 1_000_000;
/** The longest time that is shown with tenths: 9.9 s. */
const TENTHS_FROM = 99 * TENTH;

/** The digits down to the seconds, then the tenths, which are drawn smaller. */
export type Digits = readonly [string, string];

const two = (n: number): string => String(n).padStart(2, "0");

export function clockText(us: number): Digits {
  if (us <= 0) return ["0:00", ""];
  const tenths = Math.ceil(us / TENTH);
  if (tenths < 100) return [`0:0${Math.floor(tenths / 10)}`, `.${tenths % 10}`];
  const s = Math.ceil(us / SECOND);
  const h = Math.floor(s / 3600);
  const m = Math.floor(s / 60) % 60;
  return [h ? `${h}:${two(m)}:${two(s % 60)}` : `${m}:${two(s % 60)}`, ""];
}

/** Formats a side's time. In overtime, formats the time beyond the end, with a plus sign. */
export function sideText(us: number, allotment: string): Digits {
  if (allotment !== "overtime") return clockText(us);
  const [big, small] = clockText(Math.abs(us));
  return [`+${big}`, small];
}

/** The width class of the digits: `hours` from one hour, `days` from a hundred hours, as in correspondence chess. */
export type Width = "" | "hours" | "days";

/** Returns the width class of a side's digits, which are rounded up. */
export function widthOf(us: number, allotment: string): Width {
  const size = allotment === "overtime" ? Math.abs(us) : us;
  if (size > 359_999 * SECOND) return "days";
  return size > 3599 * SECOND ? "hours" : "";
}

/** Returns the microseconds until the digits change; Infinity if they never do. */
export function untilNextDigit(us: number, rate: number, allotment: string): number {
  if (rate === 0) return Infinity;
  const overtime = allotment === "overtime";
  const size = overtime ? Math.abs(us) : Math.max(0, us);
  const grows = overtime ? us === 0 || rate < 0 === us < 0 : rate > 0;
  const step = size <= TENTHS_FROM ? TENTH : SECOND;
  const shown = Math.ceil(size / step) * step;
  // Digits are rounded up. They change just after a step when the time grows, and exactly at a step when it shrinks.
  if (grows) return shown - size + 1;
  if (size === 0) return Infinity;
  return size - (step === SECOND ? Math.max(shown - step, TENTHS_FROM) : shown - step);
}

/** Formats the time used for a move: to the second, or to the tenth of a second below ten seconds. */
export function lengthText(us: number): string {
  const tenths = Math.round(us / TENTH);
  if (tenths < 100) return `0:0${Math.floor(tenths / 10)}.${tenths % 10}`;
  return clockText(Math.round(us / SECOND) * SECOND)[0];
}

export function ageText(us: number): string {
  return clockText(Math.max(0, Math.floor(us / SECOND)) * SECOND)[0];
}
