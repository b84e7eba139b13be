//! The naive clock, which knows the rules and advances tick by tick.
//!
//! Owns one game and moves it one tick at a time; it never computes ahead. Must stay simple enough to compare with the rule text in fifteen minutes.
//! Must not share code with `timing`.

use super::control::{Control, Period, SideControl, Tail, Until};
use super::hand::{Hand, Phase};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    White,
    Black,
    Draw,
}

/// A player's or an arbiter's action. The first `usize` is the side: 0 for White, 1 for Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    Start(usize),
    Press(usize),
    Pause,
    /// Restarts the given side's clock; `None` restarts the clock that was running before the pause.
    Resume(Option<usize>),
    /// Sets the side's time in hand, µs.
    Set(usize, i64),
    /// Adds to the side's time in hand, µs; may be negative.
    Add(usize, i64),
    Moves(usize, i64),
    /// Moves this amount from the side's bank to its clock, µs; `None` moves all that fits.
    Refill(usize, Option<i64>),
    Mate(usize),
    Resign(usize),
    /// A draw by position or by agreement, which needs no claim.
    Draw,
    /// A claim of a draw under the double flag: the side has main time left, and the opponent has none.
    Claim(usize),
}

#[derive(Clone, Debug)]
pub(super) struct Naive {
    pub(super) hands: [Hand; 2],
    runs_on: bool,
    started: bool,
    pub(super) mover: usize,
    pub(super) paused: bool,
    pub(super) first_flag: Option<usize>,
    pub(super) outcome: Option<Outcome>,
}

impl Naive {
    pub(super) fn new(control: &Control) -> Self {
        Self {
            hands: [Hand::new(&control.sides[0]), Hand::new(&control.sides[1])],
            runs_on: control.runs_on,
            started: false,
            mover: 0,
            paused: false,
            first_flag: None,
            outcome: None,
        }
    }

    /// Returns the side whose clock runs. A clock that stopped at its own flag fall also counts as running.
    pub(super) fn running(&self) -> Option<usize> {
        (self.started && !self.paused && self.outcome.is_none()).then_some(self.mover)
    }

    pub(super) fn started(&self) -> bool {
        self.started
    }

    fn frozen(&self) -> bool {
        !self.runs_on && self.hands[self.mover].phase == Phase::Flagged
    }

    /// Returns true if the running clock can reach zero only at the end of a tick of `unit` µs, never in the middle of one.
    pub(super) fn ticks_in(&self, unit: i64) -> bool {
        self.running().is_none_or(|side| {
            let hand = &self.hands[side];
            hand.time % unit == 0 && hand.delay_left % unit == 0
        })
    }

    /// Advances by one tick of `unit` µs. A phase that another one follows must end at the end of a tick, because the excess would be lost.
    pub(super) fn tick(&mut self, unit: i64) {
        let Some(side) = self.running() else { return };
        if self.hands[side].phase == Phase::Flagged {
            return;
        }
        let hand = &mut self.hands[side];
        hand.used += unit;
        if hand.delay_left > 0 {
            hand.delay_left -= unit;
            self.end_used_up_phases();
            return;
        }
        match hand.control {
            SideControl::Up => hand.time += unit,
            SideControl::Hourglass(_) => {
                hand.time -= unit;
                // A clock whose flag has fallen stays at 0.
                if self.hands[1 - side].phase != Phase::Flagged {
                    self.hands[1 - side].time += unit;
                }
            }
            SideControl::Move(_) | SideControl::Triple(..) | SideControl::Periods(_) => {
                hand.time -= unit
            }
        }
        self.end_used_up_phases();
    }

    /// Enters further phases as long as the running side's phase is used up: a new phase may itself start with no time.
    fn end_used_up_phases(&mut self) {
        while let Some(side) = self.running()
            && self.hands[side].is_used_up()
        {
            self.end_phase(side);
        }
    }

    fn end_phase(&mut self, side: usize) {
        let hand = &mut self.hands[side];
        match hand.phase {
            Phase::Main => {
                if hand
                    .now_in()
                    .is_some_and(|period| period.until == Until::Zero)
                {
                    for hand in &mut self.hands {
                        if hand.receives_by_zero() {
                            hand.enter_next_by_zero();
                        }
                    }
                } else if let Tail::Overtime(..) = hand.tail() {
                    hand.phase = Phase::Overtime;
                    self.first_flag.get_or_insert(side);
                } else if !hand.enter_after_main() {
                    self.flag(side);
                } else if matches!(hand.phase, Phase::Extra | Phase::Grace) {
                    self.first_flag.get_or_insert(side);
                    if self.hands[0].main_is_down() && self.hands[1].main_is_down() {
                        self.outcome = Some(Outcome::Draw);
                    }
                }
            }
            Phase::Byo if hand.byo > 1 => {
                hand.byo -= 1;
                hand.time = hand.whole_byo();
            }
            Phase::Byo | Phase::Canadian | Phase::Extra | Phase::Grace => self.flag(side),
            Phase::Overtime | Phase::Flagged => {}
        }
    }

    fn flag(&mut self, side: usize) {
        let hand = &mut self.hands[side];
        hand.fell_in = hand.phase;
        hand.phase = Phase::Flagged;
        hand.time = 0;
        self.first_flag.get_or_insert(side);
    }

    pub(super) fn act(&mut self, act: Act) {
        if self.outcome.is_none() {
            self.carry_out(act);
        }
        self.end_used_up_phases();
    }

    fn carry_out(&mut self, act: Act) {
        match act {
            Act::Start(side) => {
                if !self.started {
                    self.started = true;
                    self.mover = side;
                }
            }
            Act::Press(side) => self.press(side),
            Act::Pause => {
                if self.started {
                    self.paused = true;
                }
            }
            Act::Resume(side) => {
                if self.started && self.paused {
                    self.paused = false;
                    self.mover = side.unwrap_or(self.mover);
                }
            }
            Act::Set(side, to) => self.set(side, to),
            Act::Add(side, by) => {
                self.edit(side, self.hands[side].time + by);
            }
            Act::Moves(side, to) => {
                let hand = &mut self.hands[side];
                hand.count = (hand.count + to - hand.moves).max(0);
                hand.moves = to;
            }
            Act::Refill(side, amount) => {
                let on_move =
                    self.started && self.mover == side && self.hands[side].phase != Phase::Flagged;
                if on_move && matches!(self.hands[side].control, SideControl::Triple(..)) {
                    self.hands[side].refill(amount);
                }
            }
            Act::Mate(side) => {
                self.outcome = Some(if self.hands[side].main_is_down() {
                    Outcome::Draw
                } else {
                    won(side)
                });
            }
            Act::Resign(side) => self.outcome = Some(won(1 - side)),
            Act::Draw => self.outcome = Some(Outcome::Draw),
            Act::Claim(side) => {
                let mine = &self.hands[side];
                if mine.phase == Phase::Main && self.hands[1 - side].main_is_down() {
                    self.outcome = Some(Outcome::Draw);
                }
            }
        }
    }

    fn press(&mut self, side: usize) {
        if self.running() != Some(side) {
            return;
        }
        if self.frozen() {
            return;
        }
        let hand = &mut self.hands[side];
        if hand.phase == Phase::Flagged {
            hand.moves += 1;
            hand.count += 1;
            hand.begin_move();
        } else {
            hand.complete_move();
        }
        // The opponent's move begins with its full delay, even if the arbiter had interrupted an earlier part of it.
        self.hands[1 - side].begin_move();
        self.mover = 1 - side;
    }

    fn set(&mut self, side: usize, to: i64) {
        let hand = &mut self.hands[side];
        let living_on = if hand.phase == Phase::Flagged {
            hand.fell_in
        } else {
            hand.phase
        };
        let shown = if living_on == Phase::Main {
            hand.now_in().map_or(0, Period::bronstein)
        } else {
            0
        };
        if self.edit(side, to + shown) {
            let hand = &mut self.hands[side];
            hand.delay_left = hand.now_in().map_or(0, Period::delay);
            hand.used = 0;
        }
    }

    /// Sets the time in hand of `side` to `time`. Returns false if a rule forbids the change.
    fn edit(&mut self, side: usize, time: i64) -> bool {
        let hand = &mut self.hands[side];
        let triple = matches!(hand.control, SideControl::Triple(..));
        if triple || (time <= 0 && hand.phase != Phase::Overtime) {
            return false;
        }
        hand.time = time;
        self.lift(side);
        true
    }

    /// Raises the fallen flag of a side that gained time from an edit.
    fn lift(&mut self, side: usize) {
        let hand = &mut self.hands[side];
        if hand.phase != Phase::Flagged {
            return;
        }
        hand.phase = hand.fell_in;
        if self.first_flag == Some(side) && !matches!(hand.phase, Phase::Extra | Phase::Grace) {
            self.first_flag = None;
        }
    }
}

fn won(side: usize) -> Outcome {
    if side == 0 {
        Outcome::White
    } else {
        Outcome::Black
    }
}
