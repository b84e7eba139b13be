//! ICCF Triple Block: a clock of fifty days, an increment for each of the first fifty moves, and a bank.

use core::fmt;

use alloc::format;

use crate::Duration;
use crate::player_clock::PlayerClock;
use crate::time_control::cursor::{Cursor, Fault};

/// The published table: length of the event, bank and increment, in days. In every row, the clock has fifty days.
const TABLE: [(u32, i64, i64); 17] = [
    (302, 50, 1),
    (350, 75, 1),
    (400, 50, 2),
    (450, 75, 2),
    (500, 50, 3),
    (550, 75, 3),
    (600, 50, 4),
    (650, 75, 4),
    (700, 50, 5),
    (750, 75, 5),
    (800, 50, 6),
    (850, 75, 6),
    (900, 50, 7),
    (950, 75, 7),
    (1000, 50, 8),
    (1050, 75, 8),
    (1100, 50, 9),
];

const INCREMENT_MOVES: u32 = 50;

/// Triple Block, such as `triple 450` or `triple 450 gt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TripleBlock {
    /// Length of the event in days, from the published table.
    pub event_days: u32,
    /// Time in the bank at the start.
    pub bank: Duration,
    /// Time that each of the first fifty moves earns.
    pub increment: Duration,
    /// Guaranteed time for a side with an empty bank ("sudden death protection").
    pub guarantee: Guarantee,
}

/// The guarantee of a minimum time on the clock once the bank is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Guarantee {
    /// No time is guaranteed.
    Off,
    /// `gt`: if the bank is empty, each move after the fiftieth that is completed with less than three days left sets the clock to three days.
    On,
}

impl TripleBlock {
    /// Time on the clock at the start, and the limit up to which increments and refills fill it.
    pub const CLOCK: Duration = Duration::from_days(50);
    /// Time to which the guarantee sets a clock.
    pub const GUARANTEED: Duration = Duration::from_days(3);

    /// Returns the lengths of events in the published table, in days.
    pub fn durations() -> impl Iterator<Item = u32> {
        TABLE.iter().map(|row| row.0)
    }

    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        let at = cursor.at();
        let event_days = cursor.count()?;
        let Some(row) = TABLE.iter().find(|row| row.0 == event_days) else {
            return Err(Fault::new(at, nearest(event_days)));
        };
        let guarantee = if cursor.eat(" gt") {
            Guarantee::On
        } else {
            Guarantee::Off
        };
        Ok(Self {
            event_days,
            bank: Duration::from_days(row.1),
            increment: Duration::from_days(row.2),
            guarantee,
        })
    }

    /// Prepares the clock for its next move. In the first fifty moves, the increment fills the clock up to fifty days; its rest goes into the bank.
    /// Then the bank refills the clock, and the guarantee applies.
    pub(crate) fn next_move(&self, clock: &mut PlayerClock) {
        if clock.moves <= INCREMENT_MOVES {
            let fits = self.increment.min((Self::CLOCK - clock.time).or_zero());
            clock.time += fits;
            clock.bank += self.increment - fits;
        }
        Self::refill(clock, None);
        let runs_short = clock.moves > INCREMENT_MOVES
            && clock.bank == Duration::ZERO
            && clock.time < Self::GUARANTEED;
        match self.guarantee {
            Guarantee::On if runs_short => clock.time = Self::GUARANTEED,
            Guarantee::On | Guarantee::Off => (),
        }
    }

    /// Returns the time that a refill of `amount` would move from the bank to the clock. Without an amount, it is as much as fits.
    pub(crate) fn refillable(clock: &PlayerClock, amount: Option<Duration>) -> Duration {
        let fits = clock.bank.min((Self::CLOCK - clock.time).or_zero());
        amount.map_or(fits, |amount| fits.min(amount.or_zero()))
    }

    pub(crate) fn refill(clock: &mut PlayerClock, amount: Option<Duration>) {
        let moved = Self::refillable(clock, amount);
        clock.time += moved;
        clock.bank -= moved;
    }
}

/// Returns the error message for an event length that is not in the table. It names two nearby rows.
fn nearest(event_days: u32) -> alloc::string::String {
    let below = TABLE.iter().rev().find(|row| row.0 < event_days);
    let above = TABLE.iter().find(|row| row.0 > event_days);
    match (below, above) {
        (Some(below), Some(above)) => {
            format!("a duration of the ICCF table; {} or {}?", below.0, above.0)
        }
        (None, _) => format!(
            "a duration of the ICCF table; {} or {}?",
            TABLE[0].0, TABLE[1].0
        ),
        (Some(_), None) => format!(
            "a duration of the ICCF table; {} or {}?",
            TABLE[15].0, TABLE[16].0
        ),
    }
}

impl fmt::Display for TripleBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "triple {}", self.event_days)?;
        match self.guarantee {
            Guarantee::Off => Ok(()),
            Guarantee::On => f.write_str(" gt"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_adds_up_to_its_duration() {
        for (event_days, bank, increment) in TABLE {
            let days = if event_days == 302 { 300 } else { event_days };
            assert_eq!(i64::from(days), 2 * (50 + bank + 50 * increment));
        }
    }

    #[test]
    fn a_duration_outside_the_table_names_the_nearest_two() {
        assert_eq!(nearest(365), "a duration of the ICCF table; 350 or 400?");
        assert_eq!(nearest(1), "a duration of the ICCF table; 302 or 350?");
        assert_eq!(nearest(9999), "a duration of the ICCF table; 1050 or 1100?");
    }
}
