// Instants of the hub as times of day, in the arbiter's own form: every tablet says the same of the same flag, whatever its own clock shows.
//
// Owns how the hub's instants become times of day: they are the hub's, in the hall's time zone, with the date where that is not today's.

import { getLocale } from "$lib/words/catalogue.js";

/** By how much the hub's own clock of day is ahead of its instants, milliseconds. */
let aheadMs = 0;

/** What the hub says of its clock of day: nothing, as a rule, since its instants begin as its time of day. */
export function setAhead(ms: number): void {
  aheadMs = ms;
}

/** The hall's time zone by its IANA name; undefined: the device's own, where the hub names none or one that the browser does not know. */
let zone: string | undefined;

/** Takes over the time zone that the hub names for the hall. */
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

/** The device's own form of the app's language: en-GB and not just any English. */
function locale(): string {
  const tag = getLocale();
  return navigator.languages.find((own) => own === tag || own.startsWith(`${tag}-`)) ?? tag;
}

/** @param nowUs the hub's present, whose day needs no date */
export function dayTime(hubUs: number, nowUs: number, tenths = false): string {
  return dateTime(dayOf(hubUs), dayOf(nowUs), tenths);
}

/** A hub's instant as its clock of day has it. */
function dayOf(hubUs: number): Date {
  return new Date(hubUs / 1000 + aheadMs);
}

/** @param now the present by the same clock */
export function dateTime(at: Date, now: Date, tenths = false): string {
  return form(locale(), tenths, day(at) !== day(now)).format(at);
}

/** Hour and minute in the hall, by 24 hours as on the hall's own clock. */
export function hourMinute(hubUs: number): string {
  return new Intl.DateTimeFormat(locale(), { ...(zone ? { timeZone: zone } : {}), hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(dayOf(hubUs));
}

/** The date in the hall, in the arbiter's own form. */
export function longDate(at: Date, tag: string): string {
  return at.toLocaleDateString(tag, { dateStyle: "long", ...(zone ? { timeZone: zone } : {}) });
}

/** The date in the hall, for comparison only. */
function day(at: Date): string {
  const key = zone ?? "";
  const known = days.get(key) ?? new Intl.DateTimeFormat("en", { dateStyle: "short", ...(zone ? { timeZone: zone } : {}) });
  days.set(key, known);
  return known.format(at);
}
const days = new Map<string, Intl.DateTimeFormat>();

/** Made once each: a log has thousands of lines, and making one takes longer than using it. */
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
