//! The hub's public key, as people pass it on. Owns its text form. The key must never come from the file that it
//! checks.

use proto::note::{KeyError, Verifier};

/// The public key of a hub's log: the text `name+id+key` that `flagfall export` prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HubKey(Verifier);

/// The reason why a text is not the key of a hub's log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is not the public key of a hub's log, which looks like name+id+key: {0}")]
pub struct BadKey(#[from] KeyError);

impl HubKey {
    /// Returns the verifier for checkpoints.
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

    /// Parses the key from the first line, because a kept checkpoint begins with the key.
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
