//! Generates random time controls and games that cover every method of the grammar and every action on a clock.
//!
//! Owns the choice of test cases, which depends only on the seed and the game number. Must not use the engine. May use the naive clock, so that
//! presses fall exactly at, just before and just after the instant at which the clock changes phase.

use rand::{Rng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

use super::clock::{Act, Naive};
use super::control::{Bonus, Control, DAY, Period, SideControl, Tail, Until};
use super::hand::Phase;

/// The total numbers of days in ICCF's Triple Block table.
const TRIPLE: [u32; 17] = [
    302, 350, 400, 450, 500, 550, 600, 650, 700, 750, 800, 850, 900, 950, 1000, 1050, 1100,
];

pub(super) const MAX_TICKS: i64 = 100_000;

#[derive(Clone, Debug)]
pub(super) struct Drawn {
    pub(super) control: Control,
    /// The length of a tick, µs.
    pub(super) unit: i64,
    pub(super) ticks: i64,
    pub(super) acts: usize,
}

pub(super) struct Draw<'r> {
    rng: &'r mut ChaCha8Rng,
    unit: i64,
    /// The approximate upper bound on a drawn time, in ticks.
    scale: i64,
}

pub(super) fn drawn(rng: &mut ChaCha8Rng) -> Drawn {
    let method = rng.random_range(0..18);
    let triple = method == 17;
    let unit = unit(rng, triple);
    let scale = *[4, 12, 40, 40, 150, 600].choose(rng).expect("not empty");
    let long = rng.random_range(0..400) == 0;
    let mut draw = Draw { rng, unit, scale };
    let control = draw.control(method);
    let ticks = if long {
        MAX_TICKS
    } else {
        (scale * 40).clamp(400, 8_000)
    };
    let acts = if long {
        400
    } else if triple {
        draw.rng.random_range(20..260)
    } else {
        draw.rng.random_range(4..50)
    };
    Drawn {
        control,
        unit,
        ticks,
        acts,
    }
}

fn unit(rng: &mut ChaCha8Rng, triple: bool) -> i64 {
    const SECOND: i64 = 1_000_000;
    if triple {
        return DAY / [1, 2, 4, 24].choose(rng).expect("not empty");
    }
    match rng.random_range(0..10) {
        0 => 1,
        1 => rng.random_range(2..1_000),
        2 => rng.random_range(1_000..SECOND),
        3 => 1_000,
        4 => SECOND / 2,
        5 | 6 => SECOND,
        7 => 60 * SECOND,
        8 => 3_600 * SECOND,
        _ => DAY,
    }
}

impl Draw<'_> {
    fn ticks(&mut self, from: i64, to: i64) -> i64 {
        self.rng.random_range(from..=to.max(from)) * self.unit
    }

    fn one_in(&mut self, n: u32) -> bool {
        self.rng.random_range(0..n) == 0
    }

    fn control(&mut self, method: u32) -> Control {
        let white = self.side(method);
        let odds = self.one_in(4) && method != 12;
        let black = if odds {
            self.odds(&white, method)
        } else {
            white.clone()
        };
        let same = white == black;
        let runs_on = self.one_in(3);
        Control {
            same,
            sides: [white, black],
            runs_on,
        }
    }

    /// Draws Black's control for a game at odds; it may still equal White's. Chooses only methods for which the rules define how different controls
    /// affect each other.
    fn odds(&mut self, white: &SideControl, method: u32) -> SideControl {
        if has_zero(white) {
            // A period that ends at zero ends for both sides, so both need the same shape.
            return self.same_shape(white);
        }
        let any = [0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 16];
        let method = if method == 17 {
            17
        } else {
            *any.choose(self.rng).expect("not empty")
        };
        let other = self.side(method);
        if has_zero(&other) {
            white.clone()
        } else {
            other
        }
    }

    fn same_shape(&mut self, white: &SideControl) -> SideControl {
        let SideControl::Periods(periods) = white else {
            return white.clone();
        };
        let mut periods = periods.clone();
        for period in &mut periods {
            if period.main > 0 && !matches!(period.tail, Tail::Cap(_)) {
                period.main = self.ticks(1, self.scale);
            }
        }
        SideControl::Periods(periods)
    }

    fn side(&mut self, method: u32) -> SideControl {
        let scale = self.scale;
        match method {
            12 => return SideControl::Hourglass(self.ticks(1, scale)),
            13 => return SideControl::Move(self.ticks(1, scale)),
            16 => return SideControl::Up,
            17 => {
                let days = *TRIPLE.choose(self.rng).expect("not empty");
                let guaranteed = self.one_in(2);
                return SideControl::Triple(days, guaranteed);
            }
            0..=11 | 14.. => {}
        }
        let last = self.last(method);
        let mut periods = Vec::new();
        if self.one_in(3) {
            for _ in 0..self.rng.random_range(1..=3) {
                periods.push(self.earlier());
            }
        }
        periods.push(last);
        SideControl::Periods(periods)
    }

    fn earlier(&mut self) -> Period {
        let scale = self.scale;
        let until = if self.one_in(3) {
            Until::Zero
        } else {
            Until::Moves(self.rng.random_range(1..=5))
        };
        let (increment, tail) = self.bonus();
        Period {
            until,
            star: false,
            main: self.ticks(1, scale),
            increment,
            tail,
        }
        .fitted()
    }

    fn bonus(&mut self) -> (i64, Tail) {
        let few = (self.scale / 3).max(2);
        match self.rng.random_range(0..6) {
            0 => (self.ticks(1, few), Tail::None),
            1 => (self.ticks(1, few), Tail::Cap(self.ticks(0, few))),
            2 => (0, Tail::Delay(self.ticks(1, few))),
            3 => (0, Tail::Bronstein(self.ticks(1, few))),
            _ => (0, Tail::None),
        }
    }

    fn last(&mut self, method: u32) -> Period {
        let scale = self.scale;
        let few = (scale / 3).max(2);
        let mut main = self.ticks(1, scale);
        let mut increment = if self.one_in(3) {
            self.ticks(1, few)
        } else {
            0
        };
        let mut until = Until::End;
        let mut star = false;
        let tail = match method {
            0..=3 | 14 | 15 => {
                let (bonus, tail) = self.bonus();
                increment = bonus;
                if method == 3 {
                    until = Until::Moves(self.rng.random_range(1..=4));
                    star = self.one_in(2);
                }
                tail
            }
            4 | 5 => {
                if self.one_in(5) {
                    (main, increment) = (0, 0);
                }
                Tail::Byo(self.rng.random_range(1..=4), self.ticks(1, scale))
            }
            6 => {
                if self.one_in(5) {
                    (main, increment) = (0, 0);
                }
                Tail::Canadian(self.rng.random_range(1..=4), self.ticks(1, scale))
            }
            7..=9 => {
                let least = self.ticks(1, few);
                let extra = 2 * least + self.ticks(0, scale);
                let bonus = *[Bonus::Hybrid, Bonus::Linear, Bonus::Truncated]
                    .choose(self.rng)
                    .expect("not empty");
                Tail::Extra(extra, least, bonus)
            }
            10 => Tail::Grace(self.ticks(1, scale)),
            11 => Tail::Overtime(self.rng.random_range(1..=12), self.ticks(1, scale)),
            other => unreachable!("method {other} is drawn elsewhere"),
        };
        Period {
            until,
            star,
            main,
            increment,
            tail,
        }
        .fitted()
    }

    /// Draws the number of ticks until the next action, often close to the tick that uses up the time.
    fn wait(&mut self, clock: &Naive) -> i64 {
        let left = clock.running().map_or(3, |side| {
            (clock.hands[side].time.max(0) + self.unit - 1) / self.unit
        });
        match self.rng.random_range(0..12) {
            0 => 0,
            1 => left,
            2 => (left - 1).max(0),
            3 => left + 1,
            4 => left + self.rng.random_range(0..=self.scale),
            5..=7 => self.rng.random_range(0..=left.min(5)),
            _ => self.rng.random_range(0..=left.clamp(0, 2 * self.scale)),
        }
    }

    fn act(&mut self, clock: &Naive, control: &Control) -> Act {
        let side = usize::from(self.rng.random::<bool>());
        if !clock.started() && !self.one_in(6) {
            return Act::Start(usize::from(self.one_in(5)));
        }
        if clock.paused && self.one_in(2) {
            // Half of the time, the arbiter gives the move back: the previous player's clock runs again.
            let given_back = self.one_in(2).then_some(1 - clock.mover);
            return Act::Resume(given_back.or(self.one_in(4).then_some(side)));
        }
        let triple = matches!(control.sides[0], SideControl::Triple(..));
        match self.rng.random_range(0..100) {
            0..=4 => Act::Press(1 - clock.mover),
            5..=11 => Act::Pause,
            12..=15 => Act::Resume(if self.one_in(2) { Some(side) } else { None }),
            16..=21 => Act::Set(side, self.edit(clock, side, 1)),
            22..=29 => Act::Add(side, self.edit(clock, side, -self.scale)),
            30..=33 => Act::Moves(
                side,
                (clock.hands[side].moves + self.rng.random_range(-3..=4)).max(0),
            ),
            34 => Act::Start(side),
            35..=40 if triple => {
                let part = self.ticks(1, 200);
                Act::Refill(side, if self.one_in(2) { None } else { Some(part) })
            }
            35..=36 if double_flag(control) => Act::Claim(side),
            41 if self.one_in(3) => Act::Draw,
            42 if self.one_in(3) => Act::Resign(side),
            43 if self.one_in(3) => Act::Mate(side),
            _ => Act::Press(clock.mover),
        }
    }

    /// Draws a time for an edit. After a flag fall and in overtime, the time is usually positive.
    fn edit(&mut self, clock: &Naive, side: usize, from: i64) -> i64 {
        let hand = &clock.hands[side];
        if hand.phase == Phase::Flagged || hand.phase == Phase::Overtime {
            return self.ticks(from / 4, self.scale);
        }
        if from < 0 && self.one_in(3) {
            // Leave the side less than one tick, or one tick more than that.
            let left = hand.time - hand.time.rem_euclid(self.unit);
            return -left + if self.one_in(2) { 0 } else { self.unit };
        }
        self.ticks(from, self.scale)
    }
}

impl Period {
    /// Converts the drawn cap, which is relative to main time + increment, to an absolute cap.
    fn fitted(mut self) -> Self {
        if let Tail::Cap(over) = self.tail {
            self.tail = Tail::Cap(self.main + self.increment + over);
        }
        self
    }
}

fn has_zero(control: &SideControl) -> bool {
    match control {
        SideControl::Periods(periods) => periods.iter().any(|period| period.until == Until::Zero),
        SideControl::Move(_)
        | SideControl::Up
        | SideControl::Hourglass(_)
        | SideControl::Triple(..) => false,
    }
}

fn double_flag(control: &Control) -> bool {
    control.sides.iter().all(|side| match side {
        SideControl::Periods(periods) => periods
            .iter()
            .any(|period| matches!(period.tail, Tail::Extra(..))),
        SideControl::Move(_)
        | SideControl::Up
        | SideControl::Hourglass(_)
        | SideControl::Triple(..) => false,
    })
}

pub(super) fn next_wait(rng: &mut ChaCha8Rng, drawn: &Drawn, clock: &Naive) -> i64 {
    Draw {
        rng,
        unit: drawn.unit,
        scale: drawn.scale(),
    }
    .wait(clock)
}

pub(super) fn next_act(rng: &mut ChaCha8Rng, drawn: &Drawn, clock: &Naive) -> Act {
    Draw {
        rng,
        unit: drawn.unit,
        scale: drawn.scale(),
    }
    .act(clock, &drawn.control)
}

impl Drawn {
    fn scale(&self) -> i64 {
        (self.ticks / 40).clamp(4, 600)
    }
}
