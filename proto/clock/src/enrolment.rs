//! A clock's words at its enrolment, whatever carries them: the question, and whether the answer holds together. Owns neither keys nor links.

use alloc::borrow::ToOwned;
use alloc::string::String;

use ed25519_dalek::SigningKey;
use proto::chain::sign_enrolment;
use proto::wire::{EnrolAnswer, EnrolRequest, Enrolled, enrol_answer};
use x25519_dalek::{PublicKey, StaticSecret};

/// Bytes of a name that a clock may ask for.
const NAME: usize = 64;

/// Why an answer enrols nobody.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotEnrolled {
    /// The hub says no: code used, too old, unknown.
    #[error("the hub refuses: {0}")]
    Refused(String),
    /// The answer does not hold together.
    #[error("the hub's answer cannot be used: {0}")]
    BadAnswer(&'static str),
}

/// The X25519 key of this secret.
pub fn exchange_key(secret: &[u8; 32]) -> [u8; 32] {
    PublicKey::from(&StaticSecret::from(*secret)).to_bytes()
}

/// What a clock asks: to be known by these keys, and by `name` if the hub has no other. `token` is the code's, or the link's.
pub fn request(
    signing: &SigningKey,
    exchange_key: &[u8; 32],
    token: &[u8; 16],
    name: &str,
) -> EnrolRequest {
    let mut name = name.to_owned();
    name.truncate(name.floor_char_boundary(NAME));
    EnrolRequest {
        major: proto::MAJOR,
        minor: proto::MINOR,
        token: token.to_vec(),
        signing_key: signing.verifying_key().to_bytes().to_vec(),
        exchange_key: exchange_key.to_vec(),
        name,
        signature: sign_enrolment(token, exchange_key, signing),
        ..EnrolRequest::default()
    }
}

/// The enrolment in the `answer` that came over Bluetooth LE from the holder of the X25519 key `hub`.
///
/// # Errors
/// [`NotEnrolled`].
pub fn over_ble(answer: EnrolAnswer, hub: &[u8; 32]) -> Result<Enrolled, NotEnrolled> {
    let enrolled = match answer.answer {
        Some(enrol_answer::Answer::Enrolled(enrolled)) => enrolled,
        Some(enrol_answer::Answer::Refused(why)) => return Err(NotEnrolled::Refused(why)),
        // The code of this link is the clock's own: its arbiter has already chosen it.
        Some(enrol_answer::Answer::Waiting(_)) => {
            return Err(NotEnrolled::BadAnswer("it asks the clock to wait"));
        }
        None => return Err(NotEnrolled::BadAnswer("it is empty")),
    };
    if enrolled.log_origin.is_empty() {
        return Err(NotEnrolled::BadAnswer("it names no log"));
    }
    if enrolled.exchange_key != hub {
        return Err(NotEnrolled::BadAnswer(
            "its key is not the one of this link",
        ));
    }
    Ok(enrolled)
}
