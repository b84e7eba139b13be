//! The people and programs who change an event.

use derive_more::Display;

/// An actor's role, which decides the permitted changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ActorKind {
    /// The chief arbiter, who may make every change.
    ChiefArbiter,
    /// A floor arbiter, who may start games, enter results, grant byes, and enter withdrawals and returns. The event
    /// itself, its players, pairings, forfeits of whole matches and confirmed rounds are reserved for the chief
    /// arbiter.
    FloorArbiter,
    /// A board's clock, which reports that it was set or pressed and proposes results.
    Clock,
    /// A program, such as an import or a watched folder, which acts for the chief arbiter with the same rights.
    Program,
}

/// The author of a change.
#[derive(Clone, Debug, Display, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[display("{name}")]
pub struct Actor {
    /// The actor's role.
    pub kind: ActorKind,
    /// The name of the person, board or program.
    pub name: String,
}

impl Actor {
    /// Returns the chief arbiter of that name.
    #[must_use]
    pub fn chief(name: &str) -> Self {
        Self::of(ActorKind::ChiefArbiter, name)
    }

    /// Returns a floor arbiter of that name.
    #[must_use]
    pub fn floor(name: &str) -> Self {
        Self::of(ActorKind::FloorArbiter, name)
    }

    /// Returns the clock of that board.
    #[must_use]
    pub fn clock(name: &str) -> Self {
        Self::of(ActorKind::Clock, name)
    }

    /// Returns the program of that name.
    #[must_use]
    pub fn program(name: &str) -> Self {
        Self::of(ActorKind::Program, name)
    }

    fn of(kind: ActorKind, name: &str) -> Self {
        Self {
            kind,
            name: name.to_owned(),
        }
    }
}
