// The hub's instants as times of day, in the arbiter's format: every tablet shows the same, whatever its own clock says.
//
// Owns the conversion: hub time in the hall's time zone, with the date if it is not today.

import { getLocale } from "$lib/words/catalogue.js";

/** How far the hub's clock of day is ahead of its instants, in milliseconds. */
let aheadMs = 0;

/** Takes over the hub's report on its clock of day: usually 0, because its instants begin as its time of day. */
export function setAhead(ms: number): void {
  aheadMs = ms;
}

/** The hall's time zone by its IANA name; undefined for the device's, if the hub names none or an unknown one. */
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

/** The device's variant of the app's language: en-GB rather than any English. */
function locale(): string {
  const tag = getLocale();
  return navigator.languages.find((own) => own === tag || own.startsWith(`${tag}-`)) ?? tag;
}

/** @param nowUs the hub's present time, whose day needs no date */
export function dayTime(hubUs: number, nowUs: number, tenths = false): string {
  return dateTime(dayOf(hubUs), dayOf(nowUs), tenths);
}

/** Converts a hub instant to the hub's time of day. */
function dayOf(hubUs: number): Date {
  return new Date(hubUs / 1000 + aheadMs);
}

/** @param now the present by the same clock */
export function dateTime(at: Date, now: Date, tenths = false): string {
  return form(locale(), tenths, day(at) !== day(now)).format(at);
}

/** Formats hour and minute in the hall, in 24 hours as on the hall's clock. */
export function hourMinute(hubUs: number): string {
  return new Intl.DateTimeFormat(locale(), { ...(zone ? { timeZone: zone } : {}), hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(dayOf(hubUs));
}

/** Formats the date in the hall in the arbiter's format. */
export function longDate(at: Date, tag: string): string {
  return at.toLocaleDateString(tag, { dateStyle: "long", ...(zone ? { timeZone: zone } : {}) });
}

/** Formats the date in the hall for comparison only. */
function day(at: Date): string {
  const key = zone ?? "";
  const known = days.get(key) ?? new Intl.DateTimeFormat("en", { dateStyle: "short", ...(zone ? { timeZone: zone } : {}) });
  days.set(key, known);
  return known.format(at);
}
const days = new Map<string, Intl.DateTimeFormat>();

/** A cache: a log has thousands of lines, and creating a formatter takes longer than using it. */
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
