// Describes the differences between a file and the event in the arbiter's language, from the changes that the hub would make.
//
// Owns the sentences. Must never decide what differs: the hub does. A difference from an older hub, which sends no changes, keeps the hub's
// own text.

import { m } from "$gen/words/messages.js";
import type { DifferenceItem } from "$gen/api/tournament_pb.js";
import type { Change, Event, Pairing, PairRound, Player, Team, Tournament } from "$gen/frames/event_pb.js";
import { codeOf } from "$lib/event/results.js";
import { getLocale } from "./catalogue.js";
import { byeWord } from "./pairing.js";
import { resultText } from "./results.js";

const NONE = "–";

/** Describes the differences of a file. `known` is the event as the app knows it; null if there is none. */
export function differenceWords(items: readonly DifferenceItem[], known: Tournament | null): string[] {
  const names = new Names(items, known);
  return items.map((item) => {
    const lines = roundOf(item.changes, names) ?? item.changes.map((change) => changeWords(change, names));
    return lines.length === 0 || lines.includes("") ? item.words : lines.join("\n");
  });
}

/** The names of players and teams by number, including those that the file adds. */
class Names {
  readonly known: Tournament | null;
  readonly #players = new Map<number, string>();
  readonly #teams = new Map<number, string>();

  constructor(items: readonly DifferenceItem[], known: Tournament | null) {
    this.known = known;
    for (const { no, name } of known?.players ?? []) this.#players.set(no, name);
    for (const { no, name } of known?.teams ?? []) this.#teams.set(no, name);
    for (const { what } of items.flatMap((item) => item.changes)) {
      if (what.case === "enterPlayer") this.#players.set(what.value.no, what.value.name);
      if (what.case === "enterTeam") this.#teams.set(what.value.no, what.value.name);
    }
  }

  player(no: number): string {
    return no === 0 ? NONE : (this.#players.get(no) ?? String(no));
  }

  team(no: number): string {
    return this.#teams.get(no) ?? String(no);
  }

  pairing(round: number, board: number): { pairing: Pairing | undefined; result: string | null } {
    const found = this.known?.rounds.find((one) => one.round === round)?.boards.find((one) => one.pairing?.board === board);
    return { pairing: found?.pairing, result: codeOf(found?.result) };
  }

  pair({ white, black }: Pairing): string {
    return `${this.player(white)} – ${this.player(black)}`;
  }
}

/** Describes a round that would be paired, with its results; null for any other difference. */
function roundOf(changes: readonly Change[], names: Names): string[] | null {
  const paired = changes.flatMap(({ what }) => (what.case === "pairRound" ? [what.value] : []));
  const [first] = paired;
  if (!first) return null;
  const results = changes.filter(({ what }) => what.case === "enter").length;
  const others = changes.filter(({ what }) => what.case !== "pairRound" && what.case !== "enter" && what.case !== "unpair");
  const again = changes.some(({ what }) => what.case === "unpair");
  return [...others.map((change) => changeWords(change, names)), ...paired.map((round) => pairedWords(round, results, again, names))];
}

function pairedWords(round: PairRound, results: number, again: boolean, names: Names): string {
  const counts = [m.boards_n({ n: round.boards.length })];
  if (round.byes.length > 0) counts.push(m.import_byes({ n: round.byes.length }));
  if (results > 0) counts.push(m.import_results({ n: results }));
  const known = names.known?.rounds.find((one) => one.round === round.round);
  const slots = { round: round.round, what: list(counts) };
  const head = again ? m.diff_round_again(slots) : known && known.boards.length > 0 ? m.diff_round_more(slots) : m.diff_round_new(slots);
  const boards = round.boards.map((pairing) => `  ${pairing.board}: ${names.pair(pairing)}`);
  const teams = round.teamByes.map(({ team, bye }) => `  ${names.team(team)}: ${byeWord(bye)}`);
  return [head, ...boards, ...teams].join("\n");
}

/** Describes one change; empty for a change that no file causes. */
function changeWords({ what }: Change, names: Names): string {
  switch (what.case) {
    case "setEvent":
      return names.known?.event
        ? m.diff_event({ changes: list(changed(eventFields(), names.known.event, what.value)) })
        : m.diff_event_new({ what: list(newEvent(what.value)) });
    case "enterPlayer":
      return playerWords(
        what.value,
        names.known?.players.find((one) => one.no === what.value.no),
      );
    case "enterTeam":
      return teamWords(
        what.value,
        names.known?.teams.find((one) => one.no === what.value.no),
      );
    case "renumber":
      return m.diff_renumber();
    case "grantBye":
      return m.diff_bye({ round: what.value.round, name: names.player(what.value.player), bye: byeWord(what.value.bye) });
    case "reseat": {
      const boards = what.value.pairings.map((pairing) => `  ${pairing.board}: ${names.pair(pairing)}`);
      return [m.diff_round_reseated({ round: what.value.round }), ...boards].join("\n");
    }
    case "removeBoards": {
      const gone = what.value.boards.map((board) => {
        const { pairing } = names.pairing(what.value.round, board);
        return `  ${board}: ${pairing ? names.pair(pairing) : NONE}`;
      });
      return [m.diff_round_removed({ round: what.value.round }), ...gone].join("\n");
    }
    case "enter": {
      const { round, board, result } = what.value;
      const before = names.pairing(round, board);
      const slots = { round, board, names: before.pairing ? names.pair(before.pairing) : NONE, result: resultText(codeOf(result) ?? NONE) };
      return before.result === null ? m.diff_result(slots) : m.diff_result_changed({ ...slots, from: resultText(before.result) });
    }
    case "forfeitMatch":
      return what.value.forfeit
        ? m.diff_match_forfeit({ round: what.value.round, n: what.value.match })
        : m.diff_match_played({ round: what.value.round, n: what.value.match });
    case "stateStandings":
      return m.diff_standings();
    default:
      return "";
  }
}

function playerWords(after: Player, before: Player | undefined): string {
  if (!before) {
    const parts = [after.name, after.title, after.rating === undefined ? "" : String(after.rating), after.federation];
    return m.diff_player_new({ no: after.no, player: parts.filter((part) => part !== "").join(", ") });
  }
  const fields = changed<Player>(
    [
      [m.event_name(), (one) => one.name],
      [m.player_title(), (one) => one.title],
      [m.rating(), (one) => one.rating],
      [m.federation(), (one) => one.federation],
      [m.player_fide_id(), (one) => one.fideId],
      [m.player_birth(), (one) => one.birth],
    ],
    before,
    after,
  );
  return m.diff_player({ no: after.no, name: before.name, changes: list(fields) });
}

function teamWords(after: Team, before: Team | undefined): string {
  if (!before) return m.diff_team_new({ no: after.no, name: after.name });
  const fields = changed<Team>([[m.event_name(), (one) => one.name]], before, after);
  return m.diff_team({ no: after.no, name: before.name, changes: list(fields) });
}

type Field<Of> = readonly [string, (of: Of) => Value];

function eventFields(): Field<Event>[] {
  return [
    [m.event_name(), (one) => one.name],
    [m.event_city(), (one) => one.city],
    [m.federation(), (one) => one.federation],
    [m.event_starts(), (one) => one.starts],
    [m.event_ends(), (one) => one.ends],
    [m.role_chief(), (one) => one.chiefArbiter],
    [m.diff_deputies(), (one) => one.deputies.join("; ")],
    [m.control(), (one) => one.timeControl || one.timeControlCode],
    [m.event_type(), (one) => one.typeText || one.typeCode],
    [m.event_rounds(), (one) => one.rounds],
    [m.diff_tie_breaks(), (one) => one.tieBreaks.join(", ")],
  ];
}

/** Lists a new event's fields that have a value. Name, city and federation need no label. */
function newEvent(event: Event): string[] {
  return eventFields().flatMap(([what, of], at) => {
    const value = text(of(event));
    return value === NONE ? [] : [at < 3 ? value : m.diff_set({ what, value })];
  });
}

type Value = string | number | bigint | undefined;

/** Lists the fields that differ as `Name: A → B`. If none of them differs, says that other data differ. */
function changed<Of>(fields: readonly Field<Of>[], before: Of, after: Of): string[] {
  const found = fields.flatMap(([what, of]) => {
    const [from, to] = [of(before), of(after)];
    return text(from) === text(to) ? [] : [m.diff_field({ what, from: text(from), to: text(to) })];
  });
  return found.length > 0 ? found : [m.diff_other()];
}

function text(value: Value): string {
  return value === undefined || value === "" ? NONE : String(value);
}

function list(parts: readonly string[]): string {
  return new Intl.ListFormat(getLocale(), { type: "unit", style: "short" }).format(parts);
}
