//! Chooses the units that make the text of a duration shortest. Writes no text, in order to be fast: log records and snapshots contain many
//! durations.

use super::duration_text::UNITS;

/// A subset of [`UNITS`], one bit for each. The highest of the five bits stands for days.
pub(super) type Units = u8;

const SECONDS: Units = 0b00010;
const MINUTES: Units = 0b00100;

/// Returns the units in which the text is shortest. Among texts of equal length, prefers one without a fraction, then one in which no number reaches
/// the next larger unit (as in `1h61s`). After that, larger units are preferred.
pub(super) fn shortest(micros: u64) -> Units {
    // Shortcut for usual texts such as 90m and 30s. Of the numbers up to 99, only 60 is shorter in the next larger unit.
    for (units, unit) in [(MINUTES, 60_000_000), (SECONDS, 1_000_000)] {
        let whole = micros / unit;
        if micros.is_multiple_of(unit) && (1..=99).contains(&whole) && whole != 60 {
            return units;
        }
    }
    let mut least = (u32::MAX, true, true);
    // No combination can express zero, so it is written in seconds.
    let mut chosen = SECONDS;
    // Combinations with larger units come first, so they win among equal costs.
    for units in (1..32).rev() {
        if let Some(cost) = cost(micros, units, least.0)
            && cost < least
        {
            (least, chosen) = (cost, units);
        }
    }
    chosen
}

/// Returns the length of the text in these units, whether it has a fraction, and whether a number carries (see [`Part`]). Returns `None` if the units
/// cannot express `micros` or a number would be zero. Also returns `None` as soon as the text is known to be longer than `most`.
fn cost(micros: u64, units: Units, most: u32) -> Option<(u32, bool, bool)> {
    let (mut len, mut fraction, mut carries) = (0, false, false);
    // If the first unit is longer than the span, its number has only a fraction, and no further unit may follow.
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

/// Returns the number of decimals needed for `rest` of a unit; `None` if it is more than nine.
fn decimals(rest: u64, unit: u64) -> Option<u32> {
    // In microseconds, days, hours and minutes are multiples of three, but no power of ten is. A rest that is not a multiple of three would need
    // infinitely many decimals.
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

pub(super) struct Part {
    pub(super) name: &'static str,
    /// Length of the unit, in microseconds.
    pub(super) unit: u64,
    pub(super) whole: u64,
    /// Remainder for the fraction, in microseconds; zero except in the last number.
    pub(super) rest: u64,
    /// True if the number is not the first and reaches the next larger unit (as in `1h61s`).
    carries: bool,
}

/// Iterator over the numbers of a span in the chosen units, largest unit first.
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
