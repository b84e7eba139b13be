//! Versions of the rules of time, so that a log written under older rules still leads to the clocks it led to then.

/// The rules a fact is applied under. Everything new uses [`RulesVersion::LATEST`]; only the replay of an older log asks
/// for another version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RulesVersion {
    /// A press left the opponent what an interrupted move had used of its delay.
    One,
    /// A press begins the opponent's move: the whole simple delay, nothing used of a Bronstein delay.
    #[default]
    Two,
}

impl RulesVersion {
    /// The rules in force.
    pub const LATEST: Self = Self::Two;

    /// The number by which logs name the version.
    pub const fn number(self) -> u32 {
        match self {
            Self::One => 1,
            Self::Two => 2,
        }
    }

    /// Returns the version with that number, if this program knows it.
    pub fn from_number(number: u32) -> Option<Self> {
        [Self::One, Self::Two]
            .into_iter()
            .find(|version| version.number() == number)
    }
}
