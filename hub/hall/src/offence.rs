//! Offences of players for which an arbiter acts at the clock, counted for each game: the second illegal move of a player loses it
//! (FIDE 7.5.5). Owns the count; must never decide what follows from it, that is the arbiter's.

use proto::ids::CommandId;
use timing::{BySide, Side};

/// What a player did against the Laws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OffenceKind {
    /// An illegal move was completed (FIDE 7.5.1 to 7.5.4).
    IllegalMove,
}

/// An offence that a command is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offence {
    /// What was done.
    pub kind: OffenceKind,
    /// Whose offence it is.
    pub side: Side,
    /// It takes back one that was counted by mistake.
    pub revoked: bool,
}

/// Offences remembered for one game; the oldest give way. A game is lost by the second.
const MAX_OFFENCES: usize = 100;

/// The offences of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Offences(pub(crate) Vec<Counted>);

/// An offence, and the command that is about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counted {
    pub(crate) command: CommandId,
    pub(crate) offence: Offence,
    /// The command was carried out or waits for its clock.
    pub(crate) stands: bool,
}

impl Offences {
    /// A command was accepted.
    pub(crate) fn enter(&mut self, command: CommandId, offence: Offence) {
        if self.0.len() >= MAX_OFFENCES {
            self.0.remove(0);
        }
        self.0.push(Counted {
            command,
            offence,
            stands: true,
        });
    }

    /// A command has its answer. One that was withdrawn and is carried out all the same stands again.
    pub(crate) fn answered(&mut self, command: &CommandId, stands: bool) {
        for counted in &mut self.0 {
            if counted.command == *command {
                counted.stands = stands;
            }
        }
    }

    /// Illegal moves of both sides.
    pub(crate) fn illegal_moves(&self) -> BySide<u32> {
        BySide::from_fn(|side| self.count(OffenceKind::IllegalMove, side))
    }

    /// How often this side has offended so, without what was taken back.
    fn count(&self, kind: OffenceKind, side: Side) -> u32 {
        self.0
            .iter()
            .filter(|counted| counted.stands)
            .map(|counted| counted.offence)
            .filter(|offence| (offence.kind, offence.side) == (kind, side))
            .fold(0, |count, offence| match offence.revoked {
                false => count + 1,
                true => count.saturating_sub(1),
            })
    }
}

impl Offence {
    /// For the log: "an illegal move of White".
    pub(crate) fn words(&self) -> String {
        let OffenceKind::IllegalMove = self.kind;
        let of = super::changes::capital(self.side);
        match self.revoked {
            false => format!("an illegal move of {of}"),
            true => format!("no illegal move of {of} after all"),
        }
    }

    /// The offence in the words of a reason, as the companion wrote it before offences had a field of their own.
    pub(crate) fn in_reason(reason: &str) -> Option<Self> {
        let (revoked, rest) = match reason.strip_prefix("Undone: ") {
            Some(rest) => (true, rest),
            None => (false, reason),
        };
        let of = rest.strip_prefix("Illegal move by ")?;
        let side = match of.split(',').next()? {
            "White" => Side::White,
            "Black" => Side::Black,
            _ => return None,
        };
        Some(Self {
            kind: OffenceKind::IllegalMove,
            side,
            revoked,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn of(side: Side, revoked: bool) -> Offence {
        Offence {
            kind: OffenceKind::IllegalMove,
            side,
            revoked,
        }
    }

    #[test]
    fn older_logs_say_offences_in_words() {
        let read = |reason| Offence::in_reason(reason);
        let white = Some(of(Side::White, false));
        assert_eq!(read("Illegal move by White, FIDE 7.5.5"), white);
        assert_eq!(
            read("Undone: Illegal move by Black, FIDE A.3"),
            Some(of(Side::Black, true))
        );
        for other in [
            "",
            "illegal move",
            "Illegal move by Ann",
            "Wrong setting, FIDE 6.10.2",
        ] {
            assert_eq!(read(other), None, "{other}");
        }
    }

    #[test]
    fn what_was_taken_back_or_refused_does_not_count() {
        let id = |number| CommandId([number; 16]);
        let mut offences = Offences::default();
        let count = |offences: &Offences| offences.count(OffenceKind::IllegalMove, Side::White);
        // To take back what was not counted makes no credit.
        offences.enter(id(1), of(Side::White, true));
        offences.enter(id(2), of(Side::White, false));
        offences.enter(id(3), of(Side::Black, false));
        assert_eq!(count(&offences), 1);
        offences.enter(id(4), of(Side::White, false));
        assert_eq!(count(&offences), 2);
        offences.answered(&id(4), false);
        assert_eq!(count(&offences), 1);
        offences.answered(&id(4), true);
        offences.enter(id(5), of(Side::White, true));
        assert_eq!(count(&offences), 1);
        for number in 0..=200 {
            offences.enter(id(number), of(Side::White, false));
        }
        assert_eq!(offences.0.len(), MAX_OFFENCES);
    }
}
