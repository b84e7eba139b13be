// The forms for a player and for the event, and their wire messages. Pure.

import { clone, create } from "@bufbuild/protobuf";
import { RateOfPlay, type FidePlayer } from "$gen/api/fide_pb.js";
import { Bye, EventSchema, PlayerSchema, RoundByeSchema, RoundDateSchema, Sex, type Event, type Player, type RoundDate } from "$gen/frames/event_pb.js";

/** A sheet of the event. A player's sheet has the player's number, or 0 for a new player. */
export type EventSheet =
  | { kind: "menu" }
  | { kind: "data" }
  | { kind: "list" }
  | { kind: "report" }
  | { kind: "export" }
  | { kind: "new" }
  | { kind: "print" }
  | { kind: "player"; no: number }
  | { kind: "rules"; apart?: number };

export interface Entry {
  name: string;
  fideId: string;
  rating: string;
  title: string;
  federation: string;
  sex: "" | "m" | "w";
  birth: string;
  club: string;
  from: string;
  /** The bye for each round missed so far; only for new players. */
  missed: "zero" | "half";
}

export const EMPTY: Readonly<Entry> = { name: "", fideId: "", rating: "", title: "", federation: "", sex: "", birth: "", club: "", from: "", missed: "zero" };

export function entryOf(player: Player): Entry {
  return {
    name: player.name,
    fideId: player.fideId === undefined ? "" : String(player.fideId),
    rating: player.rating === undefined ? "" : String(player.rating),
    title: player.title,
    federation: player.federation,
    sex: player.sex === Sex.MALE ? "m" : player.sex === Sex.FEMALE ? "w" : "",
    birth: player.birth,
    club: player.club,
    from: String(player.enters || 1),
    missed: "zero",
  };
}

/** Returns the rating for a rate of play. If the rate of play is unknown, returns the standard rating. */
export function ratingAt(listed: FidePlayer, rate: RateOfPlay): number | undefined {
  switch (rate) {
    case RateOfPlay.RAPID:
      return listed.rapid;
    case RateOfPlay.BLITZ:
      return listed.blitz;
    case RateOfPlay.STANDARD:
    case RateOfPlay.UNSPECIFIED:
      return listed.standard;
  }
}

/**
 * Fills the form from a player in the FIDE list. The data that the list does not have stay as typed, and so does the birth date if its year
 * agrees with the list.
 */
export function fromList(listed: FidePlayer, rate: RateOfPlay, typed: Entry): Entry {
  const year = listed.birthYear > 0 ? String(listed.birthYear) : "";
  const rating = ratingAt(listed, rate);
  return {
    ...typed,
    name: listed.name,
    fideId: String(listed.fideId),
    rating: rating === undefined ? "" : String(rating),
    title: listed.title,
    federation: listed.federation,
    sex: listed.sex === Sex.MALE ? "m" : listed.sex === Sex.FEMALE ? "w" : "",
    birth: typed.birth.startsWith(year) && year !== "" ? typed.birth : year,
  };
}

/** Returns the player to send to the hub. An existing player keeps the data that the form does not show. */
export function playerOf(entry: Entry, no: number, known?: Player): Player {
  const whole = (text: string): number | undefined => (/^\d{1,4}$/.test(text.trim()) && Number(text) > 0 ? Number(text) : undefined);
  const player = clone(PlayerSchema, known ?? create(PlayerSchema, { no }));
  player.name = entry.name.trim();
  player.title = entry.title.trim().toUpperCase();
  player.federation = entry.federation.trim().toUpperCase();
  player.sex = entry.sex === "m" ? Sex.MALE : entry.sex === "w" ? Sex.FEMALE : Sex.UNSPECIFIED;
  player.birth = entry.birth.trim();
  player.club = entry.club.trim();
  player.enters = whole(entry.from) ?? 1;
  if (!known && entry.missed === "half")
    player.byes = Array.from({ length: player.enters - 1 }, (_, at) => create(RoundByeSchema, { round: at + 1, bye: Bye.HALF }));
  const rating = whole(entry.rating);
  if (rating === undefined) delete player.rating;
  else player.rating = rating;
  const id = entry.fideId.trim();
  if (/^\d{1,11}$/.test(id) && BigInt(id) > 0n) player.fideId = BigInt(id);
  else delete player.fideId;
  return player;
}

/** Converts a date from the wire's format, 2026/11/20, to that of a form field, 2026-11-20. */
export const dayTyped = (wire: string): string => wire.replaceAll("/", "-");
export const daySent = (typed: string): string => typed.replaceAll("-", "/");

export interface EventEntry {
  name: string;
  rounds: string;
  city: string;
  federation: string;
  starts: string;
  ends: string;
  control: string;
  /** The key of the rule set; empty if the time control determines the rule set. */
  rules: string;
  type: string;
  chief: string;
  /** The deputies, one per line. */
  deputies: string;
  /** The date of each round; empty if unknown. */
  dates: string[];
}

export function eventEntryOf(event: Event | undefined): EventEntry {
  const rounds = event?.rounds ?? 7;
  return {
    name: event?.name ?? "",
    rounds: String(rounds),
    city: event?.city ?? "",
    federation: event?.federation ?? "",
    starts: dayTyped(event?.starts ?? ""),
    ends: dayTyped(event?.ends ?? ""),
    control: event?.timeControlCode ?? "",
    rules: event?.rules ?? "",
    type: event?.typeText ?? "",
    chief: event?.chiefArbiter ?? "",
    deputies: (event?.deputies ?? []).join("\n"),
    dates: Array.from({ length: rounds }, (_, at) => dayTyped(event?.roundDates.find((one) => one.round === at + 1)?.date ?? "")),
  };
}

/** Returns one date for each of at most 200 rounds, keeping those already typed. If the number is invalid, returns as many dates as before. */
export function datesFor(rounds: string, dates: readonly string[]): string[] {
  const count = /^\d{1,3}$/.test(rounds.trim()) ? Math.min(Number(rounds), 200) : dates.length;
  return Array.from({ length: count }, (_, at) => dates[at] ?? "");
}

/** Returns the event to send to the hub. An existing event keeps the data that the form does not show. */
export function eventOf(entry: EventEntry, known?: Event): Event {
  const roundDates: RoundDate[] = datesFor(entry.rounds, entry.dates).flatMap((date, at) =>
    date ? [create(RoundDateSchema, { round: at + 1, date: daySent(date) })] : [],
  );
  return create(EventSchema, {
    ...(known ?? create(EventSchema)),
    name: entry.name.trim(),
    rounds: Number(entry.rounds),
    city: entry.city.trim(),
    federation: entry.federation.trim().toUpperCase(),
    starts: daySent(entry.starts),
    ends: daySent(entry.ends),
    timeControlCode: entry.control.trim(),
    rules: entry.rules,
    typeText: entry.type.trim(),
    chiefArbiter: entry.chief.trim(),
    deputies: entry.deputies
      .split("\n")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
    roundDates,
  });
}
