//! Versions of the rules of time: a log written under older rules must still yield the same clocks.

/// The version of the rules that applies to a fact. New facts use [`RulesVersion::LATEST`]; only a replay can select an earlier version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RulesVersion {
    /// A press does not reset the delay that the opponent used in an interrupted move.
    One,
    /// A press begins the opponent's move with its whole simple or Bronstein delay.
    #[default]
    Two,
}

impl RulesVersion {
    /// The rules that apply to new facts.
    pub const LATEST: Self = Self::Two;

    /// Returns the version's number, as stored in logs.
    pub const fn number(self) -> u32 {
        match self {
            Self::One => 1,
            Self::Two => 2,
        }
    }

    /// Returns the version with this number; `None` if this program does not know it.
    pub fn from_number(number: u32) -> Option<Self> {
        [Self::One, Self::Two]
            .into_iter()
            .find(|version| version.number() == number)
    }
}
