// Descriptions of events and of groups of time controls, for setting up a hall.

import { m } from "$gen/words/messages.js";
import type { Event } from "$gen/frames/event_pb.js";
import { kindOf, type Kind } from "./setup.js";

const KIND: Record<Kind, () => string> = { swiss: m.kind_swiss, round_robin: m.kind_round_robin, teams: m.kind_teams, none: m.kind_none };

export const kindWord = (kind: Kind): string => KIND[kind]();

export function eventWords(event: Event): string {
  const kind = kindOf(event);
  return kind === "none" ? kindWord(kind) : `${kindWord(kind)} · ${m.setup_rounds({ n: event.rounds })}`;
}

/** Returns the name of a group of presets. The names of other games and of federations are not translated. */
export function groupWord(group: string): string {
  switch (group) {
    case "FIDE standard":
      return m.controls_standard();
    case "FIDE rapid":
      return m.controls_rapid();
    case "FIDE blitz":
      return m.controls_blitz();
    case "Double flag":
      return m.controls_double_flag();
    case "Other":
      return m.controls_other();
    default:
      return group;
  }
}
