//! Scores in whole hundredths and values as fractions. Values are rounded only where a rule requires it.
//!
//! Must never hold a float.

use std::fmt;

use derive_more::{Add, AddAssign, Mul, Neg, Sub, Sum};

/// A score in hundredths of a point, so that 1, ½, ¼ and any scoring of a TRF file are exact.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Add, AddAssign, Neg, Sub, Sum,
)]
pub struct Points(i64);

impl Points {
    /// No points.
    pub const ZERO: Self = Self(0);
    /// Half a point.
    pub const HALF: Self = Self(50);
    /// One point.
    pub const ONE: Self = Self(100);

    /// Creates a score from hundredths of a point.
    #[must_use]
    pub const fn from_hundredths(hundredths: i64) -> Self {
        Self(hundredths)
    }

    /// Creates a score from whole points.
    #[must_use]
    pub const fn whole(points: i64) -> Self {
        Self(points * 100)
    }

    /// Returns the score in hundredths of a point.
    #[must_use]
    pub const fn hundredths(self) -> i64 {
        self.0
    }

    /// Returns the score multiplied by a count.
    #[must_use]
    pub const fn times(self, count: i64) -> Self {
        Self(self.0 * count)
    }

    /// Parses a score such as `2`, `2.5`, `0.25`, `-1.5` or `½`. Returns `None` for any other text, including numbers
    /// with more than two decimals or with more than six digits before the point.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let sign = if text.starts_with('-') { -1 } else { 1 };
        let unsigned = text.strip_prefix('-').unwrap_or(text);
        let (whole, hundredths) = match (unsigned.strip_suffix('½'), unsigned.split_once('.')) {
            (Some(whole), _) => (whole, 50),
            (None, Some((whole, decimals))) => match decimals.len() {
                1 => (whole, digits(decimals, 1)? * 10),
                2 => (whole, digits(decimals, 2)?),
                _ => return None,
            },
            (None, None) => return Some(Self(digits(unsigned, 6)? * 100 * sign)),
        };
        let whole = match whole {
            "" => 0,
            _ => digits(whole, 6)?,
        };
        Some(Self((whole * 100 + hundredths) * sign))
    }
}

fn digits(text: &str, max_digits: usize) -> Option<i64> {
    let plain = text.len() <= max_digits && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| plain)
}

impl fmt::Display for Points {
    /// Formats the score with one decimal, or with two if it needs them: `2.5`, `3.0`, `0.25`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, rest) = (self.0.abs() / 100, self.0.abs() % 100);
        let text = if rest % 10 == 0 {
            format!("{sign}{whole}.{}", rest / 10)
        } else {
            format!("{sign}{whole}.{rest:02}")
        };
        f.pad(&text)
    }
}

/// A fraction of two integers in lowest terms with a positive denominator. Equal fractions are equal values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Add, Mul, Sub, Sum)]
#[mul(forward)]
pub struct Ratio(Fraction);

/// Wide enough for any product of two numbers in a standings table.
type Fraction = num_rational::Ratio<i128>;

impl Ratio {
    /// Zero.
    pub const ZERO: Self = Self::whole(0);

    /// Creates a ratio with a whole value.
    #[must_use]
    pub const fn whole(number: i64) -> Self {
        Self(Fraction::new_raw(number as i128, 1))
    }

    /// Creates the fraction of two integers, in lowest terms. A denominator of zero gives zero.
    #[must_use]
    pub fn new(numerator: i64, denominator: i64) -> Self {
        match denominator {
            0 => Self::ZERO,
            _ => Self(Fraction::new(numerator.into(), denominator.into())),
        }
    }

    /// Returns the numerator of the fraction in lowest terms.
    #[must_use]
    pub fn numerator(self) -> i64 {
        narrow(*self.0.numer())
    }

    /// Returns the denominator of the fraction in lowest terms, at least 1.
    #[must_use]
    pub fn denominator(self) -> i64 {
        narrow(*self.0.denom())
    }

    /// Rounds to the nearest whole number, with halves rounded up (C.07 10).
    #[must_use]
    pub fn rounded(self) -> i64 {
        self.scaled(1)
    }

    /// Returns the value in hundredths, rounded to the nearest hundredth, with halves rounded up.
    #[must_use]
    pub fn to_hundredths(self) -> i64 {
        self.scaled(100)
    }

    /// Returns the fraction times a factor, rounded to the nearest whole number, with halves rounded up.
    #[must_use]
    pub fn scaled(self, factor: i64) -> i64 {
        let half = Fraction::new_raw(1, 2);
        narrow((self.0 * i128::from(factor) + half).floor().to_integer())
    }

    /// Returns the value as a decimal number, truncated to at most four decimals: `12.75`, `3`, `0.3333`.
    #[must_use]
    pub fn decimal(self) -> String {
        let sign = if *self.0.numer() < 0 { "-" } else { "" };
        let (size, denominator) = (self.0.numer().abs(), self.0.denom());
        let (whole, mut rest) = (size / denominator, size % denominator);
        let mut text = format!("{sign}{whole}");
        for place in 0..4 {
            if rest == 0 {
                break;
            }
            if place == 0 {
                text.push('.');
            }
            rest *= 10;
            text.push_str(&(rest / denominator).to_string());
            rest %= denominator;
        }
        text
    }
}

/// Saturates to the range of `i64`. The bounds on an event's scoring keep sums far from its limits.
fn narrow(wide: i128) -> i64 {
    i64::try_from(wide).unwrap_or(if wide < 0 { i64::MIN } else { i64::MAX })
}

impl From<Points> for Ratio {
    fn from(points: Points) -> Self {
        Self::new(points.0, 100)
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.decimal())
    }
}
