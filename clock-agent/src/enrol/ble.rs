//! Enrolment over Bluetooth LE: the clock shows sixteen digits, and an arbiter types them at the hub. Owns the lifetime of a code. The handshake
//! proves that the peer knows the code.

use std::time::Duration;

use proto::ble::{Channel, LocalKeys, PairingCode, Received};
use proto::exchange::exchange_key;
use proto::frame::{decode, encode};
use proto::wire::EnrolAnswer;
use tokio::time::{sleep, timeout};

use super::{ANSWER_TIMEOUT, EnrolError, accepted, request, stored_enrolment};
use crate::identity::{Enrolment, Keys};
use crate::links::LinkEnd;
use crate::links::ble::peripheral::{AdvertisedClock, RadioError};
use crate::links::ble::{BleLink, Radio, Values, random};

/// Number of failed attempts after which a code is replaced, because each handshake gives an attacker one guess at the code.
const MAX_ATTEMPTS: u32 = 3;
const RETRY_DELAY: Duration = Duration::from_secs(2);
const CODE_LIFETIME: Duration = Duration::from_secs(600);

/// Advertises until the clock is enrolled with the code most recently passed to `show`. Never gives up.
///
/// # Errors
/// Returns [`EnrolError::Local`] if no random bytes are available. A missing radio is not an error: the function waits for it.
pub async fn enrol_over_ble(
    keys: &Keys,
    radio: &mut impl Radio,
    name: &str,
    battery: Option<u8>,
    show: impl Fn(&PairingCode) + Send,
) -> Result<Enrolment, EnrolError> {
    let shown = AdvertisedClock {
        agent: keys.agent_id(),
        enrolled: false,
        name: name.to_owned(),
        battery,
    };
    loop {
        let mut drawn = [0; 8];
        getrandom::fill(&mut drawn).map_err(|error| EnrolError::Local(error.to_string()))?;
        let code = PairingCode::from_random(drawn);
        show(&code);
        let with_this_code = async {
            for _ in 0..MAX_ATTEMPTS {
                let values = radio.next(&shown).await?;
                match over(values, keys, &code, name).await {
                    Ok(enrolment) => return Ok(Some(enrolment)),
                    Err(error) => tracing::warn!(%error, "not enrolled"),
                }
            }
            Ok::<_, RadioError>(None)
        };
        match timeout(CODE_LIFETIME, with_this_code).await {
            Ok(Ok(Some(enrolment))) => return Ok(enrolment),
            Ok(Err(error)) => {
                tracing::warn!(%error, "no radio: retrying every 2 s");
                sleep(RETRY_DELAY).await;
            }
            // Continue with a new code.
            Ok(Ok(None)) | Err(_) => {}
        }
    }
}

async fn over(
    values: Values,
    keys: &Keys,
    code: &PairingCode,
    name: &str,
) -> Result<Enrolment, EnrolError> {
    let broke = |end: LinkEnd| EnrolError::Broke(end.to_string());
    let own = LocalKeys {
        secret: &keys.exchange_secret(),
        random: random().map_err(broke)?,
    };
    let channel = Channel::enrolment(own, code);
    let (mut link, came) = BleLink::handshake(values, channel).await.map_err(broke)?;
    let Received::Opened { binding, peer } = came else {
        return Err(EnrolError::Broke("no handshake".to_owned()));
    };
    let request = request(keys, &binding, name);
    let bytes = encode(&request).map_err(|error| EnrolError::Local(error.to_string()))?;
    link.queue(&bytes).map_err(broke)?;
    let answer = match timeout(ANSWER_TIMEOUT, link.receive()).await {
        Ok(Ok(Received::Frame(bytes))) => decode::<EnrolAnswer>(&bytes)
            .map_err(|error| EnrolError::BadAnswer(error.to_string()))?,
        Ok(Ok(Received::Nothing | Received::SessionRequest { .. } | Received::Opened { .. }))
        | Err(_) => {
            return Err(EnrolError::Broke("no answer".to_owned()));
        }
        Ok(Err(end)) => return Err(broke(end)),
    };
    let enrolled = accepted(answer)?;
    let key = exchange_key(&enrolled.exchange_key)
        .map_err(|error| EnrolError::BadAnswer(format!("the hub's X25519 key {error}")))?;
    let whole = !enrolled.certificate_der.is_empty()
        && !enrolled.authority_der.is_empty()
        && !enrolled.log_origin.is_empty()
        && key == peer;
    if !whole {
        let what = "certificate, authority, log or key is missing";
        return Err(EnrolError::BadAnswer(what.to_owned()));
    }
    Ok(stored_enrolment(enrolled, String::new()))
}
