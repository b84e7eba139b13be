//! Encodes the hall's types as records of the log.

use proto::ids::{AgentId, CommandId};
use proto::log::NoteFigures;
use proto::{event, log};
use timing::{Command, Hub, Instant, Setup, Side};

use super::{floor, held, side, text_of, time_chess, tournament};
use crate::entry::{AcceptedTime, Entry, LinkChange, Logged};
use crate::evidence::{Against, Equivocation};
use crate::pair::Placed;
use crate::same_variants::SameVariants;
use crate::{Arbiter, Certificate, CommandKind, CommandRecord, Enrolment, Offence, SignedEvent};

pub(crate) fn record(logged: &Logged) -> log::Record {
    log::Record {
        rules: logged.rules.number(),
        hub_us: logged.hub.as_micros(),
        board: text_of(logged.board.as_ref()),
        input: Some(input(&logged.entry)),
        after: logged.after.clone(),
        changed: None,
    }
}

fn input(entry: &Entry) -> log::record::Input {
    use log::record::Input;
    match entry.clone() {
        Entry::Opened(opened) => Input::Opened(opened),
        Entry::HubStarted(started) => Input::HubStarted(started),
        Entry::AgentEnrolled(enrolment) => Input::AgentEnrolled(enrolled(*enrolment)),
        Entry::AgentRevoked {
            agent,
            actor,
            reason,
        } => Input::AgentRevoked(revoked(agent, actor, reason)),
        Entry::Command(command) => Input::Command(Box::new(command_received(&command))),
        Entry::AgentEvent {
            agent,
            event,
            placed,
            accepted,
        } => Input::AgentEvent(agent_event(agent, *event, placed, accepted)),
        Entry::Equivocation(equivocation) => Input::Equivocation(self::equivocation(*equivocation)),
        Entry::Passed { side, at } => Input::Passed(log::Passed {
            side: self::side(side).into(),
            hub_us: at.as_micros(),
        }),
        Entry::Settled { at } => Input::Settled(log::Settled {
            at_us: at.as_micros(),
        }),
        Entry::Forced { id, actor, at } => Input::Forced(forced(id, actor, at)),
        Entry::Withdrawn { id, actor } => Input::Withdrawn(withdrawn(id, actor)),
        Entry::Arbiters(arbiters) => Input::Arbiters(log::Arbiters {
            arbiters: arbiters.into_iter().map(arbiter).collect(),
        }),
        Entry::Event(entry) => Input::EventChanged(tournament::event_changed(&entry)),
        Entry::Floor(entry) => Input::FloorArranged(floor::floor_arranged(*entry)),
        Entry::FlagExpected { side, at } => Input::FlagExpected(flag_expected(side, at)),
        Entry::LinkChanged(change) => Input::LinkChanged(link_changed(change)),
        Entry::Called(call) => Input::CallMade(call),
        Entry::Held(entry) => Input::CommandHeld(held::command_held(*entry)),
        Entry::HeldDecided(decision) => Input::HeldDecided(held::held_decided(decision)),
        Entry::Signed(signed) => Input::RequestSigned(*signed),
        Entry::ChiefRecovered(recovery) => Input::ChiefRecovered(recovery),
        Entry::NoteOver { kind, agent } => Input::NoteOver(log::NoteOver {
            kind,
            agent: key_of(agent),
        }),
        Entry::ZeroTestEnded(certificate) => Input::ZeroTestEnded(zero_test_ended(*certificate)),
        Entry::Note(note) => Input::Note(log::Note {
            agent: key_of(note.agent),
            kind: note.kind,
            text: note.text,
            count: note.count,
            figures: (note.figures != NoteFigures::default()).then_some(note.figures),
        }),
        Entry::NoteSeen(seen) => Input::NoteAcknowledged(log::NoteAcknowledged {
            agent: key_of(seen.agent),
            kind: seen.kind,
            count: seen.count,
            actor: seen.actor,
            reason: seen.reason,
        }),
    }
}

fn forced(id: CommandId, actor: String, at: Instant<timing::Board>) -> log::Forced {
    log::Forced {
        id: id.0.to_vec(),
        actor,
        at_us: at.as_micros(),
    }
}

fn flag_expected(side: Side, at: Instant<Hub>) -> log::FlagExpected {
    log::FlagExpected {
        side: self::side(side).into(),
        at_us: at.as_micros(),
    }
}

fn link_changed(change: LinkChange) -> log::LinkChanged {
    log::LinkChanged {
        agent: change.agent.0.to_vec(),
        online: change.online,
        heard_us: change.heard.map(Instant::as_micros),
    }
}

fn revoked(agent: AgentId, actor: String, reason: String) -> log::AgentRevoked {
    log::AgentRevoked {
        agent: agent.0.to_vec(),
        actor,
        reason,
    }
}

fn agent_event(
    agent: AgentId,
    event: SignedEvent,
    placed: Option<Placed>,
    accepted: AcceptedTime,
) -> log::AgentEvent {
    log::AgentEvent {
        agent: agent.0.to_vec(),
        body: event.body,
        signature: event.signature,
        placed: placed.map(self::placed),
        counts_at_us: accepted.at.map(Instant::as_micros),
        charged_to_us: accepted.charged_to.map(Instant::as_micros),
    }
}

fn withdrawn(id: CommandId, actor: String) -> log::Withdrawn {
    log::Withdrawn {
        id: id.0.to_vec(),
        actor,
    }
}

fn enrolled(enrolment: Enrolment) -> log::AgentEnrolled {
    log::AgentEnrolled {
        agent: enrolment.agent.0.to_vec(),
        exchange_key: enrolment.exchange_key,
        name: enrolment.name,
        certificate_serial: enrolment.certificate_serial,
        certificate_der: enrolment.certificate,
        board: text_of(enrolment.board.as_ref()),
        side: side(enrolment.side).into(),
        admitted_by: enrolment.admitted_by,
    }
}

fn placed(placed: Placed) -> log::Placed {
    log::Placed {
        lo_us: placed.lo.as_micros(),
        est_us: placed.est.as_micros(),
        hi_us: placed.hi.as_micros(),
    }
}

fn arbiter(arbiter: Arbiter) -> log::Arbiter {
    log::Arbiter {
        name: arbiter.name,
        key: arbiter.key.to_vec(),
    }
}

fn key_of(agent: Option<AgentId>) -> Vec<u8> {
    agent.map(|agent| agent.0.to_vec()).unwrap_or_default()
}

fn zero_test_ended(certificate: Certificate) -> log::ZeroTestEnded {
    let press = certificate.press;
    let mapped = press.and_then(|press| press.mapped);
    log::ZeroTestEnded {
        id: certificate.command.0.to_vec(),
        agent: certificate.agent.0.to_vec(),
        name: certificate.name,
        firmware: certificate.firmware,
        asked_us: certificate.asked.as_micros(),
        wall_us: certificate.wall_us,
        heard_us: press.map(|press| press.heard.as_micros()),
        event_seq: press.map_or(0, |press| press.seq.0),
        stamp_us: press.map_or(0, |press| press.stamp.as_micros()),
        lo_us: mapped.map(|mapped| mapped.lo.as_micros()),
        est_us: mapped.map(|mapped| mapped.est.as_micros()),
        hi_us: mapped.map(|mapped| mapped.hi.as_micros()),
        rate_ppb: certificate.rate_ppb,
        round_trip_us: certificate.round_trip_us,
        battery_percent: certificate.battery_percent,
        temperature_mc: certificate.temperature_mc,
        findings: certificate.findings,
    }
}

pub(crate) fn command_received(command: &CommandRecord) -> log::CommandReceived {
    use log::command_received::What;
    let mut refusal = None;
    let what = match command.kind.clone() {
        CommandKind::Board(command) => What::BoardCommand(command.to_string()),
        CommandKind::Ruling(ruling) => match ruling.command {
            Some(command) => What::BoardCommand(command.to_string()),
            None => What::Ruled(log::Ruled {}),
        },
        CommandKind::Moves(entered) => What::Moves(entered),
        CommandKind::Rules(rules) => What::Rules(rules.key.clone()),
        CommandKind::Player(side, act) => What::Player(time_chess::player_act(side, act)),
        CommandKind::PressRule(rule) => What::PressRule(time_chess::press_rule(rule).into()),
        CommandKind::AddBoard(setup) => What::AddBoard(log::AddBoard {
            setup: setup_text(setup),
        }),
        CommandKind::RemoveBoard => What::RemoveBoard(log::RemoveBoard {}),
        CommandKind::Assign(agent) => What::Assign(assign(agent, None)),
        CommandKind::AssignSide(side, agent) => What::Assign(assign(agent, Some(side))),
        CommandKind::Names(names) => What::Names(names),
        CommandKind::DrawOdds(side) => What::DrawOdds(log::DrawOdds {
            side: self::side(side).into(),
        }),
        CommandKind::ZeroTest => What::ZeroTest(log::ZeroTest {}),
        CommandKind::Refused(why) => {
            refusal = Some(why.without_text());
            What::Refused(why.text().to_owned())
        }
    };
    log::CommandReceived {
        id: command.id.0.to_vec(),
        actor: command.actor.clone(),
        reason: command.reason.clone(),
        seen_seq: command.seen_seq,
        digest: command.digest.0,
        what: Some(what),
        offence: command.offence.map(offence),
        odds_of_game: side(command.draw_odds).into(),
        of_round: command.round.map_or(0, |round| round.0.into()),
        refusal,
        ruling: ruling(&command.kind),
        asked: command.asked.clone(),
    }
}

fn ruling(kind: &CommandKind) -> Option<log::Ruling> {
    if let CommandKind::Ruling(ruling) = kind {
        return Some(log::Ruling {
            request: ruling.request.to_string(),
            at_us: ruling.at.as_micros(),
        });
    }
    None
}

fn offence(offence: Offence) -> event::Offence {
    event::Offence {
        kind: offence.kind.encoded().into(),
        side: side(offence.side).into(),
        withdrawn: offence.withdrawn,
    }
}

fn assign(agent: Option<AgentId>, side: Option<Side>) -> log::Assign {
    log::Assign {
        agent: agent.map(|agent| agent.0.to_vec()).unwrap_or_default(),
        side: self::side(side).into(),
    }
}

/// Formats a setup as the arguments of the `prepare` command.
fn setup_text(setup: Setup) -> String {
    let text = Command::Prepare(setup).to_string();
    text.strip_prefix("prepare ").unwrap_or(&text).to_owned()
}

fn equivocation(said: Equivocation) -> log::Equivocation {
    let (body, signature) = said.event;
    let mut record = log::Equivocation {
        agent: said.agent.0.to_vec(),
        body,
        signature,
        ..log::Equivocation::default()
    };
    match said.against {
        Against::Event(body, signature) => {
            record.other_body = body;
            record.other_signature = signature;
        }
        Against::Promise(word) => {
            record.watermark = Some(log::SignedWatermark {
                at_us: word.at.as_micros(),
                seq: word.seq.0,
                signature: word.signature,
            });
        }
    }
    record
}
