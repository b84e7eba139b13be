//! A clock's enrolment: the request, and the validation of an answer that came over Bluetooth LE. Owns neither keys nor links.

use alloc::borrow::ToOwned;
use alloc::string::String;

use ed25519_dalek::SigningKey;
use proto::chain::sign_enrolment;
use proto::wire::{EnrolAnswer, EnrolRequest, Enrolled, enrol_answer};
use x25519_dalek::{PublicKey, StaticSecret};

const NAME: usize = 64;

/// The reason why an enrolment failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EnrolmentError {
    /// The hub refused, for example because the code was used, has expired or is unknown.
    #[error("the hub refused: {0}")]
    Refused(String),
    /// The answer is incomplete or inconsistent.
    #[error("the hub's answer is invalid: {0}")]
    BadAnswer(&'static str),
}

/// Returns the public X25519 key that belongs to `secret`.
pub fn exchange_key(secret: &[u8; 32]) -> [u8; 32] {
    PublicKey::from(&StaticSecret::from(*secret)).to_bytes()
}

/// Returns the request to enrol these keys. Suggests `name`, cut to at most 64 bytes. `token` comes from the code or the link.
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

/// Validates the `answer` that came over Bluetooth LE from the holder of the X25519 key `hub`.
///
/// # Errors
/// Returns an [`EnrolmentError`] if the hub refused or its answer is invalid.
pub fn over_ble(answer: EnrolAnswer, hub: &[u8; 32]) -> Result<Enrolled, EnrolmentError> {
    let enrolled = match answer.answer {
        Some(enrol_answer::Answer::Enrolled(enrolled)) => enrolled,
        Some(enrol_answer::Answer::Refused(why)) => return Err(EnrolmentError::Refused(why)),
        // The arbiter chose this clock by typing its code, so no admission is needed.
        Some(enrol_answer::Answer::Waiting(_)) => {
            return Err(EnrolmentError::BadAnswer("it asks the clock to wait"));
        }
        None => return Err(EnrolmentError::BadAnswer("it is empty")),
    };
    if enrolled.log_origin.is_empty() {
        return Err(EnrolmentError::BadAnswer("it names no log"));
    }
    if proto::exchange::exchange_key(&enrolled.exchange_key).as_ref() != Ok(hub) {
        return Err(EnrolmentError::BadAnswer(
            "its key is not the key used on this link",
        ));
    }
    Ok(enrolled)
}
