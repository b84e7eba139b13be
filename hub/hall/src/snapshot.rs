//! Stores the fold as bytes, for a quick start. Owns the format and its version. Equal folds must have equal bytes.

mod fields;
mod floor;
mod message;
mod offence;
mod pair;
mod tournament;

pub use fields::SnapshotError;

use std::collections::VecDeque;
use std::sync::Arc;

use message as m;
use prost::Message;
use proto::ids::EventSeq;
use proto::refusal::Change as Told;
use timing::{
    BoardClock, ClockStep, Command, Duration, Fact, Instant, RulesVersion, Side, Snapshot,
};

use super::Hall;
use super::agent::{Agent, Order, OrderWhat};
use super::anomaly::{Anomalies, Standing};
use super::answers::CommandResult;
use super::board::{Board, Keeper, LINES, Late, Names, Opening};
use super::board_id::BoardId;
use super::changes::{Change, Changes};
use super::command_record::{CommandRecord, PendingCommand};
use super::corrections::Arbiter;
use super::fold::Fold;
use super::offence::Offences;
use super::outcome::Outcome;
use super::play::{GameStep, History, Play, Turn};
use super::refusal::Refusal;
use super::request::RequestDigest;
use crate::view::{self, PressLine};
use crate::{from_proto, to_proto};
use fields::{agent_id, bad, command_id, odds_in, odds_out};

/// The version, which increases when the format or the meaning of its content changes.
const VERSION: u32 = 5;

impl Hall {
    /// Encodes the fold.
    pub fn snapshot(&self) -> Vec<u8> {
        let fold = &self.fold;
        m::Hall {
            version: VERSION,
            origin: fold.origin.clone(),
            event_name: fold.event_name.clone(),
            epoch: fold.epoch,
            records: fold.records,
            hub_us: fold.hub.map(Instant::as_micros),
            boards: fold.boards.values().map(board_out).collect(),
            anomalies: anomalies_out(&fold.anomalies),
            agents: fold.agents.values().map(agent_out).collect(),
            answers: fold
                .answers
                .iter()
                .map(|(id, kept)| m::Answer {
                    id: id.0.to_vec(),
                    outcome: outcome_out(&kept.outcome),
                    refusal: refusal_of(&kept.outcome)
                        .map(|why| why.text().to_owned())
                        .unwrap_or_default(),
                    why: refusal_of(&kept.outcome).map(Refusal::without_text),
                    board: kept.board.as_ref().map(BoardId::to_string),
                    version: kept.version,
                    digest: kept.digest.0,
                })
                .collect(),
            event: Some(tournament::out(&fold.event)),
            floor: Some(floor::out(&fold.floor)),
            arbiters: fold.arbiters.iter().map(arbiter_out).collect(),
        }
        .encode_to_vec()
    }

    /// Restores the hall from a snapshot.
    ///
    /// # Errors
    /// [`SnapshotError`]: fold the log from its beginning instead.
    pub fn from_snapshot(bytes: &[u8]) -> Result<Self, SnapshotError> {
        let hall = m::Hall::decode(bytes).map_err(bad)?;
        if hall.version != VERSION {
            return Err(bad(format!(
                "it is of version {}, this program writes {VERSION}",
                hall.version
            )));
        }
        let mut fold = Fold {
            origin: hall.origin,
            event_name: hall.event_name,
            epoch: hall.epoch,
            records: hall.records,
            hub: hall.hub_us.map(Instant::from_micros),
            ..Fold::default()
        };
        for anomaly in hall.anomalies {
            let board = board_id(anomaly.board)?;
            let agent = anomaly.agent.as_deref().map(agent_id).transpose()?;
            let latest_us = anomaly.latest_us.unwrap_or(anomaly.since_us);
            let standing = Standing {
                text: anomaly.text,
                since: Instant::from_micros(anomaly.since_us),
                count: anomaly.count,
                latest: Instant::from_micros(latest_us),
                figures: anomaly.figures.unwrap_or_default(),
            };
            fold.anomalies.put(board, agent, &anomaly.kind, standing);
        }
        for board in hall.boards {
            let board = board_in(board)?;
            fold.boards.insert(board.id.clone(), board);
        }
        for agent in hall.agents {
            let agent = agent_in(agent)?;
            fold.agents.insert(agent.id, agent);
        }
        for answer in hall.answers {
            let id = command_id(&answer.id)?;
            let outcome = outcome_in(answer.outcome, answer.refusal, answer.why)?;
            let result = CommandResult {
                outcome,
                board: board_id(answer.board)?,
                version: answer.version,
                digest: RequestDigest(answer.digest),
            };
            fold.answers.remember(id, result);
        }
        fold.event = hall
            .event
            .map(tournament::read)
            .transpose()?
            .unwrap_or_default();
        fold.floor = hall.floor.map(floor::read).transpose()?.unwrap_or_default();
        fold.arbiters = hall
            .arbiters
            .into_iter()
            .map(arbiter_in)
            .collect::<Result<_, _>>()?;
        Ok(Self {
            fold,
            ..Self::default()
        })
    }
}

fn anomalies_out(anomalies: &Anomalies) -> Vec<m::Anomaly> {
    anomalies
        .iter()
        .map(|(board, agent, kind, standing)| m::Anomaly {
            board: board.map(BoardId::to_string),
            agent: agent.map(|agent| agent.0.to_vec()),
            kind: kind.to_owned(),
            text: standing.text.clone(),
            since_us: standing.since.as_micros(),
            count: standing.count,
            latest_us: (standing.count > 0).then_some(standing.latest.as_micros()),
            figures: (standing.count > 0).then(|| standing.figures.clone()),
        })
        .collect()
}

fn outcome_out(outcome: &Outcome) -> u32 {
    match outcome {
        Outcome::Done => 1,
        Outcome::Pending => 2,
        Outcome::Refused(_) => 3,
        Outcome::Withdrawn => 4,
    }
}

fn refusal_of(outcome: &Outcome) -> Option<&Refusal> {
    match outcome {
        Outcome::Refused(why) => Some(why),
        Outcome::Done | Outcome::Pending | Outcome::Withdrawn => None,
    }
}

fn outcome_in(
    outcome: u32,
    refusal: String,
    why: Option<proto::refusal::Refusal>,
) -> Result<Outcome, SnapshotError> {
    Ok(match outcome {
        1 => Outcome::Done,
        2 => Outcome::Pending,
        3 => Outcome::Refused(Refusal::kept(refusal, why)),
        4 => Outcome::Withdrawn,
        other => return Err(bad(format!("outcome {other}"))),
    })
}

fn board_out(board: &Board) -> m::Board {
    m::Board {
        id: board.id.to_string(),
        clock: board.clock().snapshot().to_bytes(),
        used_us: board.play.turn.used.as_micros(),
        since_us: board.play.turn.since.map(Instant::as_micros),
        lines: board.play.lines.iter().map(line_out).collect(),
        base: board.history.base.to_bytes(),
        steps: board.history.steps.iter().map(step_out).collect(),
        seq: board.changes.seq,
        clocks_seq: board.changes.clocks,
        decision_seq: board.changes.decision,
        changes: board.changes.recent.iter().map(change_out).collect(),
        white: board.names.white.clone(),
        black: board.names.black.clone(),
        round: board.names.round.clone(),
        agent: board.agent.map(|agent| agent.0.to_vec()),
        pair: board.pair.as_ref().map(pair::out),
        keeper: match board.keeper {
            Keeper::Agent(agent) => Some(agent.0.to_vec()),
            Keeper::Hub { .. } => None,
        },
        adoption: match board.keeper {
            Keeper::Hub { adoption } => adoption,
            Keeper::Agent(_) => None,
        },
        pending: board
            .pending
            .iter()
            .map(|pending| m::Pending {
                record: Some(to_proto::records::command_received(&pending.record)),
                since_us: pending.since.as_micros(),
            })
            .collect(),
        state_since_us: board.since.map(Instant::as_micros),
        paused_by: board.paused_by.clone(),
        arbiter_called_us: board.arbiter_called.map(Instant::as_micros),
        fault: board.fault.clone(),
        draw_odds: odds_out(board.draw_odds),
        offences: board.offences.0.iter().map(offence::out).collect(),
        started_us: board.opening.started.map(Instant::as_micros),
        late_side: odds_out(board.opening.late.as_ref().map(|late| late.side)),
        late_text: board
            .opening
            .late
            .as_ref()
            .map(|late| late.text.clone())
            .unwrap_or_default(),
        of_round: board.seat.round.map_or(0, |round| round.0.into()),
        asked: tournament::asked_out(&board.seat),
        anew_for: board.seat.restart_round.map_or(0, |round| round.0.into()),
    }
}

fn board_in(board: m::Board) -> Result<Board, SnapshotError> {
    let clock = clock_in(&board.clock)?;
    let lines: Result<VecDeque<_>, _> = board.lines.into_iter().map(line_in).collect();
    let turn = Turn {
        used: Duration::from_micros(board.used_us),
        since: board.since_us.map(Instant::from_micros),
    };
    let steps: Result<VecDeque<_>, _> = board.steps.into_iter().map(step_in).collect();
    let recent: Result<VecDeque<_>, _> = board.changes.into_iter().map(change_in).collect();
    let pending: Result<Vec<_>, _> = board.pending.into_iter().map(pending_in).collect();
    let offences: Result<Vec<_>, _> = board.offences.into_iter().map(offence::read).collect();
    Ok(Board {
        id: board.id.parse().map_err(bad)?,
        play: Play::new(clock, LINES).with_kept(lines?, turn),
        history: History {
            base: Snapshot::from_bytes(&board.base).map_err(bad)?,
            steps: steps?,
        },
        changes: Changes {
            seq: board.seq,
            clocks: board.clocks_seq,
            decision: board.decision_seq,
            recent: recent?,
        },
        names: Names {
            white: board.white,
            black: board.black,
            round: board.round,
        },
        agent: board.agent.map(|agent| agent_id(&agent)).transpose()?,
        keeper: match board.keeper {
            Some(agent) => Keeper::Agent(agent_id(&agent)?),
            None => Keeper::Hub {
                adoption: board.adoption,
            },
        },
        pair: board.pair.map(pair::back).transpose()?,
        pending: pending?,
        since: board.state_since_us.map(Instant::from_micros),
        paused_by: board.paused_by,
        arbiter_called: board.arbiter_called_us.map(Instant::from_micros),
        fault: board.fault,
        draw_odds: odds_in(board.draw_odds)?,
        offences: Offences(offences?),
        seat: tournament::seat_in(board.of_round, board.anew_for, board.asked)?,
        opening: Opening {
            started: board.started_us.map(Instant::from_micros),
            late: odds_in(board.late_side)?.map(|side| Late {
                side,
                text: board.late_text,
            }),
        },
    })
}

fn clock_in(bytes: &[u8]) -> Result<BoardClock, SnapshotError> {
    let snapshot = Snapshot::from_bytes(bytes).map_err(bad)?;
    BoardClock::from_snapshot(&snapshot).map_err(bad)
}

fn pending_in(pending: m::Pending) -> Result<PendingCommand, SnapshotError> {
    Ok(PendingCommand {
        record: record_in(pending.record.ok_or_else(|| bad("a command is missing"))?)?,
        since: Instant::from_micros(pending.since_us),
    })
}

fn record_in(record: proto::log::CommandReceived) -> Result<Arc<CommandRecord>, SnapshotError> {
    from_proto::records::command_record(RulesVersion::LATEST, record)
        .map(Arc::new)
        .map_err(bad)
}

fn side_out(side: view::Side) -> bool {
    side == view::Side::Black
}

fn side_in(black: bool) -> view::Side {
    if black {
        view::Side::Black
    } else {
        view::Side::White
    }
}

fn line_out(line: &PressLine) -> m::Line {
    m::Line {
        event_seq: line.event_seq.0,
        n: line.n,
        black: side_out(line.side),
        at_us: line.at_us,
        used_us: line.used_us,
        left_us: line.left_us,
    }
}

fn line_in(line: m::Line) -> Result<PressLine, SnapshotError> {
    Ok(PressLine {
        n: line.n,
        side: side_in(line.black),
        at_us: line.at_us,
        used_us: line.used_us,
        left_us: line.left_us,
        event_seq: EventSeq(line.event_seq),
    })
}

fn step_out(step: &GameStep) -> m::Step {
    let mut out = m::Step {
        event_seq: step.event.map(|event| event.0),
        hub_us: step.hub.as_micros(),
        ..m::Step::default()
    };
    match &step.step {
        ClockStep::Fact { at, fact, rules } => {
            out.at_us = at.as_micros();
            out.kind = match fact {
                Fact::Pressed(button) => {
                    out.rules = rules.number();
                    match button {
                        timing::Button::Left => 1,
                        timing::Button::Right => 2,
                    }
                }
                Fact::Stopped => 3,
            };
        }
        ClockStep::Command { at, command } => {
            (out.kind, out.at_us) = (4, at.as_micros());
            out.command = command.to_string();
        }
        ClockStep::TimePassed(at) => (out.kind, out.at_us) = (5, at.as_micros()),
        ClockStep::Moved(at) => (out.kind, out.at_us) = (6, at.as_micros()),
    }
    out
}

fn step_in(step: m::Step) -> Result<GameStep, SnapshotError> {
    let at = Instant::from_micros(step.at_us);
    let press = |button| -> Result<_, SnapshotError> {
        Ok(ClockStep::Fact {
            at,
            fact: Fact::Pressed(button),
            rules: rules_in(step.rules)?,
        })
    };
    Ok(GameStep {
        event: step.event_seq.map(EventSeq),
        hub: Instant::from_micros(step.hub_us),
        step: match step.kind {
            1 => press(timing::Button::Left)?,
            2 => press(timing::Button::Right)?,
            3 => ClockStep::fact(at, Fact::Stopped),
            4 => ClockStep::command(at, command_in(&step.command)?),
            5 => ClockStep::TimePassed(at),
            6 => ClockStep::Moved(at),
            other => return Err(bad(format!("a step of kind {other}"))),
        },
    })
}

fn rules_in(number: u32) -> Result<RulesVersion, SnapshotError> {
    RulesVersion::from_number(number).ok_or_else(|| bad(format!("rules {number}")))
}

fn change_out((seq, change): &(u64, Change)) -> m::Change {
    let mut out = m::Change {
        seq: *seq,
        ..m::Change::default()
    };
    match change {
        Change::Press { side, moves, at } => {
            (out.kind, out.moves) = (1, *moves);
            out.black = *side == Side::Black;
            out.at_us = at.map(Instant::as_micros);
        }
        Change::Period(at) => {
            out.kind = 2;
            out.at_us = at.map(Instant::as_micros);
        }
        Change::Decision(change) => {
            out.kind = 3;
            out.told = Some((**change).clone());
        }
        Change::Label => out.kind = 4,
    }
    out
}

fn change_in(change: m::Change) -> Result<(u64, Change), SnapshotError> {
    let at = change.at_us.map(Instant::from_micros);
    let what = match change.kind {
        1 => Change::Press {
            side: if change.black {
                Side::Black
            } else {
                Side::White
            },
            moves: change.moves,
            at,
        },
        2 => Change::Period(at),
        // A snapshot of an older hub contains only the text.
        3 => Change::Decision(Box::new(change.told.unwrap_or(Told {
            text: change.text,
            ..Told::default()
        }))),
        4 => Change::Label,
        other => return Err(bad(format!("a change of kind {other}"))),
    };
    Ok((change.seq, what))
}

fn agent_out(agent: &Agent) -> m::Agent {
    m::Agent {
        id: agent.id.0.to_vec(),
        name: agent.name.clone(),
        exchange_key: agent.exchange_key.clone(),
        certificate_serial: agent.certificate_serial.clone(),
        revoked: agent.revoked,
        board: agent.board.as_ref().map(BoardId::to_string),
        seq: agent.seq.0,
        head: agent.head.to_vec(),
        at_us: agent.at.map(Instant::as_micros),
        heard_us: agent.heard.map(Instant::as_micros),
        offset_us: agent.offset_us,
        corrected_us: agent.corrected,
        left: agent.left.as_ref().map(BoardId::to_string),
        next_order: agent.next_order,
        orders: agent.orders.iter().map(order_out).collect(),
    }
}

fn agent_in(agent: m::Agent) -> Result<Agent, SnapshotError> {
    let orders: Result<VecDeque<_>, _> = agent.orders.into_iter().map(order_in).collect();
    Ok(Agent {
        id: agent_id(&agent.id)?,
        name: agent.name,
        exchange_key: agent.exchange_key,
        certificate_serial: agent.certificate_serial,
        revoked: agent.revoked,
        board: board_id(agent.board)?,
        seq: EventSeq(agent.seq),
        head: agent
            .head
            .try_into()
            .map_err(|_| bad("a chain hash of another length"))?,
        at: agent.at_us.map(Instant::from_micros),
        heard: agent.heard_us.map(Instant::from_micros),
        offset_us: agent.offset_us,
        corrected: agent.corrected_us,
        left: board_id(agent.left)?,
        next_order: agent.next_order,
        orders: orders?,
    })
}

fn arbiter_out(arbiter: &Arbiter) -> m::Arbiter {
    m::Arbiter {
        name: arbiter.name.clone(),
        key: arbiter.key.to_vec(),
    }
}

fn arbiter_in(arbiter: m::Arbiter) -> Result<Arbiter, SnapshotError> {
    Ok(Arbiter {
        name: arbiter.name,
        key: arbiter
            .key
            .try_into()
            .map_err(|_| bad("an arbiter's key of another length"))?,
    })
}

fn order_out(order: &Order) -> m::Order {
    let mut out = m::Order {
        number: order.number,
        issued_us: Some(order.issued.as_micros()),
        withdrawn: order.withdrawn,
        board: order.board().map(BoardId::to_string),
        ..m::Order::default()
    };
    match &order.what {
        OrderWhat::Command { record, board: _ } => {
            out.record = Some(to_proto::records::command_received(record));
        }
        OrderWhat::Adopt { snapshot, .. } => out.snapshot.clone_from(snapshot),
        OrderWhat::ServeSide { side, snapshot, .. } => {
            out.side = odds_out(Some(*side));
            out.snapshot.clone_from(snapshot);
        }
        OrderWhat::Release => (),
    }
    out
}

fn order_in(order: m::Order) -> Result<Order, SnapshotError> {
    let what = match (board_id(order.board)?, order.record) {
        (None, _) => OrderWhat::Release,
        (Some(board), Some(record)) => OrderWhat::Command {
            board,
            record: record_in(record)?,
        },
        (Some(board), None) => match odds_in(order.side)? {
            None => OrderWhat::Adopt {
                board,
                snapshot: order.snapshot,
            },
            Some(side) => OrderWhat::ServeSide {
                board,
                side,
                snapshot: order.snapshot,
            },
        },
    };
    Ok(Order {
        number: order.number,
        issued: order.issued_us.map_or(Instant::MIN, Instant::from_micros),
        what,
        withdrawn: order.withdrawn,
    })
}

fn command_in(text: &str) -> Result<Command, SnapshotError> {
    text.parse().map_err(bad)
}

fn board_id(text: Option<String>) -> Result<Option<BoardId>, SnapshotError> {
    text.map(|text| text.parse().map_err(bad)).transpose()
}
