// Instants of the hub as times of day, in the arbiter's own form: every tablet says the same of the same flag, whatever its own clock shows.
//
// Owns how the hub's instants become times of day: they are the hub's, in the device's time zone, with the date where that is not today's.

import { getLocale } from "$gen/words/runtime.js";

/** By how much the hub's own clock of day is ahead of its instants, milliseconds. */
let aheadMs = 0;

/** What the hub says of its clock of day: nothing, as a rule, since its instants begin as its time of day. */
export function setAhead(ms: number): void {
  aheadMs = ms;
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
  return form(locale(), tenths, at.toDateString() !== now.toDateString()).format(at);
}

/** Made once each: a log has thousands of lines, and making one takes longer than using it. */
const forms = new Map<string, Intl.DateTimeFormat>();
function form(tag: string, tenths: boolean, dated: boolean): Intl.DateTimeFormat {
  const key = `${tag} ${tenths} ${dated}`;
  const known =
    forms.get(key) ??
    new Intl.DateTimeFormat(tag, {
      ...(dated ? { day: "numeric", month: "short" } : {}),
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      ...(tenths ? { fractionalSecondDigits: 1 } : {}),
    });
  forms.set(key, known);
  return known;
}
