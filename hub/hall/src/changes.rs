//! The recent changes of a board. A request based on an old state is refused if it depends on changes since then; the
//! refusal lists them. Decides staleness only, never whether a request is otherwise correct.

use std::collections::VecDeque;

use proto::refusal::{Change as Told, ChangeKind};
use timing::{Command, Hub, Instant, Side};

use super::recent::push_recent;
use super::told;
use crate::to_proto;
use crate::words::capital;

const MAX_REMEMBERED: usize = 16;

const MAX_LISTED: usize = 3;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Press {
        side: Side,
        moves: u32,
        at: Instant<Hub>,
    },
    /// A side entered a new period, or began to use another kind of time, for example overtime.
    Period(Instant<Hub>),
    /// An arbiter's decision, or another change, such as a flag fall, that makes every earlier request stale.
    Decision(Box<Told>),
    /// A change that does not affect the clocks, such as new names.
    Label,
}

/// A board's recent changes, numbered by `seq`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    /// Number of the newest change; 0 before the first.
    pub(crate) seq: u64,
    /// Number of the newest change that concerns clocks.
    pub(crate) clocks: u64,
    pub(crate) decision: u64,
    /// The newest changes that concern clocks.
    pub(crate) recent: VecDeque<(u64, Change)>,
}

/// The changes that the sender of a stale request had not seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Missed {
    pub(crate) text: String,
    /// The newest changes, oldest first.
    pub(crate) changes: Vec<Told>,
    /// True if there were earlier changes that `changes` omits.
    pub(crate) more: bool,
}

/// The changes to a board that make a request stale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DependsOn {
    /// Decisions only: presses and new periods do not matter.
    Decisions,
    /// Everything: the request depends on exact times and counters.
    Everything,
}

impl Changes {
    pub(crate) fn push(&mut self, change: Change) {
        self.seq += 1;
        match change {
            Change::Label => return,
            Change::Press { .. } | Change::Period(_) => (),
            Change::Decision(_) => self.decision = self.seq,
        }
        self.clocks = self.seq;
        push_recent(&mut self.recent, MAX_REMEMBERED, (self.seq, change));
    }

    /// Stores a change that makes every earlier request stale.
    pub(crate) fn decide(&mut self, change: Told) {
        self.push(Change::Decision(Box::new(change)));
    }

    /// Returns the changes since `seen` that make a request stale; `None` if there are none. If `seen` is a state
    /// that the board has not reached, returns only a text that says so.
    pub(crate) fn since(&self, seen: u64, depends_on: DependsOn) -> Option<Missed> {
        if seen > self.seq {
            let text = format!(
                "the request names state {seen} of this board, which is still at {}",
                self.seq
            );
            return Some(Missed {
                text,
                ..Missed::default()
            });
        }
        let newest = match depends_on {
            DependsOn::Decisions => self.decision,
            DependsOn::Everything => self.clocks,
        };
        if newest <= seen {
            return None;
        }
        let mut changes: Vec<Told> = self
            .recent
            .iter()
            .filter(|(seq, change)| *seq > seen && change.matters(depends_on))
            .filter_map(|(_, change)| change.told())
            .collect();
        let beyond = changes.len().saturating_sub(MAX_LISTED);
        changes.drain(..beyond);
        // `Change::Label` also leaves gaps in the numbers, so earlier changes are missing only if the list is full.
        let full = self.recent.len() >= MAX_REMEMBERED;
        let older = self.recent.front().is_some_and(|(seq, _)| *seq > seen + 1);
        let more = beyond > 0 || (full && older);
        let words: Vec<&str> = changes.iter().map(|change| change.text.as_str()).collect();
        let mut text = words.join(", ");
        if more {
            text.push_str(" and more before that");
        }
        Some(Missed {
            text,
            changes,
            more,
        })
    }
}

impl Changes {
    /// Returns the newest press after `seen`, if presses and no decisions make the request stale.
    pub(crate) fn pressed_since(&self, seen: u64, depends_on: DependsOn) -> Option<(Side, u32)> {
        if depends_on == DependsOn::Decisions || self.decision > seen {
            return None;
        }
        let missed = self.recent.iter().rev().take_while(|(seq, _)| *seq > seen);
        let mut presses = missed.filter_map(|(_, change)| match change {
            Change::Press { side, moves, .. } => Some((*side, *moves)),
            Change::Period(_) | Change::Decision(_) | Change::Label => None,
        });
        presses.next()
    }
}

impl Change {
    fn matters(&self, depends_on: DependsOn) -> bool {
        match self {
            Change::Press { .. } | Change::Period(_) => depends_on == DependsOn::Everything,
            Change::Decision(_) => true,
            Change::Label => false,
        }
    }

    /// Returns the change as a refusal reports it; `None` for a change that makes no request stale.
    fn told(&self) -> Option<Told> {
        match self {
            Change::Press { side, moves, at } => {
                let text = format!("{} pressed (move {moves})", capital(*side));
                let mut press = told::by_itself(*at, ChangeKind::Press, text);
                press.set_side(to_proto::side(*side));
                press.r#move = *moves;
                Some(press)
            }
            Change::Period(at) => {
                let text = "a new period or overtime began";
                Some(told::by_itself(*at, ChangeKind::Period, text))
            }
            Change::Decision(change) => Some((**change).clone()),
            Change::Label => None,
        }
    }
}

pub(crate) fn depends_on(command: &Command) -> DependsOn {
    match command {
        Command::Start(_)
        | Command::Pause
        | Command::Resume(_)
        | Command::CallFlag(_)
        | Command::End(_) => DependsOn::Decisions,
        Command::Prepare(_)
        | Command::Set { .. }
        | Command::Add { .. }
        | Command::Moves { .. }
        | Command::Refill { .. }
        | Command::ClaimDraw(_)
        | Command::WhiteIs(_)
        | Command::Swap
        | Command::ChangeControl(_)
        | Command::Restore(_)
        | Command::Sequence(_) => DependsOn::Everything,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: Instant<Hub> = Instant::from_micros(7);

    fn decision(text: &str) -> Change {
        let change = told::told(Some(AT), "chief", ChangeKind::Paused, text.to_owned());
        Change::Decision(Box::new(change))
    }

    fn words(missed: Option<Missed>) -> Option<String> {
        missed.map(|missed| missed.text)
    }

    #[test]
    fn a_refusal_describes_the_changes() {
        let mut changes = Changes::default();
        changes.push(decision("started by chief"));
        let seen = changes.seq;
        assert_eq!(changes.since(seen, DependsOn::Everything), None);
        changes.push(Change::Label);
        assert_eq!(changes.since(seen, DependsOn::Everything), None);
        changes.push(Change::Press {
            side: Side::White,
            moves: 31,
            at: AT,
        });
        assert_eq!(changes.since(seen, DependsOn::Decisions), None);
        assert_eq!(
            words(changes.since(seen, DependsOn::Everything)).as_deref(),
            Some("White pressed (move 31)")
        );
        changes.push(decision("pause by chief"));
        assert_eq!(
            words(changes.since(seen, DependsOn::Decisions)).as_deref(),
            Some("pause by chief")
        );
        assert_eq!(
            words(changes.since(seen, DependsOn::Everything)).as_deref(),
            Some("White pressed (move 31), pause by chief")
        );
        assert!(changes.since(99, DependsOn::Decisions).is_some());
    }

    #[test]
    fn a_press_is_named_only_if_it_made_the_request_stale() {
        let press = |moves| Change::Press {
            side: Side::White,
            moves,
            at: AT,
        };
        let mut changes = Changes::default();
        changes.push(decision("started by chief"));
        let seen = changes.seq;
        changes.push(press(1));
        changes.push(Change::Period(AT));
        assert_eq!(
            changes.pressed_since(seen, DependsOn::Everything),
            Some((Side::White, 1))
        );
        assert_eq!(changes.pressed_since(seen, DependsOn::Decisions), None);
        changes.push(decision("pause by chief"));
        changes.push(press(2));
        assert_eq!(changes.pressed_since(seen, DependsOn::Everything), None);
        assert_eq!(changes.pressed_since(seen, DependsOn::Decisions), None);
    }

    #[test]
    fn a_long_list_of_changes_is_shortened() {
        let mut changes = Changes::default();
        for moves in 1..=40 {
            changes.push(Change::Press {
                side: Side::Black,
                moves,
                at: AT,
            });
        }
        assert_eq!(
            words(changes.since(0, DependsOn::Everything)).as_deref(),
            Some(
                "Black pressed (move 38), Black pressed (move 39), Black pressed (move 40) and more before that"
            )
        );
    }

    #[test]
    fn a_refusal_lists_the_newest_changes_with_actor_kind_and_time() {
        let mut changes = Changes::default();
        let seen = changes.seq;
        for moves in 1..=3 {
            changes.push(Change::Press {
                side: Side::Black,
                moves,
                at: AT,
            });
        }
        changes.push(decision("pause by chief"));
        let missed = changes.since(seen, DependsOn::Everything).unwrap();
        let kinds: Vec<_> = missed.changes.iter().map(Told::kind).collect();
        let expected = [ChangeKind::Press, ChangeKind::Press, ChangeKind::Paused];
        assert_eq!((kinds.as_slice(), missed.more), (&expected[..], true));
        let pause = &missed.changes[2];
        assert_eq!((pause.actor.as_str(), pause.at_us), ("chief", Some(7)));
        let press = &missed.changes[1];
        assert_eq!(
            (press.side(), press.r#move),
            (to_proto::side(Side::Black), 3)
        );
        assert_eq!(press.at_us, Some(7));
    }
}
