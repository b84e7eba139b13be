//! The people, clocks and programs that change an event.

use derive_more::Display;

/// An actor's role, which determines the permitted changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ActorKind {
    /// The chief arbiter, who may make every change.
    ChiefArbiter,
    /// A floor arbiter, who may make a clock's changes, start games, enter and remove results, grant byes, and enter
    /// withdrawals and returns.
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
    /// Builds the actor for a chief arbiter.
    #[must_use]
    pub fn chief(name: &str) -> Self {
        Self::of(ActorKind::ChiefArbiter, name)
    }

    /// Builds the actor for a floor arbiter.
    #[must_use]
    pub fn floor(name: &str) -> Self {
        Self::of(ActorKind::FloorArbiter, name)
    }

    /// Builds the actor for the clock of the board with this name.
    #[must_use]
    pub fn clock(name: &str) -> Self {
        Self::of(ActorKind::Clock, name)
    }

    /// Builds the actor for a program.
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
