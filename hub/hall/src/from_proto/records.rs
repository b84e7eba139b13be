//! Decodes records of the log into the hall's types. A record of an unknown kind or of unknown rules is an error.

use std::sync::Arc;

use proto::ids::{AgentId, EventSeq};
use proto::log;
use timing::sync::Mapped;
use timing::{Command, Instant, RulesVersion, Setup};

use super::{
    BadInput, bad, board_command, floor, hash, held, optional_board, pending_command_id, side,
    signed_event, time_chess, tournament,
};
use crate::entry::{
    AcceptedTime, Entry, EventEntry, EventEntryKind, LinkChange, Logged, LoggedNote, SeenNote,
};
use crate::event_no::EventNo;
use crate::evidence::{Against, Equivocation};
use crate::pair::Placed;
use crate::refusal::Refusal;
use crate::ruling::Ruling;
use crate::{Arbiter, Certificate, Enrolment, Offence, RequestDigest, SignedPromise, TestPress};
use crate::{CommandKind, CommandRecord};
use ::tournament::RoundNo;
use laws::RuleSet;

pub(crate) fn logged(record: log::Record) -> Result<Logged, BadInput> {
    // Records without a rules number were written under the first version.
    let rules = RulesVersion::from_number(record.rules.max(1)).ok_or_else(|| {
        bad(format!(
            "the record was written under rules {}, but this program supports {}",
            record.rules,
            RulesVersion::LATEST.number()
        ))
    })?;
    let board = optional_board(&record.board)?;
    let entry = entry(
        rules,
        record
            .input
            .ok_or_else(|| bad("a record of an unknown kind"))?,
    )?;
    Ok(Logged {
        rules,
        hub: Instant::from_micros(record.hub_us),
        board,
        entry,
        after: record.after,
    })
}

fn forced(forced: log::Forced) -> Result<Entry, BadInput> {
    Ok(Entry::Forced {
        id: pending_command_id(&forced.id)?,
        actor: forced.actor,
        at: Instant::from_micros(forced.at_us),
    })
}

fn flag_expected(expected: &log::FlagExpected) -> Result<Entry, BadInput> {
    Ok(Entry::FlagExpected {
        side: side(expected.side()).ok_or_else(|| bad("an expected flag without a side"))?,
        at: Instant::from_micros(expected.at_us),
    })
}

fn logged_note(note: log::Note) -> Result<LoggedNote, BadInput> {
    Ok(LoggedNote {
        agent: optional_agent(&note.agent)?,
        kind: note.kind,
        text: note.text,
        count: note.count,
        figures: note.figures.unwrap_or_default(),
    })
}

fn link_changed(changed: &log::LinkChanged) -> Result<LinkChange, BadInput> {
    Ok(LinkChange {
        agent: agent_id(&changed.agent)?,
        online: changed.online,
        heard: changed.heard_us.map(Instant::from_micros),
    })
}

fn entry(rules: RulesVersion, input: log::record::Input) -> Result<Entry, BadInput> {
    use log::record::Input;
    Ok(match input {
        Input::Opened(opened) => Entry::Opened(opened),
        Input::HubStarted(started) => Entry::HubStarted(started),
        Input::AgentEnrolled(enrolled) => Entry::AgentEnrolled(Box::new(enrolment(enrolled)?)),
        Input::AgentRevoked(revoked) => Entry::AgentRevoked {
            agent: agent_id(&revoked.agent)?,
            actor: revoked.actor,
            reason: revoked.reason,
        },
        Input::Command(command) => Entry::Command(Arc::new(command_record(rules, *command)?)),
        Input::AgentEvent(event) => Entry::AgentEvent {
            agent: agent_id(&event.agent)?,
            event: Box::new(signed_event(event.body, event.signature)?),
            placed: event.placed.map(placed),
            accepted: AcceptedTime {
                at: event.counts_at_us.map(Instant::from_micros),
                charged_to: event.charged_to_us.map(Instant::from_micros),
            },
        },
        Input::Equivocation(equivocation) => {
            Entry::Equivocation(Box::new(self::equivocation(equivocation)?))
        }
        Input::Passed(passed) => Entry::Passed {
            side: side(passed.side()).ok_or_else(|| bad("a report of a clock without a side"))?,
            at: Instant::from_micros(passed.hub_us),
        },
        Input::Settled(settled) => Entry::Settled {
            at: Instant::from_micros(settled.at_us),
        },
        Input::Forced(forced) => self::forced(forced)?,
        Input::Withdrawn(withdrawn) => Entry::Withdrawn {
            id: pending_command_id(&withdrawn.id)?,
            actor: withdrawn.actor,
        },
        Input::Note(note) => Entry::Note(Box::new(logged_note(note)?)),
        Input::NoteAcknowledged(seen) => Entry::NoteSeen(SeenNote {
            agent: optional_agent(&seen.agent)?,
            kind: seen.kind,
            count: seen.count,
            actor: seen.actor,
            reason: seen.reason,
        }),
        Input::ZeroTestEnded(ended) => Entry::ZeroTestEnded(Box::new(certificate(ended)?)),
        Input::Arbiters(arbiters) => Entry::Arbiters(
            arbiters
                .arbiters
                .into_iter()
                .map(arbiter)
                .collect::<Result<_, _>>()?,
        ),
        Input::EventChanged(changed) => Entry::Event(Box::new(event_changed(changed)?)),
        Input::FloorArranged(arranged) => Entry::Floor(Box::new(floor::floor_arranged(arranged)?)),
        Input::FlagExpected(expected) => flag_expected(&expected)?,
        Input::LinkChanged(changed) => Entry::LinkChanged(link_changed(&changed)?),
        Input::RequestSigned(signed) => Entry::Signed(Box::new(signed)),
        Input::CallMade(call) => Entry::Called(call),
        Input::CommandHeld(held) => Entry::Held(Box::new(held::command_held(rules, held)?)),
        Input::HeldDecided(decided) => Entry::HeldDecided(held::held_decided(decided)?),
        Input::ChiefRecovered(recovered) => Entry::ChiefRecovered(recovered),
        Input::NoteOver(over) => Entry::NoteOver {
            agent: optional_agent(&over.agent)?,
            kind: over.kind,
        },
    })
}

pub(crate) fn event_changed(changed: log::EventChanged) -> Result<EventEntry, BadInput> {
    let actor = changed
        .actor
        .ok_or_else(|| bad("a change without its author"))?;
    let what = if !changed.refused.is_empty() {
        EventEntryKind::Refused(Refusal::from_record(changed.refused, changed.refusal))
    } else if changed.undone > 0 {
        EventEntryKind::Undone(changed.undone)
    } else if changed.switched_to > 0 {
        EventEntryKind::SwitchedTo(EventNo(changed.switched_to))
    } else if changed.piece.is_empty() {
        let changes = changed.changes.into_iter().map(tournament::change);
        EventEntryKind::Changes(changes.collect::<Result<_, _>>()?)
    } else {
        EventEntryKind::Piece {
            bytes: changed.piece,
            ends: changed.piece_ends,
        }
    };
    Ok(EventEntry {
        id: pending_command_id(&changed.id)?,
        actor: tournament::actor(actor)?,
        reason: changed.reason,
        part: changed.part,
        parts: changed.parts,
        digest: RequestDigest(changed.digest),
        imported: changed.imported,
        what,
    })
}

fn enrolment(enrolled: log::AgentEnrolled) -> Result<Enrolment, BadInput> {
    Ok(Enrolment {
        agent: agent_id(&enrolled.agent)?,
        board: optional_board(&enrolled.board)?,
        side: side(enrolled.side()),
        exchange_key: enrolled.exchange_key,
        name: enrolled.name,
        certificate_serial: enrolled.certificate_serial,
        certificate: enrolled.certificate_der,
        admitted_by: enrolled.admitted_by,
    })
}

fn arbiter(arbiter: log::Arbiter) -> Result<Arbiter, BadInput> {
    Ok(Arbiter {
        key: hash(&arbiter.key, "an arbiter's key")?,
        name: arbiter.name,
    })
}

fn certificate(ended: log::ZeroTestEnded) -> Result<Certificate, BadInput> {
    let mapped = match (ended.lo_us, ended.est_us, ended.hi_us) {
        (Some(lo), Some(est), Some(hi)) => Some(Mapped {
            lo: Instant::from_micros(lo),
            est: Instant::from_micros(est),
            hi: Instant::from_micros(hi),
        }),
        (_, _, _) => None,
    };
    Ok(Certificate {
        command: pending_command_id(&ended.id)?,
        agent: agent_id(&ended.agent)?,
        name: ended.name,
        firmware: ended.firmware,
        asked: Instant::from_micros(ended.asked_us),
        wall_us: ended.wall_us,
        press: ended.heard_us.map(|heard| TestPress {
            heard: Instant::from_micros(heard),
            seq: EventSeq(ended.event_seq),
            stamp: Instant::from_micros(ended.stamp_us),
            mapped,
        }),
        rate_ppb: ended.rate_ppb,
        round_trip_us: ended.round_trip_us,
        battery_percent: ended.battery_percent,
        temperature_mc: ended.temperature_mc,
        findings: ended.findings,
    })
}

/// Decodes a logged command, under the rules of its record.
pub(crate) fn command_record(
    rules: RulesVersion,
    command: log::CommandReceived,
) -> Result<CommandRecord, BadInput> {
    use log::command_received::What as Logged;
    let offence = match rules {
        RulesVersion::One => Offence::in_reason(&command.reason),
        RulesVersion::Two => command.offence.map(super::offence).transpose()?,
    };
    let draw_odds = side(command.odds_of_game());
    let round = match u16::try_from(command.of_round) {
        Ok(0) => None,
        Ok(round) => Some(RoundNo(round)),
        Err(_) => return Err(bad("a command for an impossible round")),
    };
    let what = command
        .what
        .ok_or_else(|| bad("a logged command of an unknown kind"))?;
    Ok(CommandRecord {
        id: pending_command_id(&command.id)?,
        actor: command.actor,
        reason: command.reason,
        seen_seq: command.seen_seq,
        kind: match what {
            Logged::BoardCommand(text) => {
                let effect = board_command(&text)?;
                match command.ruling {
                    Some(ruled) => ruling(&ruled, Some(effect))?,
                    None => CommandKind::Board(effect),
                }
            }
            Logged::Ruled(log::Ruled {}) => {
                let ruled = command.ruling.as_ref();
                ruling(
                    ruled.ok_or_else(|| bad("a ruling without its request"))?,
                    None,
                )?
            }
            Logged::Moves(entered) => CommandKind::Moves(entered),
            Logged::Rules(key) => CommandKind::Rules(rule_set(&key)?),
            Logged::Player(act) => time_chess::player(&act)?,
            Logged::PressRule(rule) => CommandKind::PressRule(time_chess::press_rule(rule)?),
            Logged::AddBoard(add) => CommandKind::AddBoard(setup(&add.setup)?),
            Logged::Assign(assign) => assigned(&assign)?,
            Logged::Names(names) => CommandKind::Names(names),
            Logged::Refused(text) => {
                CommandKind::Refused(Refusal::from_record(text, command.refusal))
            }
            Logged::RemoveBoard(log::RemoveBoard {}) => CommandKind::RemoveBoard,
            Logged::ZeroTest(log::ZeroTest {}) => CommandKind::ZeroTest,
            Logged::DrawOdds(odds) => CommandKind::DrawOdds(side(odds.side())),
        },
        offence,
        draw_odds,
        round,
        digest: RequestDigest(command.digest),
        asked: command.asked,
    })
}

fn ruling(ruled: &log::Ruling, command: Option<Command>) -> Result<CommandKind, BadInput> {
    let request = ruled
        .request
        .parse()
        .map_err(|error| bad(format!("the ruling {:?}: {error}", ruled.request)))?;
    Ok(CommandKind::Ruling(Box::new(Ruling {
        request,
        at: Instant::from_micros(ruled.at_us),
        command,
    })))
}

/// Returns the rule set with this key.
///
/// # Errors
/// Returns an error if there is no such rule set.
pub fn rule_set(key: &str) -> Result<&'static RuleSet, BadInput> {
    RuleSet::find(key).ok_or_else(|| BadInput::RuleSet(key.to_owned()))
}

fn assigned(assign: &log::Assign) -> Result<CommandKind, BadInput> {
    let agent = match assign.agent.as_slice() {
        [] => None,
        key => Some(agent_id(key)?),
    };
    Ok(match side(assign.side()) {
        Some(side) => CommandKind::AssignSide(side, agent),
        None => CommandKind::Assign(agent),
    })
}

fn equivocation(said: log::Equivocation) -> Result<Equivocation, BadInput> {
    let against = match said.watermark {
        Some(word) => Against::Promise(SignedPromise {
            at: Instant::from_micros(word.at_us),
            seq: EventSeq(word.seq),
            signature: word.signature,
        }),
        None => Against::Event(said.other_body, said.other_signature),
    };
    Ok(Equivocation {
        agent: agent_id(&said.agent)?,
        event: (said.body, said.signature),
        against,
    })
}

fn placed(placed: log::Placed) -> Placed {
    Placed {
        lo: Instant::from_micros(placed.lo_us),
        est: Instant::from_micros(placed.est_us),
        hi: Instant::from_micros(placed.hi_us),
    }
}

/// Parses a setup from the arguments of the `prepare` command.
pub(super) fn setup(text: &str) -> Result<Setup, BadInput> {
    let command = board_command(&format!("prepare {text}"))?;
    if let Command::Prepare(setup) = command {
        return Ok(setup);
    }
    Err(bad(format!("{command} sets no board")))
}

fn optional_agent(bytes: &[u8]) -> Result<Option<AgentId>, BadInput> {
    match bytes {
        [] => Ok(None),
        bytes => agent_id(bytes).map(Some),
    }
}

fn agent_id(bytes: &[u8]) -> Result<AgentId, BadInput> {
    AgentId::try_from(bytes).map_err(|error| bad(format!("an agent's key: {error}")))
}
