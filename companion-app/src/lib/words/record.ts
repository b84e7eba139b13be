// Describes records of the hub's log in the arbiter's language, from their data. A record that only a newer hub knows keeps the hub's own
// text.
//
// Owns the sentence of each kind of record, except those that `log.ts` describes from the line's fields. Must never judge a record.

import { fromBinary } from "@bufbuild/protobuf";
import { m } from "$gen/words/messages.js";
import { EventBodySchema } from "$gen/frames/frames_pb.js";
import type { CommandHeld, CommandReceived, Record as LogRecord } from "$gen/frames/log_pb.js";
import { Side } from "$gen/frames/side_pb.js";
import { lengthText } from "$lib/draw/clock-text.js";
import { hex } from "$lib/hall/board.js";
import { findingWords } from "./clock-test.js";
import { commandWords } from "./command.js";
import { isolated } from "./isolated.js";
import { rulesTitle, rulingWords } from "./laws.js";
import { kindWords, noteWords } from "./notes.js";
import { refusalWords } from "./refusal.js";

export type Input = LogRecord["input"];

/** Describes a record. `text` is the hub's own English text, used for records without a sentence here. */
export function recordWords(input: Input, text: string): string {
  switch (input.case) {
    case "opened":
      return m.log_opened({ name: isolated(input.value.eventName) });
    case "hubStarted":
      return m.log_hub_started();
    case "agentEnrolled": {
      const { agent, admittedBy: name } = input.value;
      return name ? m.log_admitted({ clock: short(agent), name: isolated(name) }) : m.log_enrolled({ clock: short(agent) });
    }
    case "agentRevoked":
      return m.log_revoked({ clock: short(input.value.agent) });
    case "command":
      return receivedWords(input.value, text);
    case "agentEvent":
      return factWords(input.value.body, text);
    case "settled":
      return m.log_settled();
    case "passed":
      return m.log_passed({ side: sideWord(input.value.side) });
    case "note":
      return noteWords(input.value);
    case "noteOver":
      return m.log_note_over({ what: kindWords(input.value.kind) ?? input.value.kind });
    case "noteAcknowledged":
      return m.log_note_seen({ what: kindWords(input.value.kind) ?? input.value.kind });
    case "zeroTestEnded": {
      const findings = findingWords(input.value, {});
      return findings.length > 0 ? m.log_test_failed({ why: findings.join(" ") }) : m.log_test_passed();
    }
    case "equivocation":
      return m.log_equivocation({ clock: short(input.value.agent) });
    case "arbiters": {
      const names = input.value.arbiters.map(({ name }) => isolated(name)).join(", ");
      return names ? m.log_arbiters({ names }) : m.log_no_arbiters();
    }
    case "eventChanged":
      return m.log_event_changed();
    case "floorArranged":
      return m.log_floor_arranged();
    case "requestSigned":
      return m.log_signed();
    case "callMade":
      return m.log_call({ call: callWords(input.value.path) });
    case "commandHeld":
      return m.log_held({ what: heldWhat(input.value) });
    case "heldDecided":
      return input.value.confirmed ? m.log_held_confirmed() : m.log_held_declined();
    case "chiefRecovered":
      return m.log_recovered();
    // `log.ts` describes these records from the fields of their lines.
    case "forced":
    case "withdrawn":
    case "flagExpected":
    case "linkChanged":
    case undefined:
    default:
      return text || m.log_unknown();
  }
}

/** Describes a command, and the claim or ruling from which it follows. `text` is the hub's own English text. */
export function receivedWords(command: CommandReceived, text: string): string {
  const { what, ruling } = command;
  const effect = what.case === "boardCommand" ? commandWords(what.value) : what.case === "ruled" ? "" : commandRecordWords(command, text);
  return ruling ? [rulingWords(ruling.request), effect].filter(Boolean).join(" · ") : effect;
}

function commandRecordWords({ what, refusal, asked }: CommandReceived, text: string): string {
  switch (what.case) {
    case "addBoard":
      return m.log_added();
    case "removeBoard":
      return m.log_removed();
    case "assign": {
      const { agent, side } = what.value;
      const clock = short(agent);
      if (side === Side.UNSPECIFIED) return clock ? m.log_assigned({ clock }) : m.log_unassigned();
      return clock ? m.log_assigned_side({ clock, side: sideWord(side) }) : m.log_unassigned_side({ side: sideWord(side) });
    }
    case "names":
      return m.log_names({ white: isolated(what.value.white), black: isolated(what.value.black) });
    case "drawOdds":
      return what.value.side === Side.UNSPECIFIED ? m.log_no_odds() : m.draw_odds({ side: sideWord(what.value.side) });
    case "zeroTest":
      return m.log_test();
    case "refused": {
      const refused = m.log_refused({ why: refusal ? refusalWords({ ...refusal, text: what.value }) : what.value });
      return asked ? `${commandWords(asked)} · ${refused}` : refused;
    }
    case "moves":
      return what.value.uci.length === 0 ? m.log_moves_back() : m.log_moves({ moves: what.value.uci.join(" ") });
    case "rules":
      return m.log_rules({ rules: isolated(rulesTitle(what.value, what.value)) });
    // `receivedWords` describes board commands and rulings.
    case "ruled":
    case "boardCommand":
    case undefined:
    default:
      return text;
  }
}

const CALLS: Readonly<Record<string, () => string>> = {
  CreateEnrolmentCode: m.call_clock_code,
  CreateEnrolmentSheet: m.call_clock_sheet,
  WithdrawEnrolmentSheet: m.call_sheet_withdrawn,
  OpenEnrolment: m.call_enrolment_opened,
  CloseEnrolment: m.call_enrolment_closed,
  AdmitClocks: m.call_clocks_admitted,
  RefuseClock: m.call_clock_refused,
  CreateArbiterCode: m.call_device_code,
  RevokeDevice: m.call_device_revoked,
  DismissNews: m.call_news_dismissed,
  SetBroadcast: m.call_broadcast,
};

/** Describes a call that leaves no other record, by its path. An unknown call keeps its name. */
export function callWords(path: string): string {
  const call = path.slice(path.lastIndexOf("/") + 1);
  return CALLS[call]?.() ?? m.call_other({ call });
}

function heldWhat({ what }: CommandHeld): string {
  switch (what.case) {
    case "command":
      return receivedWords(what.value, "");
    case "revocation":
      return m.held_device({ name: isolated(what.value.name) });
    case "event":
    case undefined:
    default:
      return m.log_held_event();
  }
}

function factWords(body: Uint8Array, text: string): string {
  const { fact } = fromBinary(EventBodySchema, body);
  switch (fact.case) {
    case "orderTaken":
      return m.log_order_taken();
    case "rebase":
      return fact.value.uncharged ? m.log_restarted() : m.log_jumped({ time: lengthText(Number(fact.value.jumpUs)) });
    case "zeroTested":
      return m.log_test_press();
    case "press":
      return m.log_pressed();
    case "stop":
      return m.log_stopped();
    case "correction":
    case undefined:
    default:
      return text;
  }
}

function short(agent: Uint8Array): string {
  return hex(agent).slice(0, 8);
}

function sideWord(side: Side): string {
  return side === Side.BLACK ? m.black() : m.white();
}
