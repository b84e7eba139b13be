//! Versions of the rules of time, so that a log written under older rules still yields the same clocks.

/// The rules that apply to a fact. New facts use [`RulesVersion::LATEST`]; only the replay of an older log selects an
/// earlier version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RulesVersion {
    /// A press did not reset the delay that the opponent's interrupted move had used.
    One,
    /// A press begins the opponent's move, with none of its simple or Bronstein delay used.
    #[default]
    Two,
}

impl RulesVersion {
    /// The current rules.
    pub const LATEST: Self = Self::Two;

    /// Returns the number that identifies the version in logs.
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
