//! Players' offences that an arbiter reports, counted for each game: a player's second illegal move loses the game
//! (FIDE 7.5.5). Holds the count; the arbiter decides the consequences.

use proto::ids::CommandId;
use timing::{BySide, Side};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OffenceKind {
    /// A completed illegal move (FIDE 7.5.1 to 7.5.4).
    IllegalMove,
}

/// An offence that a command counts or withdraws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offence {
    pub kind: OffenceKind,
    pub side: Side,
    /// True to remove an offence that was counted by mistake.
    pub withdrawn: bool,
}

/// Maximum number of stored offences in one game; the oldest are dropped. A player's second illegal move already loses
/// the game.
const MAX_OFFENCES: usize = 100;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Offences(pub(crate) Vec<Counted>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counted {
    pub(crate) command: CommandId,
    pub(crate) offence: Offence,
    /// True if the command that reported the offence was carried out or is pending.
    pub(crate) stands: bool,
}

impl Offences {
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

    /// Updates the offence of an answered command. The offence of a withdrawn command counts again if the clock had
    /// carried out the command after all.
    pub(crate) fn answered(&mut self, command: &CommandId, stands: bool) {
        for counted in &mut self.0 {
            if counted.command == *command {
                counted.stands = stands;
            }
        }
    }

    pub(crate) fn illegal_moves(&self) -> BySide<u32> {
        BySide::from_fn(|side| self.count(OffenceKind::IllegalMove, side))
    }

    /// Returns the illegal moves that still count, as offences of the `laws` crate.
    pub(crate) fn for_laws(&self) -> Vec<laws::Offence> {
        let counts = self.illegal_moves();
        let of = |side: Side| {
            let offence = laws::Offence {
                by: side,
                kind: laws::OffenceKind::IllegalMove,
            };
            std::iter::repeat_n(offence, usize::try_from(counts[side]).unwrap_or_default())
        };
        Side::BOTH.into_iter().flat_map(of).collect()
    }

    fn count(&self, kind: OffenceKind, side: Side) -> u32 {
        self.0
            .iter()
            .filter(|counted| counted.stands)
            .map(|counted| counted.offence)
            .filter(|offence| (offence.kind, offence.side) == (kind, side))
            .fold(0, |count, offence| match offence.withdrawn {
                false => count + 1,
                true => count.saturating_sub(1),
            })
    }
}

impl Offence {
    /// Describes the offence for the log, for example "an illegal move of White".
    pub(crate) fn words(&self) -> String {
        let OffenceKind::IllegalMove = self.kind;
        let of = super::words::capital(self.side);
        match self.withdrawn {
            false => format!("an illegal move of {of}"),
            true => format!("no illegal move of {of} after all"),
        }
    }

    /// Parses an offence from a command's reason, where the companion app wrote it before offences had their own field.
    pub(crate) fn in_reason(reason: &str) -> Option<Self> {
        let (withdrawn, rest) = match reason.strip_prefix("Undone: ") {
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
            withdrawn,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn of(side: Side, withdrawn: bool) -> Offence {
        Offence {
            kind: OffenceKind::IllegalMove,
            side,
            withdrawn,
        }
    }

    #[test]
    fn older_logs_state_offences_in_the_reason() {
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
    fn withdrawn_and_refused_offences_do_not_count() {
        let id = |number| CommandId([number; 16]);
        let mut offences = Offences::default();
        let count = |offences: &Offences| offences.count(OffenceKind::IllegalMove, Side::White);
        // Withdrawing an offence that was not counted must not offset a later one.
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
