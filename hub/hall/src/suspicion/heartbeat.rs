//! The watermarks that a connected clock owes: their number, their period and their signatures. Defines when a lack gets
//! a note.

use proto::ids::AgentId;
use timing::{Duration, Hub, Instant};

use crate::agent_frame::SignedPromise;
use crate::effect::Step;
use crate::{Hall, note};

/// Number of answered time probes, one a second, over which watermarks are counted.
const REPLIES: u32 = 10;

/// Minimum number of watermarks in that time on a calm board: a third of those that were due.
const CALM: u32 = 3;

/// Minimum number of watermarks in that time while a player is short of time: one in 250 ms.
const HURRIED: u32 = 40;

/// A connected clock without a watermark for this long has lost more than a bad link loses.
const SILENCE: Duration = Duration::from_secs(20);

/// First minor version of the frame protocol with signed watermarks.
const SIGNED_SINCE: u32 = 1;

#[derive(Debug, Default)]
pub(crate) struct Heartbeats {
    replies: u32,
    marks: u32,
    hurried: bool,
    /// Hub instant of the newest watermark, or since which one is due.
    newest: Option<Instant<Hub>>,
    missing: bool,
    slow: bool,
    unsigned: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lack {
    None,
    Missing,
    /// Fewer than due.
    Slow,
}

impl Heartbeats {
    /// Begins to count again, because the clock was not heard until now.
    pub(crate) fn begin(&mut self) {
        self.replies = 0;
        self.marks = 0;
        self.newest = None;
    }

    fn marked(&mut self, at: Instant<Hub>) {
        self.marks = self.marks.saturating_add(1);
        self.newest = Some(at);
        self.missing = false;
    }

    /// Records that a time probe was answered while a player was or was not short of time.
    fn replied(&mut self, hurried: bool) {
        if self.hurried != hurried {
            *self = Self {
                hurried,
                replies: 0,
                marks: 0,
                ..std::mem::take(self)
            };
        }
        self.replies = self.replies.saturating_add(1);
    }

    /// Returns what a connected clock lacks, once.
    fn lack(&mut self, now: Instant<Hub>) -> Lack {
        let since = *self.newest.get_or_insert(now);
        let counted = self.replies >= REPLIES;
        let marks = self.marks;
        if counted {
            self.replies = 0;
            self.marks = 0;
        }
        if (counted && marks == 0) || now - since >= SILENCE {
            return match std::mem::replace(&mut self.missing, true) {
                true => Lack::None,
                false => Lack::Missing,
            };
        }
        if !counted {
            return Lack::None;
        }
        let least = if self.hurried { HURRIED } else { CALM };
        let slow = marks < least;
        match std::mem::replace(&mut self.slow, slow) {
            false if slow => Lack::Slow,
            true | false => Lack::None,
        }
    }
}

impl Hall {
    /// Counts a watermark, and notes one without a signature from a clock whose version signs them.
    pub(crate) fn count_watermark(
        &mut self,
        now: Instant<Hub>,
        agent: AgentId,
        word: &SignedPromise,
        received: Instant<Hub>,
        step: &mut Step,
    ) {
        let Some(session) = self.live.sessions.get_mut(&agent) else {
            return;
        };
        session.heartbeats.marked(received);
        let unsigned = word.signature.is_empty() && session.minor >= SIGNED_SINCE;
        if unsigned && !std::mem::replace(&mut session.heartbeats.unsigned, true) {
            self.note(now, step, note::unsigned_watermarks(agent));
        }
    }

    /// Counts an answered time probe outside a burst.
    pub(crate) fn count_reply(&mut self, agent: AgentId) {
        let hurried = self
            .keeps(&agent)
            .and_then(|board| self.fold.boards.get(&board))
            .and_then(super::delay::short_of_time)
            .unwrap_or_default();
        if let Some(session) = self.live.sessions.get_mut(&agent)
            && session.burst == 0
        {
            session.heartbeats.replied(hurried);
        }
    }

    /// Notes a connected clock that sends no watermarks, or fewer than are due.
    pub(crate) fn look_at_heartbeats(
        &mut self,
        now: Instant<Hub>,
        agent: AgentId,
        step: &mut Step,
    ) {
        let Some(session) = self.live.sessions.get_mut(&agent) else {
            return;
        };
        if !session.online {
            return;
        }
        if let Some(least) = session.reports.became_slow() {
            self.note(now, step, note::slow_link(agent, least));
        }
        let Some(session) = self.live.sessions.get_mut(&agent) else {
            return;
        };
        let hurried = session.heartbeats.hurried;
        let notice = match session.heartbeats.lack(now) {
            Lack::None => return,
            Lack::Missing => note::no_watermarks(agent),
            Lack::Slow => note::slow_watermarks(agent, hurried),
        };
        self.note(now, step, notice);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Instant<Hub> {
        Instant::from_micros(seconds * 1_000_000)
    }

    /// Returns what a clock lacks that sends `marks` watermarks with each of ten replies.
    fn after_ten(marks: u32, hurried: bool) -> Lack {
        let mut beats = Heartbeats {
            hurried,
            ..Heartbeats::default()
        };
        let mut lack = Lack::None;
        for second in 0..10 {
            for _ in 0..marks {
                beats.marked(at(second));
            }
            beats.replied(hurried);
            lack = beats.lack(at(second));
        }
        lack
    }

    #[test]
    fn a_clock_that_keeps_its_period_lacks_nothing() {
        assert_eq!(after_ten(1, false), Lack::None);
        assert_eq!(after_ten(10, true), Lack::None);
        assert_eq!(after_ten(4, true), Lack::None);
    }

    #[test]
    fn a_clock_with_fewer_watermarks_than_due_is_noted_once() {
        assert_eq!(after_ten(0, false), Lack::Missing);
        assert_eq!(after_ten(3, true), Lack::Slow);
        let mut beats = Heartbeats::default();
        let noted = (0..100).filter(|second| {
            beats.replied(false);
            beats.lack(at(*second)) == Lack::Missing
        });
        assert_eq!(noted.count(), 1);
    }

    #[test]
    fn a_clock_without_replies_and_watermarks_is_noted_after_twenty_seconds() {
        let mut beats = Heartbeats::default();
        let noted: Vec<i64> = (0..60)
            .filter(|second| beats.lack(at(*second)) == Lack::Missing)
            .collect();
        assert_eq!(noted, [20]);
    }
}
