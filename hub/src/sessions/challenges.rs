//! Challenges that a device answers with its key to enrol or to begin a new session. Each carries its own time and the hub's authentication tag, so
//! the hub stores no open challenges and a flood of requests cannot evict any. The hub stores only answered challenges, until they expire.

use std::collections::BTreeMap;
use std::sync::Mutex;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::hmac;
use timing::{Duration, Hub, Instant};

use crate::identity::{IdentityError, random};
use crate::lock::lock;

/// Prefix of the text that a device signs to renew its session. Commands are signed with a different prefix, so neither signature can replace the
/// other.
pub(super) const PURPOSE: &str = "flagfall-session-v1\n";
const GOOD_FOR: Duration = Duration::from_secs(60);
/// Number of bytes before the tag: the instant and a nonce.
const HEAD: usize = 8 + 16;

pub(super) struct Challenges {
    key: hmac::Key,
    /// The answered challenges, each with the time at which the challenge was made.
    answered: Mutex<BTreeMap<[u8; HEAD], Instant<Hub>>>,
}

impl Challenges {
    pub(super) fn new() -> Result<Self, IdentityError> {
        Ok(Self {
            key: hmac::Key::new(hmac::HMAC_SHA256, &random::<32>()?),
            answered: Mutex::default(),
        })
    }

    pub(super) fn ask(&self, now: Instant<Hub>) -> Result<String, IdentityError> {
        let mut bytes = now.as_micros().to_be_bytes().to_vec();
        bytes.extend(random::<16>()?);
        let mark = hmac::sign(&self.key, &bytes);
        bytes.extend(mark.as_ref());
        Ok(URL_SAFE_NO_PAD.encode(bytes))
    }

    /// Marks `challenge` as answered. Returns true if this run of the hub made it, it is still valid, and it was not answered before. The
    /// caller must already have checked the signature of the answer.
    pub(super) fn answered(&self, challenge: &str, now: Instant<Hub>) -> bool {
        let Ok(bytes) = URL_SAFE_NO_PAD.decode(challenge) else {
            return false;
        };
        let Some((head, mark)) = bytes.split_first_chunk::<HEAD>() else {
            return false;
        };
        if hmac::verify(&self.key, head, mark).is_err() {
            return false;
        }
        let Some((made, _)) = head.split_first_chunk() else {
            return false;
        };
        let made = Instant::from_micros(i64::from_be_bytes(*made));
        let mut answered = lock(&self.answered);
        answered.retain(|_, made| now < *made + GOOD_FOR);
        now < made + GOOD_FOR && answered.insert(*head, made).is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(secs: i64) -> Instant<Hub> {
        Instant::from_micros(secs * 1_000_000)
    }

    #[test]
    fn a_challenge_is_valid_once_and_for_a_minute() {
        let challenges = Challenges::new().unwrap();
        let first = challenges.ask(at(100)).unwrap();
        let second = challenges.ask(at(100)).unwrap();
        assert!(challenges.answered(&first, at(159)));
        assert!(!challenges.answered(&first, at(159)));
        assert!(!challenges.answered(&second, at(160)));
        assert!(!challenges.answered(&first, at(161)));
    }

    #[test]
    fn only_own_challenges_are_valid() {
        let (ours, other) = (Challenges::new().unwrap(), Challenges::new().unwrap());
        let theirs = other.ask(at(1)).unwrap();
        let mut changed = ours.ask(at(1)).unwrap();
        changed.replace_range(0..1, "B");
        for challenge in [theirs.as_str(), &changed, "", "!", "AAAA"] {
            assert!(!ours.answered(challenge, at(2)), "{challenge}");
        }
    }
}
