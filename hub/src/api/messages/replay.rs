//! Converts replays of games to messages, and a requested supposition to the hall's value.

use proto::grpc::{
    self, Basis, DayMoment, FlagChange, GameReplay, GameTimeline, Moment, MomentKind, MoveChange,
    MoveClocks, Supposition, TimelinePlan,
};
use timing::Ignored;
use tonic::{Code, Result, Status};

use super::table::renamed;
use super::{maybe_side, view_side as side};
use crate::api::status::with_number;
use hall::Refusal;
use hall::refusal::Why;
use hall::replay::{self, MomentDetail as Detail};

pub(in crate::api) fn supposition(supposed: Supposition) -> Result<replay::Supposition> {
    let bad = |error: replay::BadSupposition| Status::invalid_argument(error.to_string());
    let add = supposed.add.iter().map(|text| text.parse().map_err(bad));
    let control = Some(supposed.control.trim()).filter(|control| !control.is_empty());
    let control = control.map(|control| {
        timing::presets::control_of(control).map_err(|error| {
            let written = control.to_owned();
            let text = error.to_string();
            let why = Why::NoControl { written, text };
            with_number(Code::InvalidArgument, &why.into())
        })
    });
    Ok(replay::Supposition {
        without: supposed.without,
        add: add.collect::<Result<_, _>>()?,
        control: control.transpose()?,
        rules: None,
    })
}

pub(in crate::api) fn comparison(compared: &replay::Comparison) -> GameReplay {
    GameReplay {
        was: Some(timeline(&compared.was)),
        would: Some(timeline(&compared.would)),
        moves: compared.moves.iter().map(move_change).collect(),
        flags: compared.flags.iter().map(flag_change).collect(),
        ..GameReplay::default()
    }
}

pub(in crate::api) fn timeline(timeline: &replay::Timeline) -> GameTimeline {
    let plans = timeline.plans().into_iter();
    GameTimeline {
        board: timeline.board.clone(),
        game: timeline.game,
        round: timeline.round,
        white: timeline.white.clone(),
        black: timeline.black.clone(),
        control: timeline.control.clone(),
        moments: timeline.moments.iter().map(moment).collect(),
        days: timeline.days.iter().map(day).collect(),
        plans: plans
            .map(|(from_us, segments)| TimelinePlan {
                from_us,
                segments: segments.iter().map(super::segment).collect(),
            })
            .collect(),
    }
}

fn day(moment: &replay::DayMoment) -> DayMoment {
    let pieces = &moment.pieces;
    DayMoment {
        record: moment.record,
        at_us: moment.at_us,
        phase: moment.phase.to_owned(),
        moved: moment.moved,
        turn: moment.turn.clone(),
        white: pieces.white.clone(),
        black: pieces.black.clone(),
        spectators: pieces.spectators.clone(),
        all: pieces.all.clone(),
    }
}

fn moment(moment: &replay::Moment) -> Moment {
    let clocks = &moment.clocks;
    let mut message = Moment {
        kind: kind(&moment.what).into(),
        record: moment.record,
        at_us: moment.at_us,
        white_us: clocks.white.us,
        black_us: clocks.black.us,
        phase: super::phase(clocks.state).into(),
        turn: maybe_side(clocks.turn).into(),
        result: clocks.result.clone().unwrap_or_default(),
        ..Moment::default()
    };
    match &moment.what {
        Detail::Set { control } => message.text.clone_from(control),
        Detail::Started { side: of }
        | Detail::Flag { side: of }
        | Detail::FlagExpected { side: of } => message.set_side(side(*of)),
        Detail::Move {
            side: of,
            number,
            used_us,
            pressed_us,
            basis,
        } => {
            message.set_side(side(*of));
            (message.number, message.used_us, message.pressed_us) =
                (*number, *used_us, *pressed_us);
            message.basis = basis.as_ref().map(self::basis);
        }
        Detail::Ignored {
            side: of,
            why,
            basis,
        } => {
            message.set_side(side(*of));
            message.text = why.to_string();
            message.set_ignored(ignored(*why));
            message.basis = basis.as_ref().map(self::basis);
        }
        Detail::Period { side: of, period } => {
            message.set_side(side(*of));
            message.number = *period;
        }
        Detail::Action {
            command,
            actor,
            reason,
            asked,
            refused,
        } => {
            let words = [command, actor, reason].map(Clone::clone);
            [message.text, message.actor, message.reason] = words;
            message.asked = asked.unwrap_or_default();
            message.refusal = refused.as_ref().map(Refusal::to_wire);
            message.refused = super::text(refused.as_ref().map(Refusal::text));
        }
        Detail::Asked {
            command,
            actor,
            reason,
        } => {
            let words = [command, actor, reason].map(Clone::clone);
            [message.text, message.actor, message.reason] = words;
        }
        Detail::Note { text, .. } | Detail::Other { text } => message.text.clone_from(text),
        Detail::Stopped | Detail::ArbiterCalled | Detail::Link { .. } => (),
    }
    message
}

fn kind(what: &Detail) -> MomentKind {
    match what {
        Detail::Set { .. } => MomentKind::Set,
        Detail::Started { .. } => MomentKind::Started,
        Detail::Move { .. } => MomentKind::Move,
        Detail::Ignored { .. } => MomentKind::Ignored,
        Detail::Stopped => MomentKind::Stopped,
        Detail::ArbiterCalled => MomentKind::ArbiterCalled,
        Detail::Flag { .. } => MomentKind::Flag,
        Detail::FlagExpected { .. } => MomentKind::FlagExpected,
        Detail::Period { .. } => MomentKind::Period,
        Detail::Action { .. } => MomentKind::Action,
        Detail::Asked { .. } => MomentKind::Asked,
        Detail::Note { .. } => MomentKind::Note,
        Detail::Link { online: false } => MomentKind::Offline,
        Detail::Link { online: true } => MomentKind::Online,
        Detail::Other { .. } => MomentKind::Other,
    }
}

fn ignored(why: Ignored) -> grpc::IgnoredPress {
    renamed!(why, Ignored => grpc::IgnoredPress {
        OutOfTurn, NotStarted, ClocksStopped, FlagDown, GameOver, Late
    })
}

fn basis(basis: &replay::Basis) -> Basis {
    Basis {
        record: basis.record,
        agent: basis.agent.clone(),
        event: basis.event,
        stamp_us: basis.stamp_us,
        counts_at_us: basis.counts_at_us,
        earliest_us: basis.bounds_us.map(|bounds| bounds.0),
        latest_us: basis.bounds_us.map(|bounds| bounds.1),
    }
}

fn move_change(change: &replay::MoveChange) -> MoveChange {
    MoveChange {
        side: side(change.side).into(),
        r#move: change.number,
        was: change.was.map(move_clocks),
        would: change.would.map(move_clocks),
    }
}

fn move_clocks(clocks: replay::MoveClocks) -> MoveClocks {
    MoveClocks {
        white_us: clocks.white_us,
        black_us: clocks.black_us,
        used_us: clocks.used_us,
    }
}

fn flag_change(change: &replay::FlagChange) -> FlagChange {
    FlagChange {
        side: side(change.side).into(),
        was_us: change.was_us,
        would_us: change.would_us,
        during: change.during,
    }
}
