// Instants of the hub as times of day, in the arbiter's own form. Owns the one place where a hub instant meets the device's clock.

import { getLocale } from "$gen/words/runtime.js";

/** The device's own form of the app's language: en-GB and not just any English. */
function locale(): string {
  const tag = getLocale();
  return navigator.languages.find((own) => own === tag || own.startsWith(`${tag}-`)) ?? tag;
}

/** @param nowUs the hub's present, to which this device's present belongs */
export function dayTime(hubUs: number, nowUs: number, tenths = false): string {
  const at = new Date(Date.now() + (hubUs - nowUs) / 1000);
  return dateTime(at, tenths);
}

export function dateTime(at: Date, tenths = false): string {
  return new Intl.DateTimeFormat(locale(), {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    ...(tenths ? { fractionalSecondDigits: 1 } : {}),
  }).format(at);
}
