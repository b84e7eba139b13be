//! Notes for arbiters and the organiser, with their texts. A note is never a penalty.

mod log;
mod time_chess;

use proto::ids::AgentId;
use proto::log::NoteFigures;
use timing::{BySide, Duration, Side};

use super::board_id::BoardId;
use super::note_kind::NoteKind;
use super::words::capital;
use crate::to_proto;

pub(crate) use time_chess::press_without_move;

pub(crate) use log::{journal_damaged, log_rewritten, log_set_back};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub kind: NoteKind,
    pub text: String,
    pub board: Option<BoardId>,
    pub agent: Option<AgentId>,
    /// The values that the text states, as data for programs.
    pub figures: NoteFigures,
}

impl Notice {
    pub fn of_hall(kind: NoteKind, text: String) -> Self {
        Self {
            kind,
            text,
            board: None,
            agent: None,
            figures: NoteFigures::default(),
        }
    }

    fn with(mut self, fill: impl FnOnce(&mut NoteFigures)) -> Self {
        fill(&mut self.figures);
        self
    }

    fn at_event(self, seq: u64) -> Self {
        self.with(|figures| figures.event = seq)
    }

    fn off_by(self, us: i64) -> Self {
        self.with(|figures| figures.off_by_us = Some(us))
    }

    fn event_off_by(self, seq: u64, us: i64) -> Self {
        self.at_event(seq).off_by(us)
    }

    fn unverified(self, span: Duration) -> Self {
        self.with(|figures| figures.unverified_us = Some(span.as_micros()))
    }
}

fn of_agent(kind: NoteKind, agent: AgentId, text: String) -> Notice {
    Notice {
        agent: Some(agent),
        ..Notice::of_hall(kind, text)
    }
}

fn of_board(kind: NoteKind, board: &BoardId, text: String) -> Notice {
    Notice {
        board: Some(board.clone()),
        ..Notice::of_hall(kind, text)
    }
}

pub(crate) fn version(agent: AgentId, major: u32, minor: u32) -> Notice {
    let text = format!(
        "clock {} uses version {major}.{minor} of the frame protocol, which this hub does not support: update the clock",
        agent.short()
    );
    of_agent(NoteKind::Version, agent, text)
}

pub(crate) fn second_link(agent: AgentId) -> Notice {
    let text = format!(
        "a second clock with the identity of clock {} tried to connect and was refused: was the clock's memory copied?",
        agent.short()
    );
    of_agent(NoteKind::SecondLink, agent, text)
}

pub(crate) fn other_log(agent: AgentId, origin: &str) -> Notice {
    let text = format!(
        "clock {} has the journal of a different event ({origin}): none of it was applied",
        agent.short()
    );
    of_agent(NoteKind::OtherLog, agent, text)
}

pub(crate) fn foreign_journal(agent: AgentId, origin: &str, count: u64) -> Notice {
    let text = format!(
        "clock {} still stores events from a different event's log ({origin}) that no hub has acknowledged: {count}",
        agent.short()
    );
    of_agent(NoteKind::ForeignJournal, agent, text)
}

pub(crate) fn journal_lost(agent: AgentId, reached: u64, acked: u64) -> Notice {
    let text = format!(
        "the journal of clock {} ends at event {reached}, but the log has {acked}: the journal was lost or set back; \
         the clock adopts the board's state from the hub",
        agent.short()
    );
    of_agent(NoteKind::JournalLost, agent, text).at_event(acked)
}

pub(crate) fn fork(agent: AgentId, seq: u64) -> Notice {
    let text = format!(
        "clock {} and the log have different events {seq}: its journal was cut short by a crash, or altered; the clock \
         continues after the log's last event and adopts the board's state from the hub",
        agent.short()
    );
    of_agent(NoteKind::Fork, agent, text).at_event(seq)
}

pub(crate) fn bad_chain(agent: AgentId, what: &str) -> Notice {
    let text = format!(
        "clock {} sent an event that does not continue its chain ({what}): its link was closed",
        agent.short()
    );
    of_agent(NoteKind::BadChain, agent, text)
}

pub(crate) fn bad_signature(agent: AgentId) -> Notice {
    let text = format!(
        "clock {} sent an event without a valid signature: the event was not accepted, and the link was closed",
        agent.short()
    );
    of_agent(NoteKind::BadSignature, agent, text)
}

pub(crate) fn clock_fault(agent: AgentId) -> Notice {
    let text = format!(
        "the crystal of clock {} differs from the hub's by more than 100 ppm, or its time was changed: check the clock before \
         the next game",
        agent.short()
    );
    of_agent(NoteKind::ClockFault, agent, text)
}

pub(crate) fn from_the_future(agent: AgentId, seq: u64, by_us: i64) -> Notice {
    let text = format!(
        "event {seq} of clock {} is stamped {} ms after the hub received it",
        agent.short(),
        by_us / 1_000
    );
    of_agent(NoteKind::FromTheFuture, agent, text).event_off_by(seq, by_us)
}

pub(crate) fn promise_from_the_future(agent: AgentId, by_us: i64) -> Notice {
    let text = format!(
        "clock {} sent a watermark for a moment {} ms ahead of the hub's time: the watermark was ignored",
        agent.short(),
        by_us / 1_000
    );
    of_agent(NoteKind::FromTheFuture, agent, text).off_by(by_us)
}

pub(crate) fn broken_promise(agent: AgentId, seq: u64, by_us: i64) -> Notice {
    let text = format!(
        "event {seq} of clock {} is stamped {} ms before a moment up to which the clock had already reported everything",
        agent.short(),
        by_us / 1_000
    );
    of_agent(NoteKind::BrokenPromise, agent, text).event_off_by(seq, by_us)
}

pub(crate) fn before_probe(agent: AgentId, seq: u64, by: Duration) -> Notice {
    let text = format!(
        "event {seq} of clock {} is stamped {} before a time probe of the hub that the event echoes: the hub treats the event as no earlier than that probe",
        agent.short(),
        in_seconds(by)
    );
    of_agent(NoteKind::BeforeProbe, agent, text).event_off_by(seq, by.as_micros())
}

pub(crate) fn before_order(agent: AgentId, seq: u64, number: u64, by: Duration) -> Notice {
    let text = format!(
        "clock {} reports that it carried out order {number} {} before the hub issued it: the order counts from its issue",
        agent.short(),
        in_seconds(by)
    );
    of_agent(NoteKind::BeforeOrder, agent, text).event_off_by(seq, by.as_micros())
}

pub(crate) fn unknown_order(agent: AgentId, seq: u64, number: u64) -> Notice {
    let text = format!(
        "clock {} reports that it carried out order {number}, which the hub never issued",
        agent.short()
    );
    of_agent(NoteKind::UnknownOrder, agent, text).at_event(seq)
}

/// Returns the note about an order that a clock ignores. `command` is empty for an order that changes the clock's
/// board.
pub(crate) fn order_ignored(
    agent: AgentId,
    number: u64,
    command: String,
    waited: Duration,
) -> Notice {
    let what = match command.as_str() {
        "" => "to change its board".to_owned(),
        command => format!("“{command}”"),
    };
    let text = format!(
        "clock {} is connected but has not carried out order {number}, {what}, after {}",
        agent.short(),
        in_seconds(waited)
    );
    of_agent(NoteKind::OrderIgnored, agent, text)
        .off_by(waited.as_micros())
        .with(|figures| figures.command = command)
}

pub(crate) fn unproven_jump(agent: AgentId, seq: u64, jump: Duration, proven: Duration) -> Notice {
    let text = format!(
        "clock {} moved its own time forward by {}, of which the hub can prove {}: the rest is charged to neither player",
        agent.short(),
        in_seconds(jump),
        in_seconds(proven)
    );
    of_agent(NoteKind::UnprovenJump, agent, text)
        .event_off_by(seq, jump.as_micros())
        .with(|figures| figures.counted_us = Some(proven.as_micros()))
}

pub(crate) fn decreasing(agent: AgentId, seq: u64, by_us: i64) -> Notice {
    let text = format!(
        "event {seq} of clock {} is stamped {} ms earlier than the previous event",
        agent.short(),
        by_us / 1_000
    );
    of_agent(NoteKind::DecreasingStamp, agent, text).event_off_by(seq, by_us)
}

pub(crate) fn rebased(agent: AgentId, jump_us: i64, uncertainty_us: i64) -> Notice {
    let text = format!(
        "the machine of clock {} was off or asleep: its time jumped {}.{:03} s (give or take {} ms)",
        agent.short(),
        jump_us / 1_000_000,
        (jump_us / 1_000) % 1_000,
        uncertainty_us / 1_000
    );
    of_agent(NoteKind::Rebase, agent, text)
        .off_by(jump_us)
        .with(|figures| figures.bound_us = Some(uncertainty_us))
}

pub(crate) fn restarted_alone(agent: AgentId) -> Notice {
    let text = format!(
        "the machine of clock {} restarted without a connection to the hub: neither player is charged for the time it was off; \
         please check the clock",
        agent.short()
    );
    of_agent(NoteKind::RestartedAlone, agent, text)
}

pub(crate) fn forged_promise(agent: AgentId) -> Notice {
    let text = format!(
        "clock {} sends watermarks with invalid signatures: they would prove nothing against it",
        agent.short()
    );
    of_agent(NoteKind::ForgedPromise, agent, text)
}

pub(crate) fn diverged(agent: AgentId, seq: u64) -> Notice {
    let text = format!(
        "clock {} computed different times from the hub's after its event {seq}; it adopts the hub's times",
        agent.short()
    );
    of_agent(NoteKind::Diverged, agent, text).at_event(seq)
}

pub(crate) fn journal_failed(agent: AgentId) -> Notice {
    let text = format!(
        "clock {} cannot write its journal: presses are safe only while it is connected",
        agent.short()
    );
    of_agent(NoteKind::JournalFailed, agent, text)
}

pub(crate) fn late(board: Option<&BoardId>, agent: AgentId, what: &str, seq: u64) -> Notice {
    let text = format!(
        "{what} (event {seq} of clock {}) arrived for a board whose time the hub had taken over: it is kept but not \
         applied; please review",
        agent.short()
    );
    let board = board.cloned();
    Notice {
        board,
        ..of_agent(NoteKind::LatePress, agent, text).at_event(seq)
    }
}

pub(crate) fn too_late(board: &BoardId, agent: AgentId, seq: u64) -> Notice {
    let text = format!(
        "event {seq} of clock {} is older than the time settled on the board: it changed nothing; please review",
        agent.short()
    );
    of_both(NoteKind::LatePress, board, agent, text).at_event(seq)
}

pub(crate) fn wrong_pins(board: Option<&BoardId>, agent: AgentId, wrong: u32) -> Notice {
    let text = format!(
        "{wrong} wrong PINs were entered at clock {}: the wait before the next attempt grows each time",
        agent.short()
    );
    let board = board.cloned();
    Notice {
        board,
        ..of_agent(NoteKind::WrongPins, agent, text).with(|figures| figures.number = wrong)
    }
}

pub(crate) fn withdrawn_yet_taken(board: &BoardId, text: &str) -> Notice {
    of_board(
        NoteKind::WithdrawnYetTaken,
        board,
        format!("“{text}” was withdrawn, but the clock had already carried it out: it counts"),
    )
}

pub(crate) fn faulted(board: &BoardId, what: &str) -> Notice {
    of_board(
        NoteKind::BoardFault,
        board,
        format!(
            "the clock of this board failed inside the hub ({what}): prepare the board again; other boards are not affected"
        ),
    )
}

pub(crate) fn handover_not_charged(board: &BoardId, elapsed_us: i64, why: &str) -> Notice {
    of_board(
        NoteKind::Handover,
        board,
        format!(
            "{} ms passed while the board changed clocks and were not charged: {why}",
            elapsed_us / 1_000
        ),
    )
}

pub(crate) fn event_not_told(board: &BoardId, what: &str, why: &str) -> Notice {
    of_board(
        NoteKind::EventNotTold,
        board,
        format!("the event does not accept what this board's clock reports ({what}): {why}"),
    )
}

pub(crate) fn result_not_shown(board: &BoardId, why: &str) -> Notice {
    of_board(
        NoteKind::ResultNotShown,
        board,
        format!("this board's clock does not show the event's result: {why}"),
    )
}

pub(crate) fn not_set_again(board: &BoardId, why: &str) -> Notice {
    of_board(
        NoteKind::NotSetAgain,
        board,
        format!(
            "different players now sit at this board, but its clock cannot be set again: {why}; set it once that is settled \
             (`flagfall ctl control`)"
        ),
    )
}

pub(crate) fn default_time(board: &BoardId, text: String) -> Notice {
    of_board(NoteKind::DefaultTime, board, text)
}

pub(crate) fn schedule_missed(count: usize) -> Notice {
    let text = format!(
        "the scheduled start passed while the hub was down; prepared boards that wait for the arbiter: {count}"
    );
    Notice::of_hall(NoteKind::ScheduleMissed, text)
}

pub(crate) fn straddle(board: &BoardId, text: String) -> Notice {
    of_board(NoteKind::Straddle, board, text)
}

fn in_seconds(span: Duration) -> String {
    let ms = span.as_micros() / 1_000;
    format!("{}.{:03} s", ms / 1_000, (ms % 1_000).abs())
}

fn of_both(kind: NoteKind, board: &BoardId, agent: AgentId, text: String) -> Notice {
    Notice {
        board: Some(board.clone()),
        ..of_agent(kind, agent, text)
    }
}

/// Returns the note about a late press. `late` holds the minimum delay of event `seq` and the usual limit. `unverified`
/// is the time for which the hub has only the clock's own report.
pub(crate) fn late_report(
    board: &BoardId,
    agent: AgentId,
    seq: u64,
    late: (Duration, Duration),
    unverified: Duration,
) -> Notice {
    let text = format!(
        "event {seq} of clock {} was heard {} after its stamp (usual: within {}): for {}, the hub has \
         only the clock's own report",
        agent.short(),
        in_seconds(late.0),
        in_seconds(late.1),
        in_seconds(unverified)
    );
    of_both(NoteKind::LateReport, board, agent, text)
        .event_off_by(seq, late.0.as_micros())
        .unverified(unverified)
        .with(|figures| figures.bound_us = Some(late.1.as_micros()))
}

pub(crate) fn unverified(board: &BoardId, agent: AgentId, presses: u32, span: Duration) -> Notice {
    let text = format!(
        "{presses} presses in a row from clock {} arrived late: for {} in all, the hub has only the clock's own reports",
        agent.short(),
        in_seconds(span)
    );
    of_both(NoteKind::Unverified, board, agent, text)
        .unverified(span)
        .with(|figures| figures.number = presses)
}

/// Returns the note that the hub relies on a clock's own reports for more of one side's time than of the other's.
/// `sums` holds this time for each side, and `lead` is the excess of `side`.
pub(crate) fn word_alone(
    board: &BoardId,
    agent: AgentId,
    side: Side,
    lead: Duration,
    sums: BySide<Duration>,
) -> Notice {
    let text = format!(
        "in this game {} of White's time and {} of Black's are known only from the reports of clock {}, beyond the usual delay \
         of its link: {} more for {}; please watch the board",
        in_seconds(sums[Side::White].or_zero()),
        in_seconds(sums[Side::Black].or_zero()),
        agent.short(),
        in_seconds(lead),
        capital(side)
    );
    of_both(NoteKind::WordAlone, board, agent, text)
        .off_by(lead.as_micros())
        .with(|figures| {
            figures.set_side(to_proto::side(side));
            figures.white_us = Some(sums[Side::White].or_zero().as_micros());
            figures.black_us = Some(sums[Side::Black].or_zero().as_micros());
        })
}

/// Returns the note about a game in which much of the time is known only from the clock's reports. The note does not
/// mean that the clock is dishonest.
pub(crate) fn unchecked_time(board: &BoardId, agent: AgentId, unchecked: Duration) -> Notice {
    let text = format!(
        "board {board}: {} of this game is known only from the reports of clock {}, because its network is slow: check its \
         connection. That does not mean the clock is wrong",
        in_seconds(unchecked),
        agent.short()
    );
    of_both(NoteKind::UncheckedTime, board, agent, text).unverified(unchecked)
}

pub(crate) fn slow_link(agent: AgentId, least: Duration) -> Notice {
    let text = format!(
        "every round trip to clock {} takes {} or longer: within that delay, the hub must rely on the clock's own time for \
         each press; check its link",
        agent.short(),
        in_seconds(least)
    );
    of_agent(NoteKind::SlowLink, agent, text).unverified(least)
}

pub(crate) fn no_watermarks(agent: AgentId) -> Notice {
    let text = format!(
        "clock {} is connected but sends no watermarks: flag falls are not confirmed, and the times of presses are known only \
         from its own reports",
        agent.short()
    );
    of_agent(NoteKind::NoWatermarks, agent, text)
}

pub(crate) fn slow_watermarks(agent: AgentId, hurried: bool) -> Notice {
    let when = match hurried {
        true => " while a player is short of time",
        false => "",
    };
    let text = format!(
        "clock {} sends fewer watermarks than it should{when}: more time than usual is known only from its own reports",
        agent.short()
    );
    of_agent(NoteKind::SlowWatermarks, agent, text)
}

pub(crate) fn unsigned_watermarks(agent: AgentId) -> Notice {
    let text = format!(
        "clock {} does not sign its watermarks, although its protocol version requires it: they would prove nothing against it",
        agent.short()
    );
    of_agent(NoteKind::UnsignedWatermarks, agent, text)
}

pub(crate) fn one_sided(
    board: &BoardId,
    agent: AgentId,
    side: Side,
    newest: Duration,
    usual: Duration,
) -> Notice {
    let text = format!(
        "clock {} keeps reporting {}'s presses late, the last one {} after its stamp (the link accounts for only {}): \
         please watch the board",
        agent.short(),
        capital(side),
        in_seconds(newest),
        in_seconds(usual)
    );
    of_both(NoteKind::OneSided, board, agent, text)
        .off_by(newest.as_micros())
        .with(|figures| {
            figures.bound_us = Some(usual.as_micros());
            figures.set_side(to_proto::side(side));
        })
}

/// Returns the note that the times used do not add up. `elapsed` is the time that passed at the hub, with its error
/// bound.
pub(crate) fn sum_check(
    board: &BoardId,
    charged: BySide<Duration>,
    elapsed: (Duration, Duration),
) -> Notice {
    let text = format!(
        "the clocks do not add up: White used {} and Black {}, together {}, but the hub measured {} (give or take {})",
        in_seconds(charged[Side::White]),
        in_seconds(charged[Side::Black]),
        in_seconds(charged[Side::White] + charged[Side::Black]),
        in_seconds(elapsed.0),
        in_seconds(elapsed.1)
    );
    of_board(NoteKind::SumCheck, board, text).with(|figures| {
        figures.white_us = Some(charged[Side::White].as_micros());
        figures.black_us = Some(charged[Side::Black].as_micros());
        figures.elapsed_us = Some(elapsed.0.as_micros());
        figures.bound_us = Some(elapsed.1.as_micros());
    })
}
