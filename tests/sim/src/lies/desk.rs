//! The hub of one game: its hall, the arbiter's requests, the hall's wake-ups, and the comparison of the hub's board clock with the truth. Must not
//! own a clock or a link.

use hall::{Action, BoardId, Enrolment, Hall, Input, ReplyId};
use proto::ids::{AgentId, CommandId};
use proto::wire::Hello;
use timing::{
    Board, BoardClock, Button, BySide, Duration, Hub, Instant, Setup, Side, Snapshot, StartRule,
};

use super::LieTally;
use crate::shell::{asked, command_id};
use crate::world::lies::signed_by_hash;

const BOARD: &str = "1";

pub(super) struct Desk {
    pub(super) hall: Hall,
    requests: u64,
    wake_us: Option<i64>,
}

impl Desk {
    pub(super) fn new() -> Self {
        let mut hall = Hall::new();
        hall.check_promises_by(signed_by_hash);
        Self {
            hall,
            requests: 0,
            wake_us: None,
        }
    }

    pub(super) fn request(&mut self, now: Instant<Hub>, action: Action) -> Input {
        self.requests += 1;
        let board: Option<BoardId> = BOARD.parse().ok();
        let seen = board
            .as_ref()
            .and_then(|board| self.hall.detail(board, now))
            .map_or(0, |detail| detail.view.seq);
        let reply = ReplyId(self.requests + 10);
        asked(self.requests, board, seen, action, reply)
    }

    pub(super) fn newest_request(&self) -> CommandId {
        command_id(self.requests)
    }

    /// Plans the hall's next wake-up and returns its hub time in microseconds. Returns `None` if the hall needs none, or if one at least as early is
    /// already planned.
    pub(super) fn plan_wake(&mut self, now_us: i64) -> Option<i64> {
        let wake = self.hall.next_wake().map(Instant::as_micros)?;
        if self.wake_us.is_some_and(|planned| planned <= wake) {
            return None;
        }
        let wake = wake.max(now_us);
        self.wake_us = Some(wake);
        Some(wake)
    }

    pub(super) fn wakes(&mut self, now_us: i64) -> bool {
        self.wake_us.take_if(|at| *at <= now_us).is_some()
    }

    pub(super) fn clock(&self) -> Option<BoardClock> {
        let bytes = self.hall.clock_bytes(BOARD)?;
        let snapshot = Snapshot::from_bytes(&bytes).ok()?;
        BoardClock::from_snapshot(&snapshot).ok()
    }
}

pub(super) fn setup(control: &str) -> Setup {
    Setup {
        // All controls in these games are valid.
        control: control.parse().unwrap_or_else(|error| panic!("{error}")),
        start: StartRule::Arbiter,
        white: Button::Left,
    }
}

pub(super) fn enrolment(agent: AgentId, name: &str, at_board: bool) -> Input {
    let board = BOARD.parse().ok().filter(|_| at_board);
    let enrolment = Enrolment {
        side: None,
        admitted_by: String::new(),
        agent,
        exchange_key: vec![1; 32],
        name: name.to_owned(),
        certificate_serial: vec![1],
        certificate: Vec::new(),
        board,
    };
    Input::asked(enrolment, ReplyId(1))
}

pub(super) fn hello(now: Instant<Board>) -> Hello {
    Hello {
        major: proto::MAJOR,
        minor: proto::MINOR,
        firmware: "scripted".to_owned(),
        next_seq: 1,
        boot: vec![7; 16],
        now_us: now.as_micros(),
        ..Hello::default()
    }
}

/// Returns how much more time White and Black have on the hub's clock than in truth, in microseconds. The hub's timeline is `shift` ahead.
pub(super) fn differences(
    hub: &BoardClock,
    truth: &BoardClock,
    at: Instant<Board>,
    shift: Duration,
) -> BySide<i64> {
    BySide::from_fn(|side| {
        (hub.side(side, at + shift).time - truth.side(side, at).time).as_micros()
    })
}

#[derive(Default)]
pub(super) struct Gains {
    now: BySide<i64>,
    /// The largest gain or loss before the hub gave any sign of trouble, in microseconds.
    peak: i64,
}

impl Gains {
    /// Records the gains after one more event. `noted` is true once the hub has given an arbiter any sign of trouble.
    pub(super) fn measured(&mut self, gains: BySide<i64>, noted: bool, tally: &mut LieTally) {
        let before = std::mem::replace(&mut self.now, gains);
        for side in Side::BOTH {
            if !noted {
                tally.move_us = tally.move_us.max((gains[side] - before[side]).abs());
                self.peak = self.peak.max(gains[side].abs());
            }
        }
    }

    /// Records the gains after an event that adopts the hub's board. No move is charged with these gains.
    pub(super) fn adopted(&mut self, gains: BySide<i64>) {
        self.now = gains;
    }

    pub(super) fn peak_us(&self) -> i64 {
        self.peak
    }

    /// Returns the larger of the two sides' final gains or losses, as an absolute value in microseconds.
    pub(super) fn end_us(&self) -> i64 {
        Side::BOTH
            .into_iter()
            .map(|side| self.now[side].abs())
            .max()
            .unwrap_or(0)
    }
}
