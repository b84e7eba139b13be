//! What has happened on a board of late, so that a request made on an old picture is refused with what has changed since.
//! Owns staleness; never decides whether a request is otherwise right.

use std::collections::VecDeque;

use timing::{Command, Side};

/// How many changes are remembered in words.
const REMEMBERED: usize = 16;
/// How many of them a refusal tells.
const TOLD: usize = 3;

/// One thing that happened on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// A move was completed.
    Press {
        /// Who moved.
        side: Side,
        /// Which move.
        moves: u32,
    },
    /// Time alone changed what a side lives on.
    Period,
    /// Something a person decided, or a flag: in words.
    Decision(String),
    /// Names, labels: of no consequence for the clocks.
    Label,
}

/// A board's recent changes. `seq` numbers them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    /// Number of the newest change; 0 before the first.
    pub(crate) seq: u64,
    /// Number of the newest change that concerns clocks.
    pub(crate) clocks: u64,
    /// Number of the newest decision.
    pub(crate) decision: u64,
    /// The newest changes that concern clocks.
    pub(crate) recent: VecDeque<(u64, Change)>,
}

/// How much of a board a request rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rests {
    /// On what people decided: presses in between do not matter.
    OnDecisions,
    /// On the exact times and counters.
    OnEverything,
}

impl Changes {
    /// Numbers a change.
    pub(crate) fn push(&mut self, change: Change) {
        self.seq += 1;
        match change {
            Change::Label => return,
            Change::Press { .. } | Change::Period => (),
            Change::Decision(_) => self.decision = self.seq,
        }
        self.clocks = self.seq;
        if self.recent.len() >= REMEMBERED {
            self.recent.pop_front();
        }
        self.recent.push_back((self.seq, change));
    }

    /// What has changed since `seen` that a request resting on `rests` had to know; `None` if nothing.
    pub(crate) fn since(&self, seen: u64, rests: Rests) -> Option<String> {
        if seen > self.seq {
            return Some(format!(
                "the request names state {seen} of this board, which is at {} only",
                self.seq
            ));
        }
        let newest = match rests {
            Rests::OnDecisions => self.decision,
            Rests::OnEverything => self.clocks,
        };
        if newest <= seen {
            return None;
        }
        let missed: Vec<String> = self
            .recent
            .iter()
            .filter(|(seq, change)| *seq > seen && change.matters(rests))
            .map(|(_, change)| change.to_string())
            .collect();
        let more = missed.len().saturating_sub(TOLD);
        let mut text = missed[more..].join(", ");
        if more > 0 || self.recent.front().is_some_and(|(seq, _)| *seq > seen + 1) {
            text.push_str(" and more before that");
        }
        Some(text)
    }
}

impl Changes {
    /// The newest press after `seen`, if presses and nothing that a person decided are what a request resting on `rests` had to know.
    pub(crate) fn pressed_since(&self, seen: u64, rests: Rests) -> Option<(Side, u32)> {
        if rests == Rests::OnDecisions || self.decision > seen {
            return None;
        }
        let missed = self.recent.iter().rev().take_while(|(seq, _)| *seq > seen);
        let mut presses = missed.filter_map(|(_, change)| match change {
            Change::Press { side, moves } => Some((*side, *moves)),
            Change::Period | Change::Decision(_) | Change::Label => None,
        });
        presses.next()
    }
}

impl Change {
    fn matters(&self, rests: Rests) -> bool {
        match self {
            Change::Press { .. } | Change::Period => rests == Rests::OnEverything,
            Change::Decision(_) => true,
            Change::Label => false,
        }
    }
}

impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Change::Press { side, moves } => {
                write!(f, "{} pressed (move {moves})", capital(*side))
            }
            Change::Period => f.write_str("a new period or overtime began"),
            Change::Decision(text) => f.write_str(text),
            Change::Label => f.write_str("the names were changed"),
        }
    }
}

/// A side at the beginning of a sentence.
pub(crate) fn capital(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}

/// What a command rests on.
pub(crate) fn rests(command: &Command) -> Rests {
    match command {
        Command::Start(_) | Command::Pause | Command::Resume(_) | Command::CallFlag(_) => {
            Rests::OnDecisions
        }
        Command::Prepare(_)
        | Command::Set { .. }
        | Command::Add { .. }
        | Command::Moves { .. }
        | Command::Refill { .. }
        | Command::End(_)
        | Command::ClaimDraw(_)
        | Command::WhiteIs(_)
        | Command::Swap
        | Command::ChangeControl(_)
        | Command::Restore(_) => Rests::OnEverything,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_what_changed() {
        let mut changes = Changes::default();
        changes.push(Change::Decision("started by chief".to_owned()));
        let seen = changes.seq;
        assert_eq!(changes.since(seen, Rests::OnEverything), None);
        changes.push(Change::Label);
        assert_eq!(changes.since(seen, Rests::OnEverything), None);
        changes.push(Change::Press {
            side: Side::White,
            moves: 31,
        });
        assert_eq!(changes.since(seen, Rests::OnDecisions), None);
        assert_eq!(
            changes.since(seen, Rests::OnEverything).as_deref(),
            Some("White pressed (move 31)")
        );
        changes.push(Change::Decision("pause by chief".to_owned()));
        assert_eq!(
            changes.since(seen, Rests::OnDecisions).as_deref(),
            Some("pause by chief")
        );
        assert_eq!(
            changes.since(seen, Rests::OnEverything).as_deref(),
            Some("White pressed (move 31), pause by chief")
        );
        assert!(changes.since(99, Rests::OnDecisions).is_some());
    }

    #[test]
    fn a_press_is_named_only_where_it_is_why() {
        let press = |moves| Change::Press {
            side: Side::White,
            moves,
        };
        let mut changes = Changes::default();
        changes.push(Change::Decision("started by chief".to_owned()));
        let seen = changes.seq;
        changes.push(press(1));
        changes.push(Change::Period);
        assert_eq!(
            changes.pressed_since(seen, Rests::OnEverything),
            Some((Side::White, 1))
        );
        assert_eq!(changes.pressed_since(seen, Rests::OnDecisions), None);
        changes.push(Change::Decision("pause by chief".to_owned()));
        changes.push(press(2));
        assert_eq!(changes.pressed_since(seen, Rests::OnEverything), None);
        assert_eq!(changes.pressed_since(seen, Rests::OnDecisions), None);
    }

    #[test]
    fn a_long_absence_is_told_in_short() {
        let mut changes = Changes::default();
        for moves in 1..=40 {
            changes.push(Change::Press {
                side: Side::Black,
                moves,
            });
        }
        assert_eq!(
            changes.since(0, Rests::OnEverything).as_deref(),
            Some(
                "Black pressed (move 38), Black pressed (move 39), Black pressed (move 40) and more before that"
            )
        );
    }
}
