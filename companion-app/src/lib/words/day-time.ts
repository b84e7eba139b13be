// Formats the hub's instants as times of day in the arbiter's format. All tablets show the same time, whatever their own clocks say.
//
// Owns the conversion: hub time in the hall's time zone, with the date unless it is today's.

import { getLocale } from "$lib/words/catalogue.js";

/** The hub's wall clock minus the hub's timeline, in milliseconds. */
let aheadMs = 0;

/** Sets how far the hub's wall clock is ahead of the hub's timeline. Usually 0, because the timeline starts from the wall clock. */
export function setAhead(ms: number): void {
  aheadMs = ms;
}

/** The IANA name of the hall's time zone. Undefined if the hub names no known zone; times are then in the device's own zone. */
let zone: string | undefined;

export function setZone(name: string): void {
  zone = isKnown(name) ? name : undefined;
}

function isKnown(name: string): boolean {
  if (!name) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** Returns the device's variant of the app's language, such as en-GB rather than plain English. */
function locale(): string {
  const tag = getLocale();
  return navigator.languages.find((own) => own === tag || own.startsWith(`${tag}-`)) ?? tag;
}

/** @param nowUs the hub's current time; times on the same day are shown without a date */
export function dayTime(hubUs: number, nowUs: number, tenths = false): string {
  return dateTime(dayOf(hubUs), dayOf(nowUs), tenths);
}

function dayOf(hubUs: number): Date {
  return new Date(hubUs / 1000 + aheadMs);
}

/** @param now the current time by the same clock */
export function dateTime(at: Date, now: Date, tenths = false): string {
  return form(locale(), tenths, day(at) !== day(now)).format(at);
}

/** Formats hour and minute in the hall's time zone, in 24-hour format as on a wall clock. */
export function hourMinute(hubUs: number): string {
  return new Intl.DateTimeFormat(locale(), { ...(zone ? { timeZone: zone } : {}), hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(dayOf(hubUs));
}

/** Formats a date in the hall's time zone and the arbiter's format. */
export function longDate(at: Date, tag: string): string {
  return at.toLocaleDateString(tag, { dateStyle: "long", ...(zone ? { timeZone: zone } : {}) });
}

/** Formats a date in the hall's time zone, for comparison only. */
function day(at: Date): string {
  const key = zone ?? "";
  const known = days.get(key) ?? new Intl.DateTimeFormat("en", { dateStyle: "short", ...(zone ? { timeZone: zone } : {}) });
  days.set(key, known);
  return known.format(at);
}
const days = new Map<string, Intl.DateTimeFormat>();

/** A cache of formatters. A log has thousands of lines, and creating a formatter takes longer than using it. */
const forms = new Map<string, Intl.DateTimeFormat>();
function form(tag: string, tenths: boolean, dated: boolean): Intl.DateTimeFormat {
  const key = `${tag} ${tenths} ${dated} ${zone ?? ""}`;
  const known =
    forms.get(key) ??
    new Intl.DateTimeFormat(tag, {
      ...(zone ? { timeZone: zone } : {}),
      ...(dated ? { day: "numeric", month: "short" } : {}),
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      ...(tenths ? { fractionalSecondDigits: 1 } : {}),
    });
  forms.set(key, known);
  return known;
}
