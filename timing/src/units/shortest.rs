//! Chooses the units in which the text of a duration is shortest.
//!
//! Compares all choices of units without writing any of them, since durations are printed into every log record and
//! snapshot.

use super::duration_text::UNITS;

/// A subset of [`UNITS`]: one bit for each, days being the highest.
pub(super) type Units = u8;

/// Only seconds.
const SECONDS: Units = 0b00010;
/// Only minutes.
const MINUTES: Units = 0b00100;

/// Returns the units in which the text is shortest. Among equally short texts, prefers the usual one: no fraction, no 61 seconds after an hour,
/// larger units.
pub(super) fn shortest(micros: u64) -> Units {
    // The usual texts, such as 90m and 30s, have two or three characters, and only the next larger unit could be shorter.
    for (units, unit) in [(MINUTES, 60_000_000), (SECONDS, 1_000_000)] {
        let whole = micros / unit;
        if micros.is_multiple_of(unit) && (1..=99).contains(&whole) && whole != 60 {
            return units;
        }
    }
    let mut least = (u32::MAX, true, true);
    // Zero has no units.
    let mut chosen = SECONDS;
    // Among equal costs the first choice wins, and choices with larger units come first.
    for units in (1..32).rev() {
        if let Some(cost) = cost(micros, units, least.0)
            && cost < least
        {
            (least, chosen) = (cost, units);
        }
    }
    chosen
}

/// Returns the length of the text in these units, whether it has a fraction, and whether a number exceeds the next larger unit
/// (`1h61s`). `None` if `micros` cannot be expressed in them, a number would be zero, or the text is longer than
/// `most`.
fn cost(micros: u64, units: Units, most: u32) -> Option<(u32, bool, bool)> {
    let (mut len, mut fraction, mut carries) = (0, false, false);
    // A leading unit longer than the span has only a fraction, and nothing may follow a fraction.
    let leading = UNITS
        .get(units.leading_zeros() as usize - 3)?
        .1
        .unsigned_abs();
    if leading > micros && !units.is_power_of_two() {
        return None;
    }
    for part in Parts::new(micros, units) {
        if len >= most {
            return None;
        }
        let decimals = decimals(part.rest, part.unit)?;
        if part.whole == 0 && decimals == 0 {
            return None;
        }
        let name = if part.name == "ms" { 2 } else { 1 };
        let point = u32::from(decimals > 0);
        len += digits(part.whole) + point + decimals + name;
        fraction |= decimals > 0;
        carries |= part.carries;
    }
    Some((len, fraction, carries))
}

fn digits(number: u64) -> u32 {
    number.checked_ilog10().map_or(1, |log| log + 1)
}

/// Returns the number of decimals for `rest` of a unit; `None` if there would be too many.
fn decimals(rest: u64, unit: u64) -> Option<u32> {
    // Days, hours and minutes are divisible by three, and powers of ten are not: a third has infinitely many decimals.
    const MINUTE: u64 = 60_000_000;
    if unit >= MINUTE && !rest.is_multiple_of(3) {
        return None;
    }
    let mut rest = rest;
    for count in 0..10 {
        if rest == 0 {
            return Some(count);
        }
        rest = rest * 10 % unit;
    }
    None
}

/// One number of a duration with its unit.
pub(super) struct Part {
    pub(super) name: &'static str,
    /// The length of the unit in microseconds.
    pub(super) unit: u64,
    pub(super) whole: u64,
    /// The remainder for a fraction, in microseconds; only in the last number.
    pub(super) rest: u64,
    /// True if the number has a larger unit before it and exceeds the next larger unit.
    carries: bool,
}

/// A span in the chosen units, largest first.
pub(super) struct Parts {
    rest: u64,
    units: Units,
    index: usize,
    is_first: bool,
}

impl Parts {
    pub(super) fn new(micros: u64, units: Units) -> Self {
        Self {
            rest: micros,
            units,
            index: 0,
            is_first: true,
        }
    }
}

impl Iterator for Parts {
    type Item = Part;

    fn next(&mut self) -> Option<Part> {
        loop {
            let index = self.index;
            let (name, unit) = *UNITS.get(index)?;
            self.index += 1;
            let bit = 16 >> index;
            if self.units & bit == 0 {
                continue;
            }
            let unit = unit.unsigned_abs();
            let whole = self.rest / unit;
            self.rest %= unit;
            let is_last = self.units & (bit - 1) == 0;
            let rest = if is_last { self.rest } else { 0 };
            let larger = index.checked_sub(1).and_then(|larger| UNITS.get(larger));
            let carries = !self.is_first
                && larger.is_some_and(|(_, larger)| whole * unit >= larger.unsigned_abs());
            self.is_first = false;
            return Some(Part {
                name,
                unit,
                whole,
                rest,
                carries,
            });
        }
    }
}
