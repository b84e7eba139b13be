//! Enrolment over Bluetooth LE: the clock shows sixteen digits, an arbiter types them at the hub. Owns how long a code is good;
//! the proof that the other end knows it is the handshake's.

use std::time::Duration;

use proto::ble::{Channel, LocalKeys, PairingCode, Received};
use proto::frame::{decode, encode};
use proto::wire::EnrolAnswer;
use tokio::time::{sleep, timeout};

use super::{ANSWER, EnrolError, granted, kept, request};
use crate::identity::{Enrolment, Keys};
use crate::links::LinkEnd;
use crate::links::ble::peripheral::{RadioError, Shown};
use crate::links::ble::{BleLink, Radio, Values, random};

/// A code is replaced after so many handshakes that failed: each gives a guesser something to work on.
const TRIES: u32 = 3;
/// A radio that is not there is looked for this often.
const AGAIN: Duration = Duration::from_secs(2);
/// A code is replaced after this long.
const GOOD_FOR: Duration = Duration::from_secs(600);

/// Waits on the air until an arbiter has typed the code that `show` was told last. Tries for ever.
///
/// # Errors
/// [`EnrolError::Local`]. A radio that is not there is waited for.
pub async fn enrol_over_ble(
    keys: &Keys,
    radio: &mut impl Radio,
    name: &str,
    battery: Option<u8>,
    show: impl Fn(&PairingCode) + Send,
) -> Result<Enrolment, EnrolError> {
    let shown = Shown {
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
            for _ in 0..TRIES {
                let values = radio.next(&shown).await?;
                match over(values, keys, &code, name).await {
                    Ok(enrolment) => return Ok(Some(enrolment)),
                    Err(error) => tracing::warn!(%error, "not enrolled"),
                }
            }
            Ok::<_, RadioError>(None)
        };
        match timeout(GOOD_FOR, with_this_code).await {
            Ok(Ok(Some(enrolment))) => return Ok(enrolment),
            Ok(Err(error)) => {
                tracing::warn!(%error, "no radio: tried again every 2 s");
                sleep(AGAIN).await;
            }
            // A new code.
            Ok(Ok(None)) | Err(_) => {}
        }
    }
}

/// One attempt.
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
    let (mut link, came) = BleLink::shake(values, channel).await.map_err(broke)?;
    let Received::Opened { binding, peer } = came else {
        return Err(EnrolError::Broke("no handshake".to_owned()));
    };
    let request = request(keys, &binding, name);
    let bytes = encode(&request).map_err(|error| EnrolError::Local(error.to_string()))?;
    link.queue(&bytes).map_err(broke)?;
    let answer = match timeout(ANSWER, link.come()).await {
        Ok(Ok(Received::Frame(bytes))) => decode::<EnrolAnswer>(&bytes)
            .map_err(|error| EnrolError::BadAnswer(error.to_string()))?,
        Ok(Ok(Received::Nothing | Received::SessionRequest { .. } | Received::Opened { .. }))
        | Err(_) => {
            return Err(EnrolError::Broke("no answer".to_owned()));
        }
        Ok(Err(end)) => return Err(broke(end)),
    };
    let enrolled = granted(answer)?;
    let whole = !enrolled.certificate_der.is_empty()
        && !enrolled.authority_der.is_empty()
        && !enrolled.log_origin.is_empty()
        && enrolled.exchange_key == peer;
    if !whole {
        let what = "certificate, authority, log or key is missing";
        return Err(EnrolError::BadAnswer(what.to_owned()));
    }
    Ok(kept(enrolled, String::new()))
}
