//! Adds up, for each side of a game, the time that is known only from the clock's own reports. Decides when that time
//! calls for a note about the link, and when one side's lead calls for a note about the clock. Neither note changes a
//! time.
//!
//! An event happened between its stamp and its arrival, and only the clock knows when. A side cannot gain more than the
//! sum of these spans over the events whose early stamp favours it. An honest clock on a slow link has the same sum, so
//! the note about the link accuses no one. A note about the clock needs delays that the link does not explain, on one
//! side only: both buttons share one clock and one link. The sums begin again with a new game and with a restart of the
//! hub.
//!
//! A watermark that names an event before it arrives does not shorten that event's span, because a clock can name
//! events in advance.

use timing::{BySide, Duration, Side};

use super::Reports;

/// Unchecked time of one side in a game at which a note about the link is added. It is 100 ms below one second to allow
/// for presses of the opponent that are stamped late by less than the link's delay.
const LIMIT: Duration = Duration::from_millis(900);

/// Lead of one side in a game at which a note about the clock is added, if the link does not explain the lead.
const MIN_NOTED_LEAD: Duration = Duration::from_millis(800);

/// Amount by which a lead must grow after its last note for another note to be added.
const LEAD_STEP: Duration = Duration::from_secs(1);

/// Multiple of the link's longest round trip beyond which the delay of a press is unusual.
const UNUSUAL_FACTOR: i64 = 2;

/// Minimum number of a side's unusual presses for a note.
///
/// On a stream that loses one packet in fifty and resends it, one press in 2,500 is unusual. Four unusual presses of
/// one side in a game of seventy moves occur once in a hundred million games on such a link.
const UNUSUAL_PRESSES: u32 = 4;

/// Estimates of the delay from an event's stamp to its arrival.
#[derive(Clone, Copy, Debug)]
pub(super) struct Delay {
    /// Lower bound, which holds for any possible offset.
    pub(super) least: Duration,
    pub(super) likely: Duration,
    /// Upper bound, provided that the estimated offset is wrong by at most half the shortest round trip.
    pub(super) most: Duration,
}

/// The time of each side in one game that is known only from the reports of one clock.
#[derive(Clone, Debug, Default)]
pub(crate) struct UnverifiedTime {
    /// For each side, the sum of its delays beyond the link's usual delay.
    beyond: BySide<Duration>,
    /// For each side, the sum of the upper bounds of its delays, except those that have a note of their own. Includes
    /// the time for which the hub waited for the clock to carry out orders.
    unchecked: BySide<Duration>,
    /// For each side, the sum of the upper bounds of the delays that have a note of their own.
    late: BySide<Duration>,
    unusual: BySide<u32>,
    noted: Duration,
    link_noted: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct UsualDelays {
    /// Usual delay of one frame: half the median of the newest round trips.
    delay: Duration,
    /// Upper bound on the link's round trips.
    link: Duration,
}

/// The notes that are due after an event or a wait was added to an account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Conclusion {
    /// The side's lead, if it needs a note about the clock.
    pub(super) lead: Option<Duration>,
    /// The side's time that is known only from the clock's reports, if it needs a note about the link.
    pub(super) unchecked: Option<Duration>,
}

impl UnverifiedTime {
    /// Adds an event whose early stamp favours `side`. `late` is true if the event's delay has a note of its own.
    pub(super) fn add(
        &mut self,
        side: Side,
        delay: Delay,
        usual: UsualDelays,
        late: bool,
    ) -> Conclusion {
        let sums = if late {
            &mut self.late
        } else {
            &mut self.unchecked
        };
        sums[side] += delay.most.or_zero();
        self.beyond[side] += delay.likely - usual.delay;
        let unusual =
            delay.likely.as_micros() > usual.link.as_micros().saturating_mul(UNUSUAL_FACTOR);
        self.unusual[side] = self.unusual[side].saturating_add(u32::from(unusual));
        Conclusion {
            lead: self.leads(side).filter(|_| !late),
            unchecked: self.link_note(side).filter(|_| !late),
        }
    }

    /// Adds a span in favour of `side` during which the hub waited for a clock's answer.
    pub(super) fn wait(&mut self, side: Side, span: Duration) -> Conclusion {
        self.unchecked[side] += span.or_zero();
        Conclusion {
            lead: None,
            unchecked: self.link_note(side),
        }
    }

    /// Returns the time in a side's favour that is known only from the clock's reports.
    pub(super) fn unverified(&self, side: Side) -> Duration {
        self.checkable(side) + self.late[side]
    }

    pub(super) fn beyond(&self, side: Side) -> Duration {
        self.beyond[side].or_zero()
    }

    /// Returns the time in a side's favour that is known only from the clock's reports, except for events that have a
    /// note of their own. Includes the time by which the opponent's presses arrived faster than usual, because those
    /// presses may have been stamped late by that much.
    fn checkable(&self, side: Side) -> Duration {
        self.unchecked[side] + (-self.beyond[side.other()]).or_zero()
    }

    fn link_note(&mut self, side: Side) -> Option<Duration> {
        let unchecked = self.checkable(side);
        (unchecked >= LIMIT && !std::mem::replace(&mut self.link_noted, true)).then_some(unchecked)
    }

    fn leads(&mut self, side: Side) -> Option<Duration> {
        let (own, other) = (self.unusual[side], self.unusual[side.other()]);
        let lead = self.beyond[side] - self.beyond[side.other()];
        let alone = own >= UNUSUAL_PRESSES && other.saturating_mul(4) <= own;
        let again = self.noted.is_positive() && lead < self.noted + LEAD_STEP;
        if lead < MIN_NOTED_LEAD || !alone || again {
            return None;
        }
        self.noted = lead;
        Some(lead)
    }
}

impl Reports {
    pub(super) fn usual(&self) -> UsualDelays {
        let mut trips: Vec<i64> = self.trips.iter().map(|trip| trip.as_micros()).collect();
        trips.sort_unstable();
        let middle = trips.get(trips.len() / 2).copied().unwrap_or_default();
        UsualDelays {
            delay: Duration::from_micros(middle / 2),
            link: self.longest_round_trip(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: i64) -> Duration {
        Duration::from_millis(ms)
    }

    fn usual(link: i64) -> UsualDelays {
        UsualDelays {
            delay: ms(1),
            link: ms(link),
        }
    }

    fn delay(likely: i64) -> Delay {
        Delay {
            least: ms(likely),
            likely: ms(likely),
            most: ms(likely),
        }
    }

    #[test]
    fn delays_on_both_sides_raise_a_note_about_the_link_only() {
        let mut account = UnverifiedTime::default();
        let mut remarks = Vec::new();
        for _ in 0..100 {
            for side in Side::BOTH {
                let found = account.add(side, delay(50), usual(30), false);
                assert_eq!(found.lead, None);
                remarks.extend(found.unchecked);
            }
        }
        assert_eq!(remarks, [ms(900)]);
    }

    #[test]
    fn a_lead_is_noted_when_it_passes_the_limit_and_after_each_further_second() {
        let mut account = UnverifiedTime::default();
        let notes: Vec<usize> = (1..=40)
            .filter(|_| {
                let found = account.add(Side::White, delay(101), usual(30), false);
                found.lead.is_some()
            })
            .collect();
        assert_eq!(notes, [8, 18, 28, 38]);
    }

    #[test]
    fn a_lead_that_the_link_explains_is_not_noted() {
        let mut account = UnverifiedTime::default();
        let mut add = |ms| account.add(Side::White, delay(ms), usual(80), false).lead;
        assert!(!(0..30).any(|_| add(150).is_some()));
        // Three presses can be this late because their packets were lost more than once; a fourth is suspicious.
        assert!(!(0..3).any(|_| add(900).is_some()));
        assert!(add(900).is_some());
    }

    #[test]
    fn a_delay_with_its_own_note_is_shown_but_not_noted_again() {
        let mut account = UnverifiedTime::default();
        let found = account.add(Side::White, delay(5_000), usual(30), true);
        assert_eq!(found, Conclusion::default());
        assert_eq!(account.unverified(Side::White), ms(5_000));
        assert_eq!(account.unverified(Side::Black), Duration::ZERO);
    }

    #[test]
    fn unusually_quick_presses_of_the_opponent_count_for_the_side() {
        let mut account = UnverifiedTime::default();
        let usual = UsualDelays {
            delay: ms(30),
            link: ms(90),
        };
        for _ in 0..10 {
            account.add(Side::Black, delay(0), usual, false);
        }
        assert_eq!(account.unverified(Side::White), ms(300));
    }

    #[test]
    fn time_spent_waiting_for_an_answer_counts() {
        let mut account = UnverifiedTime::default();
        assert_eq!(account.wait(Side::Black, ms(899)), Conclusion::default());
        let found = account.wait(Side::Black, ms(1));
        assert_eq!(found.unchecked, Some(ms(900)));
    }
}
