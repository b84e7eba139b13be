//! The time of each game that rests on a clock's word alone, for each side. Defines when one side's lead gets a note; a
//! note changes no time.
//!
//! A press that is stamped early gains for its player what the opponent loses, so only the difference between the sides
//! counts. Both buttons share one clock and one link, which delays both sides alike. The sums begin again with a new
//! game and with a restart of the hub.

use timing::{BySide, Duration, Side};

use super::Reports;

/// The lead of one side in a game that gets a note.
const LIMIT: Duration = Duration::from_millis(800);

/// A lead within this many standard deviations of the link's own delay gets no note.
const DEVIATIONS: i128 = 5;

/// Growth of a noted lead that gets another note.
const NOTED_AGAIN: Duration = Duration::from_secs(1);

#[derive(Clone, Debug, Default)]
pub(crate) struct WordAccount {
    pub(super) sums: BySide<Duration>,
    events: u32,
    noted: Duration,
}

/// The delays that a link is known to have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Usual {
    /// The usual delay of one frame.
    delay: Duration,
    /// Variance of a round trip, in square microseconds: that of two delays.
    variance: i128,
}

impl WordAccount {
    /// Adds an event that counts for a side. Returns the side's lead if it gets a note.
    pub(super) fn add(
        &mut self,
        side: Side,
        delay: Duration,
        usual: Usual,
        late: bool,
    ) -> Option<Duration> {
        self.sums[side] += delay - usual.delay;
        self.events = self.events.saturating_add(1);
        let lead = self.sums[side] - self.sums[side.other()];
        let square = i128::from(lead.as_micros()).pow(2);
        let pairs = i128::from(self.events.div_ceil(2));
        let explained = square <= DEVIATIONS.pow(2) * pairs * usual.variance;
        let before = self.noted;
        let again = before.is_positive() && lead < before + NOTED_AGAIN;
        if lead < LIMIT || explained || again {
            return None;
        }
        self.noted = lead;
        (!late).then_some(lead)
    }
}

impl Reports {
    /// Returns the delays of the link, from the newest round trips.
    pub(super) fn usual(&self) -> Usual {
        let mut trips: Vec<i64> = self.trips.iter().map(|trip| trip.as_micros()).collect();
        trips.sort_unstable();
        let Some(middle) = trips.get(trips.len() / 2) else {
            return Usual {
                delay: Duration::ZERO,
                variance: 0,
            };
        };
        let count = i128::try_from(trips.len()).unwrap_or(1);
        let sum: i128 = trips.iter().map(|trip| i128::from(*trip)).sum();
        let squares: i128 = trips.iter().map(|trip| i128::from(*trip).pow(2)).sum();
        Usual {
            delay: Duration::from_micros(middle / 2),
            variance: (squares - sum.pow(2) / count) / count,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: i64) -> Duration {
        Duration::from_millis(ms)
    }

    fn usual(deviation_ms: i64) -> Usual {
        Usual {
            delay: ms(1),
            variance: i128::from(deviation_ms * 1_000).pow(2),
        }
    }

    #[test]
    fn what_both_sides_gain_alike_gets_no_note() {
        let mut account = WordAccount::default();
        for _ in 0..1_000 {
            assert_eq!(account.add(Side::White, ms(300), usual(1), false), None);
            assert_eq!(account.add(Side::Black, ms(300), usual(1), false), None);
        }
    }

    #[test]
    fn a_lead_is_noted_when_it_passes_the_limit_and_with_each_further_second() {
        let mut account = WordAccount::default();
        let notes: Vec<usize> = (1..=40)
            .filter(|_| account.add(Side::White, ms(101), usual(1), false).is_some())
            .collect();
        assert_eq!(notes, [8, 18, 28, 38]);
    }

    #[test]
    fn a_lead_that_the_link_explains_is_not_noted() {
        let mut account = WordAccount::default();
        let noted = (0..30).any(|_| account.add(Side::White, ms(51), usual(80), false).is_some());
        assert!(!noted);
        assert!(
            account
                .add(Side::White, ms(3_000), usual(80), false)
                .is_some()
        );
    }
}
