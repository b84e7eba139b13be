//! The engine's units: durations in signed microseconds, and instants that are typed by their timeline.
//!
//! Uses no floats, never wraps around, and never reads a clock.

use core::fmt::Debug;
use core::hash::Hash;
use core::marker::PhantomData;
use core::ops::{Add, AddAssign, Neg, Sub, SubAssign};

mod duration_text;
mod shortest;

pub use duration_text::ParseDurationError;
pub(crate) use duration_text::{DurationFault, read_duration, read_seconds, write_seconds};

/// A span of time in signed microseconds. The range is symmetric about zero, and arithmetic saturates.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration(i64);

impl Duration {
    /// The zero span.
    pub const ZERO: Self = Self(0);
    /// The shortest positive span: one microsecond.
    pub const MICROSECOND: Self = Self(1);
    /// The longest span that the type can hold, about 292,000 years.
    pub const MAX: Self = Self(i64::MAX);
    /// The longest duration that the notation allows: 36,525 days, which is a hundred years.
    pub const LONGEST_IN_NOTATION: Self = Self(36_525 * 86_400 * 1_000_000);

    /// Returns a span of `micros` microseconds.
    pub const fn from_micros(micros: i64) -> Self {
        Self(if micros == i64::MIN {
            -i64::MAX
        } else {
            micros
        })
    }

    /// Returns the length of the span in microseconds.
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// Returns a span of `millis` milliseconds.
    pub const fn from_millis(millis: i64) -> Self {
        Self::from_micros(millis.saturating_mul(1_000))
    }

    /// Returns a span of `secs` seconds.
    pub const fn from_secs(secs: i64) -> Self {
        Self::from_micros(secs.saturating_mul(1_000_000))
    }

    /// Returns a span of `mins` minutes.
    pub const fn from_mins(mins: i64) -> Self {
        Self::from_micros(mins.saturating_mul(60_000_000))
    }

    /// Returns a span of `days` days of 24 hours.
    pub const fn from_days(days: i64) -> Self {
        Self::from_micros(days.saturating_mul(86_400_000_000))
    }

    /// Returns true if the span is longer than zero.
    pub const fn is_positive(self) -> bool {
        self.0 > 0
    }

    /// Returns the span, or zero if it is negative.
    #[must_use]
    pub const fn or_zero(self) -> Self {
        if self.0 < 0 { Self::ZERO } else { self }
    }
}

impl Add for Duration {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::from_micros(self.0.saturating_add(other.0))
    }
}

impl Sub for Duration {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::from_micros(self.0.saturating_sub(other.0))
    }
}

impl Neg for Duration {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl AddAssign for Duration {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Duration {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

/// The clock to which instants refer. Instants of different timelines can be neither compared nor subtracted.
pub trait Timeline: Copy + Ord + Hash + Debug {
    /// Name of the timeline, for logs.
    const NAME: &'static str;
}

/// The timeline of the hub's clock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Hub {}

/// The timeline of one board: the unadjusted crystal of its clock, or the hub's clock if the hub keeps the board's time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Board {}

impl Timeline for Hub {
    const NAME: &'static str = "hub";
}

impl Timeline for Board {
    const NAME: &'static str = "board";
}

/// An instant on the timeline `T`, in microseconds from the origin of the timeline. Arithmetic saturates.
///
/// Instants of two timelines cannot be combined:
///
/// ```compile_fail
/// use timing::{Board, Hub, Instant};
/// let press = Instant::<Board>::from_micros(5);
/// let receipt = Instant::<Hub>::from_micros(9);
/// let meaningless = receipt - press;
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant<T: Timeline> {
    micros: i64,
    timeline: PhantomData<T>,
}

impl<T: Timeline> Instant<T> {
    /// The earliest instant on the timeline.
    pub const MIN: Self = Self::from_micros(i64::MIN);
    /// The latest instant on the timeline.
    pub const MAX: Self = Self::from_micros(i64::MAX);

    /// Returns the instant that is `micros` microseconds after the timeline's origin.
    pub const fn from_micros(micros: i64) -> Self {
        Self {
            micros,
            timeline: PhantomData,
        }
    }

    /// Returns the microseconds from the timeline's origin to this instant.
    pub const fn as_micros(self) -> i64 {
        self.micros
    }
}

impl<T: Timeline> Add<Duration> for Instant<T> {
    type Output = Self;
    fn add(self, span: Duration) -> Self {
        Self::from_micros(self.micros.saturating_add(span.0))
    }
}

impl<T: Timeline> Sub<Duration> for Instant<T> {
    type Output = Self;
    fn sub(self, span: Duration) -> Self {
        Self::from_micros(self.micros.saturating_sub(span.0))
    }
}

impl<T: Timeline> Sub for Instant<T> {
    type Output = Duration;
    fn sub(self, earlier: Self) -> Duration {
        Duration::from_micros(self.micros.saturating_sub(earlier.micros))
    }
}

impl<T: Timeline> Debug for Instant<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}@{}us", T::NAME, self.micros)
    }
}
