// Describes a supposition and its effects, for the card "What if" and for the printed record.

import { m } from "$gen/words/messages.js";
import { momentOf, stepsOf } from "$lib/replay/rows.js";
import { recordOf, toggled, type Supposition } from "$lib/replay/supposition.js";
import type { Replay } from "$lib/replay/timeline.js";
import { commandWords } from "$lib/words/command.js";
import { controlWords } from "$lib/words/control.js";
import { additionWords, flagWords } from "$lib/words/moment.js";
import { refusalWords } from "$lib/words/refusal.js";

/** A part of a supposition: its description, and the rest of the supposition. */
export interface Part {
  said: string;
  rest: Supposition;
}

export function partsOf(supposed: Supposition, { was }: Replay): Part[] {
  const nameOf = (record: number): string => {
    const action = was.moments.find((one) => recordOf(one) === record);
    return action ? commandWords(action.text) : String(record);
  };
  const { without, add, control } = supposed;
  return [
    ...without.map((record) => ({ said: m.replay_without_one({ what: nameOf(record) }), rest: toggled(supposed, record) })),
    ...add.map((one) => ({ said: additionWords(one), rest: { ...supposed, add: add.filter((other) => other !== one) } })),
    ...(control ? [{ said: m.replay_with_control({ control: controlWords(control) }), rest: { ...supposed, control: "" } }] : []),
  ];
}

/** A difference between the actual and the hypothetical game, with the icon or symbol shown before it. */
export interface Finding {
  sign: "flag" | "expected" | "refused" | "≠" | "=";
  said: string;
}

/** Returns the differences between the two games, flags first, or a finding that there are none. Empty without a supposition. */
export function findingsOf(replay: Replay, nowUs: number): Finding[] {
  if (!replay.would) return [];
  const flags = replay.flags.map((flag): Finding => ({ sign: flag.wouldUs === undefined ? "flag" : "expected", said: flagWords(flag, nowUs) }));
  const moves: Finding[] = replay.moves.size > 0 ? [{ sign: "≠", said: m.replay_differ({ n: replay.moves.size }) }] : [];
  const refused = stepsOf(replay).flatMap((step): Finding[] => {
    const { was, would } = step;
    if (!would?.refused || was?.refused) return [];
    return [{ sign: "refused", said: m.replay_refused({ what: commandWords(momentOf(step).text), why: refusalWords(would.refused) }) }];
  });
  const all = [...flags, ...moves, ...refused];
  return all.length > 0 ? all : [{ sign: "=", said: m.replay_same() }];
}
