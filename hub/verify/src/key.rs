//! The hub's public key, as people pass it on. Owns the key's text form. The key must never be taken from the file that
//! is checked with it.

use proto::note::{KeyError, Verifier};

/// The public key of a hub's log: the text `name+id+key` that `flagfall export` prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HubKey(Verifier);

/// The error for a string that is not a valid public key of a hub's log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is not the public key of a hub's log, which looks like name+id+key: {0}")]
pub struct BadKey(#[from] KeyError);

impl HubKey {
    pub(crate) fn verifier(&self) -> &Verifier {
        &self.0
    }
}

impl From<Verifier> for HubKey {
    fn from(verifier: Verifier) -> Self {
        Self(verifier)
    }
}

impl std::str::FromStr for HubKey {
    type Err = BadKey;

    /// Parses the key from the first line that is not blank. Ignores further lines, because a kept checkpoint begins
    /// with its key.
    fn from_str(text: &str) -> Result<Self, BadKey> {
        let line = text.trim_start().lines().next().unwrap_or_default();
        Ok(Self(line.trim_end().parse::<Verifier>()?))
    }
}

impl std::fmt::Display for HubKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}
