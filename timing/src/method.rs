//! The building blocks of time controls. Each bonus and each reserve has a file of its own.
//!
//! A period has a main time and combines it with three independent choices:
//!
//! a [`Bonus`]: the time that a move earns (increment, delay, Bronstein, a fixed time for each move, Triple Block);
//! a [`Flow`]: where the time used goes (it is lost, is counted up, or goes to the opponent);
//! a [`Reserve`]: the time that follows the main time (byo-yomi, Canadian, extra time, grace, overtime); without a reserve, the flag falls.
//!
//! The file of a method owns its parameters and its arithmetic, and writes its clause of the notation. `docs/contributor.md` says what else a new
//! method needs. A method must not read the state of a game, except a [`PlayerClock`].

use core::fmt;

use crate::Duration;
use crate::player_clock::{PlayerClock, TimeKind, UsedUp};
use crate::time_control::cursor::{Cursor, Fault};

pub(crate) mod bronstein;
pub(crate) mod byo_yomi;
pub(crate) mod canadian;
pub(crate) mod delay;
pub(crate) mod double_flag;
pub(crate) mod grace;
pub(crate) mod increment;
pub(crate) mod move_time;
pub(crate) mod overtime;
pub(crate) mod triple_block;

pub use bronstein::Bronstein;
pub use byo_yomi::ByoYomi;
pub use canadian::Canadian;
pub use delay::Delay;
pub use double_flag::{DoubleFlag, ExtraBonus};
pub use grace::Grace;
pub use increment::Increment;
pub use move_time::MoveTime;
pub use overtime::Overtime;
pub use triple_block::{Guarantee, TripleBlock};

/// The time that a move earns while its side is in main time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bonus {
    /// A move earns no time.
    None,
    /// Each move adds time to the clock.
    Increment(Increment),
    /// The main time does not run at the start of each move.
    Delay(Delay),
    /// The time used for a move is given back after the press, up to a maximum.
    Bronstein(Bronstein),
    /// Each move has the same time; unused time does not carry over.
    MoveTime(MoveTime),
    /// ICCF Triple Block: an increment for the first fifty moves, a bank, and refills from the bank.
    TripleBlock(TripleBlock),
}

/// The destination of the time that a side uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flow {
    /// The time used is lost.
    Down,
    /// The clock counts the time used, without a limit.
    Up,
    /// The time used is added to the opponent's clock.
    Hourglass,
}

/// The time that follows the main time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reserve {
    /// No time follows: the flag falls.
    None,
    /// Japanese byo-yomi: periods of fixed length.
    ByoYomi(ByoYomi),
    /// Canadian overtime: blocks of time for a number of moves.
    Canadian(Canadian),
    /// Extra time of the double flag, in which a checkmate is only a draw.
    DoubleFlag(DoubleFlag),
    /// Othello's grace, which is granted once.
    Grace(Grace),
    /// Scrabble overtime: the time becomes negative, which costs penalty points.
    Overtime(Overtime),
}

/// The last clause of a period in the notation. A period has at most one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Tail {
    Cap(Duration),
    Bonus(Bonus),
    Hourglass,
    Reserve(Reserve),
}

type ReadTail = fn(&mut Cursor<'_>) -> Result<Tail, Fault>;

pub(crate) const TAILS: [(&str, ReadTail); 9] = [
    ("cap", |cursor| cursor.space_then_duration().map(Tail::Cap)),
    ("delay", |cursor| {
        Delay::read(cursor).map(|delay| Tail::Bonus(Bonus::Delay(delay)))
    }),
    ("bronstein", |cursor| {
        Bronstein::read(cursor).map(|delay| Tail::Bonus(Bonus::Bronstein(delay)))
    }),
    ("byo", |cursor| {
        ByoYomi::read(cursor).map(|byo_yomi| Tail::Reserve(Reserve::ByoYomi(byo_yomi)))
    }),
    ("canadian", |cursor| {
        Canadian::read(cursor).map(|block| Tail::Reserve(Reserve::Canadian(block)))
    }),
    ("hourglass", |_| Ok(Tail::Hourglass)),
    ("extra", |cursor| {
        DoubleFlag::read(cursor).map(|extra| Tail::Reserve(Reserve::DoubleFlag(extra)))
    }),
    ("grace", |cursor| {
        Grace::read(cursor).map(|grace| Tail::Reserve(Reserve::Grace(grace)))
    }),
    ("overtime", |cursor| {
        Overtime::read(cursor).map(|overtime| Tail::Reserve(Reserve::Overtime(overtime)))
    }),
];

impl Bonus {
    /// Returns the time that the clock shows for the first move in addition to the main time.
    pub(crate) fn at_start(&self) -> Duration {
        match self {
            Self::Increment(increment) => increment.by,
            Self::Bronstein(_)
            | Self::None
            | Self::Delay(_)
            | Self::MoveTime(_)
            | Self::TripleBlock(_) => self.shown(),
        }
    }

    /// Returns the part of the displayed time that belongs to the current move. It is not carried over into the next period.
    pub(crate) fn shown(&self) -> Duration {
        match self {
            Self::Bronstein(bronstein) => bronstein.0,
            Self::None
            | Self::Increment(_)
            | Self::Delay(_)
            | Self::MoveTime(_)
            | Self::TripleBlock(_) => Duration::ZERO,
        }
    }

    pub(crate) fn free(&self, used: Duration) -> Duration {
        match self {
            Self::Delay(delay) => delay.left(used),
            Self::None
            | Self::Increment(_)
            | Self::Bronstein(_)
            | Self::MoveTime(_)
            | Self::TripleBlock(_) => Duration::ZERO,
        }
    }

    pub(crate) fn refund(&self, used: Duration) -> Duration {
        match self {
            Self::Bronstein(bronstein) => bronstein.refund(used),
            Self::None
            | Self::Increment(_)
            | Self::Delay(_)
            | Self::MoveTime(_)
            | Self::TripleBlock(_) => Duration::ZERO,
        }
    }

    /// Prepares `clock` for its next move in a period with this bonus; `main` is the period's main time.
    pub(crate) fn next_move(&self, clock: &mut PlayerClock, main: Duration) {
        match self {
            Self::None | Self::Delay(_) | Self::Bronstein(_) => (),
            Self::Increment(increment) => increment.next_move(clock),
            Self::MoveTime(_) => clock.time = main,
            Self::TripleBlock(triple) => triple.next_move(clock),
        }
    }
}

impl Reserve {
    /// Returns how far beyond zero the main time must run before the reserve begins.
    pub(crate) fn begins_after(&self) -> Duration {
        match self {
            Self::Overtime(_) => Duration::MICROSECOND,
            Self::None
            | Self::ByoYomi(_)
            | Self::Canadian(_)
            | Self::DoubleFlag(_)
            | Self::Grace(_) => Duration::ZERO,
        }
    }

    pub(crate) fn main_used_up(&self, clock: &mut PlayerClock, other: &PlayerClock) -> UsedUp {
        match self {
            Self::None => UsedUp::FlagFell,
            Self::ByoYomi(byo_yomi) => byo_yomi.enter(clock),
            Self::Canadian(canadian) => canadian.enter(clock),
            Self::DoubleFlag(double_flag) => double_flag.enter(clock, other),
            Self::Grace(grace) => grace.enter(clock),
            Self::Overtime(overtime) => overtime.enter(clock),
        }
    }

    pub(crate) fn next_move(&self, clock: &mut PlayerClock) {
        match self {
            Self::None | Self::Grace(_) | Self::Overtime(_) => (),
            Self::ByoYomi(byo_yomi) => clock.time = byo_yomi.period,
            Self::Canadian(canadian) => canadian.next_move(clock),
            Self::DoubleFlag(double_flag) => double_flag.next_move(clock),
        }
    }

    pub(crate) fn allows(&self, time_kind: TimeKind) -> bool {
        match (time_kind, self) {
            (TimeKind::Main, _)
            | (TimeKind::Extra, Self::DoubleFlag(_))
            | (TimeKind::Grace, Self::Grace(_))
            | (TimeKind::Overtime, Self::Overtime(_)) => true,
            (TimeKind::ByoYomi { periods_left }, Self::ByoYomi(byo_yomi)) => {
                (1..=byo_yomi.periods).contains(&periods_left)
            }
            (TimeKind::Canadian { stones }, Self::Canadian(canadian)) => {
                (1..=canadian.stones).contains(&stones)
            }
            (
                TimeKind::ByoYomi { .. }
                | TimeKind::Canadian { .. }
                | TimeKind::Extra
                | TimeKind::Grace
                | TimeKind::Overtime,
                _,
            ) => false,
        }
    }
}

impl fmt::Display for Bonus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => Ok(()),
            Self::Increment(increment) => increment.fmt(f),
            Self::Delay(delay) => delay.fmt(f),
            Self::Bronstein(bronstein) => bronstein.fmt(f),
            Self::MoveTime(move_time) => move_time.fmt(f),
            Self::TripleBlock(triple) => triple.fmt(f),
        }
    }
}

impl fmt::Display for Reserve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => Ok(()),
            Self::ByoYomi(byo_yomi) => byo_yomi.fmt(f),
            Self::Canadian(canadian) => canadian.fmt(f),
            Self::DoubleFlag(double_flag) => double_flag.fmt(f),
            Self::Grace(grace) => grace.fmt(f),
            Self::Overtime(overtime) => overtime.fmt(f),
        }
    }
}
