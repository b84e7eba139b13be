//! Converts values of the hall and of other parts of the hub to messages of the API.

pub(in crate::api) mod expectation;
pub(crate) mod fide_list;
pub(in crate::api) mod proceedings;
pub(crate) mod remark;
pub(in crate::api) mod replay;
pub(crate) mod round;
pub(in crate::api) mod table;
pub(in crate::api) mod time_chess;

use hall::view::{self, BoardState, Flag, PressLine, Side};
use hall::{
    AgentInfo, Answer, BoardDetail, BoardNote, Certificate, LIMIT_INTERVAL, LIMIT_RATE_PPB,
    Outcome, SideClock,
};
use laws::RuleSet;
use proto::grpc;
use timing::{Button, BySide, Duration, Instant};

use table::renamed;

/// Converts a board, with its times in hand at `hub_us`.
pub fn board(detail: &BoardDetail, hub_us: i64) -> grpc::Board {
    let view = detail.view.at(hub_us);
    let clocks = detail.clocks.as_ref();
    let pending = detail.pending.iter().map(|pending| grpc::PendingCommand {
        id: pending.record.id.0.to_vec(),
        text: pending.record.text(),
        actor: pending.record.actor.clone(),
        since_hub_us: pending.since.as_micros(),
    });
    grpc::Board {
        white: Some(player(&view.white)),
        black: Some(player(&view.black)),
        running: time_chess::running(view.running).into(),
        phase: phase(view.state).into(),
        online: view.online,
        result: view.result,
        control: view.control,
        white_button: renamed!(detail.white_button, Button => grpc::Button { Left, Right }).into(),
        plan: view.plan.iter().map(segment).collect(),
        pending: pending.collect(),
        agent: text(detail.agent),
        presses: detail.presses.iter().map(press).collect(),
        draw_odds: maybe_side(view.draw_odds).into(),
        note: detail.note.clone().unwrap_or_default(),
        white_clock: clocks.map(|clocks| side_clock(&clocks.white)),
        black_clock: clocks.map(|clocks| side_clock(&clocks.black)),
        notes: detail.notes.iter().map(note).collect(),
        next: maybe_side(view.next).into(),
        since_us: view.since_us,
        silent_since_us: view.silent_since_us,
        first_flag: maybe_side(view.first_flag).into(),
        arbiter_called_us: detail.arbiter_called.map(Instant::as_micros),
        paused_by: detail.paused_by.clone().unwrap_or_default(),
        white_word_alone_us: detail.unverified_time.white.as_micros(),
        black_word_alone_us: detail.unverified_time.black.as_micros(),
        offences: offences(&detail.illegal_moves),
        illegal_move: detail.rules.and_then(illegal_move_rule),
        open_claim: detail.open_claim.as_ref().map(proceedings::open_claim),
        round: detail.round.map_or(0, |round| round.0.into()),
        time_chess: time_chess::on_board(detail, view.time_chess.as_ref()),
        // The caller adds the arbiters' acknowledgements.
        acknowledged: Vec::new(),
        board: view.board,
        seq: view.seq,
        hub_us,
    }
}

pub(crate) fn text(value: Option<impl ToString>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

pub(crate) fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

pub(super) fn note(note: &BoardNote) -> grpc::BoardNote {
    grpc::BoardNote {
        kind: note.kind.to_string(),
        text: note.text.clone(),
        since_us: note.since.map(Instant::as_micros),
        count: note.count,
        latest_us: note.latest.map(Instant::as_micros),
        agent: text(note.agent),
        figures: (note.count > 0).then(|| note.figures.clone()),
    }
}

fn side_clock(clock: &SideClock) -> grpc::SideClock {
    grpc::SideClock {
        agent: text(clock.agent),
        online: clock.online,
        uncertainty_us: clock.uncertainty.map(Duration::as_micros),
    }
}

pub fn reply(answer: &Answer, hub_us: i64) -> grpc::CommandReply {
    let (outcome, why) = match &answer.outcome {
        Outcome::Done => (grpc::Outcome::Done, None),
        Outcome::Pending => (grpc::Outcome::Pending, None),
        Outcome::Refused(why) => (grpc::Outcome::Refused, Some(why.to_wire())),
        Outcome::Withdrawn => (grpc::Outcome::Withdrawn, None),
    };
    let board_of_test = answer.board.as_deref();
    let certificates = answer.certificates.iter();
    let certificates = certificates.map(|found| certificate(found, board_of_test));
    grpc::CommandReply {
        id: answer.id.0.to_vec(),
        outcome: outcome.into(),
        refusal: why.as_ref().map(|why| why.text.clone()).unwrap_or_default(),
        board: answer.board.as_ref().map(|detail| board(detail, hub_us)),
        why,
        certificates: certificates.collect(),
    }
}

/// Converts a clock test's result. The service adds the event's name, the log's origin and the hub's version.
fn certificate(found: &Certificate, board: Option<&BoardDetail>) -> grpc::ZeroCertificate {
    let press = found.press;
    let mapped = press.and_then(|press| press.mapped);
    grpc::ZeroCertificate {
        board: text(board.map(|detail| &detail.view.board)),
        agent: found.agent.to_string(),
        name: found.name.clone(),
        firmware: found.firmware.clone(),
        asked_us: found.asked.as_micros(),
        wall_us: found.wall_us,
        heard_us: press.map(|press| press.heard.as_micros()),
        event_seq: press.map_or(0, |press| press.seq.0),
        stamp_us: press.map_or(0, |press| press.stamp.as_micros()),
        lo_us: mapped.map(|mapped| mapped.lo.as_micros()),
        est_us: mapped.map(|mapped| mapped.est.as_micros()),
        hi_us: mapped.map(|mapped| mapped.hi.as_micros()),
        error_us: found.error().map(Duration::as_micros),
        rate_ppb: found.rate_ppb,
        round_trip_us: found.round_trip_us,
        battery_percent: found.battery_percent,
        temperature_mc: found.temperature_mc,
        passed: found.passed(),
        findings: found.findings.clone(),
        limit_error_us: found.allowed_error().as_micros(),
        limit_interval_us: LIMIT_INTERVAL.as_micros(),
        limit_rate_ppb: LIMIT_RATE_PPB,
        ..grpc::ZeroCertificate::default()
    }
}

pub fn agent(info: &AgentInfo, link: Option<String>) -> grpc::Agent {
    grpc::Agent {
        key: info.agent.to_string(),
        name: info.name.clone(),
        board: text(info.board.as_ref()),
        online: info.online,
        firmware: info.firmware.clone(),
        battery_percent: info.battery_percent,
        acked_seq: info.acked_seq.0,
        offset_uncertainty_us: info.offset_uncertainty_us,
        rate_ppb: info.rate_ppb,
        round_trip_us: info.round_trip_us,
        revoked: info.revoked,
        offset_us: info.offset.map(|offset| offset.est_us),
        offset_lo_us: info.offset.map(|offset| offset.lo_us),
        offset_hi_us: info.offset.map(|offset| offset.hi_us),
        temperature_mc: info.temperature_mc,
        journal_ok: info.journal_ok,
        unacknowledged: info.unacknowledged,
        unsaved: info.unsaved,
        alerts: info.alerts.iter().map(note).collect(),
        link: link.unwrap_or_default(),
    }
}

fn phase(state: BoardState) -> grpc::BoardPhase {
    renamed!(state, BoardState => grpc::BoardPhase {
        Ready, Running, Paused, Stopped, Flagged, Over
    })
}

fn player(side: &view::SideView) -> grpc::PlayerSide {
    grpc::PlayerSide {
        name: side.name.clone(),
        time_us: side.us,
        allotment: side.phase.to_owned(),
        moves: side.moves,
        period: side.period,
        flag: renamed!(side.flag, Flag => grpc::FlagState { None, Expected, Fallen, Called })
            .into(),
        byo_left: side.byo_left,
        stones: side.stones,
        bank_us: side.bank_us,
        points: side.points,
        delay_us: side.delay_us,
    }
}

pub(super) fn segment(segment: &view::PlanSegment) -> grpc::PlanSegment {
    grpc::PlanSegment {
        from_us: segment.from_us,
        white_us: segment.white_us,
        black_us: segment.black_us,
        white_rate: segment.white_rate.into(),
        black_rate: segment.black_rate.into(),
        white_allotment: segment.white_phase.to_owned(),
        black_allotment: segment.black_phase.to_owned(),
    }
}

pub(super) fn maybe_side(side: Option<Side>) -> proto::Side {
    side.map_or(proto::Side::Unspecified, view_side)
}

fn view_side(side: Side) -> proto::Side {
    renamed!(side, Side => proto::Side { White, Black })
}

pub(crate) fn press(press: &PressLine) -> grpc::PressLine {
    grpc::PressLine {
        event_seq: press.event_seq.0,
        side: view_side(press.side).into(),
        r#move: press.n,
        used_us: press.used_us,
        left_us: press.left_us,
        at_us: press.at_us,
    }
}

pub(crate) fn nearby_clock(clock: crate::links::NearbyClock) -> grpc::NearbyClock {
    grpc::NearbyClock {
        tag: clock.tag,
        battery_percent: clock.battery_percent.map(u32::from),
        adapter: clock.adapter,
        rssi: clock.rssi.map(i32::from),
    }
}

fn illegal_move_rule(rules: &RuleSet) -> Option<grpc::IllegalMoveRule> {
    let rule = rules.illegal_move.as_ref()?;
    Some(grpc::IllegalMoveRule {
        opponent_gains_us: rule.opponent_gains.as_micros(),
        time_article: rules.quoted(&rule.time_article),
        loses_at: rule.loses_at,
        article: rules.quoted(&rule.article),
    })
}

fn offences(illegal_moves: &BySide<u32>) -> Vec<grpc::OffenceCount> {
    [
        (proto::Side::White, illegal_moves.white),
        (proto::Side::Black, illegal_moves.black),
    ]
    .into_iter()
    .filter(|(_, count)| *count > 0)
    .map(|(side, count)| grpc::OffenceCount {
        kind: proto::event::OffenceKind::IllegalMove.into(),
        side: side.into(),
        count,
    })
    .collect()
}
