//! Handles the page's requests about a session. Owns the rules for them. A code is used only with its own key, and every proof is signed here, for
//! the hub that issued the challenge. The page never sees a signed challenge, so it cannot open a session elsewhere.

use proto::enrolment::EnrolmentCode;
use proto::ids::hex;

use super::{Known, Shell, blocking};
use crate::error::ShellError;
use crate::hub_client::{Enrolment, FullResponse, Proof, SessionRequest};
use crate::keys::KeyPlace;

const MAX_CHALLENGES: usize = 8;

impl Shell {
    /// Sends a request about a session to the hub that issued `code`; without a code, to this device's hub.
    ///
    /// # Errors
    /// Returns the same errors as [`Self::unary`]; with [`ShellError::OtherHub`], nothing was sent. Returns [`ShellError::Request`] for an enrolment
    /// without a code, and for a key or challenge that does not belong to the code or to the hub. Returns
    /// [`ShellError::Storage`] if TLS is not available, or if the key cannot be read or used.
    pub async fn session(
        &self,
        request: &SessionRequest,
        code: Option<&EnrolmentCode>,
    ) -> Result<FullResponse, ShellError> {
        let hub = match code {
            Some(code) => self.hub_of(code).await?,
            None => self.hub().await?,
        };
        let request = match request {
            SessionRequest::Ask(path) => SessionRequest::Ask(path),
            SessionRequest::Enrol(enrolment) => {
                let key = self.check_key_of_code(enrolment, code).await?;
                SessionRequest::Enrol(
                    self.signed_enrolment(enrolment, &key, hub.authority())
                        .await?,
                )
            }
            SessionRequest::Renew(proof) => {
                SessionRequest::Renew(self.signed(proof, hub.authority()).await?)
            }
        };
        let answer = hub.session(&request).await;
        if code.is_none() {
            self.store_new_address(&hub).await;
        }
        let answer = answer?;
        if let Some(challenge) = request.challenge(&answer.body) {
            let mut challenges = self.challenges.lock().await;
            if challenges.len() == MAX_CHALLENGES {
                challenges.remove(0);
            }
            challenges.push((hub.authority(), challenge));
        }
        Ok(answer)
    }

    /// Checks that a request uses the code's own key, and returns that key's device.
    async fn check_key_of_code(
        &self,
        enrolment: &Enrolment,
        code: Option<&EnrolmentCode>,
    ) -> Result<String, ShellError> {
        let code = code.ok_or(ShellError::Request("the enrolment has no code"))?;
        let names_code =
            enrolment.authority == hex(&code.authority) && enrolment.token == hex(&code.token);
        let key = self.recorded_key_of(code).await?;
        let key = key.filter(|key| names_code && key.public_key == enrolment.public_key);
        key.map(|key| key.device)
            .ok_or(ShellError::Request("the key does not belong to the code"))
    }

    async fn signed(&self, proof: &Proof, authority: [u8; 16]) -> Result<Proof, ShellError> {
        let place = self.place_at(&proof.device, authority).await?;
        self.use_challenge(&proof.challenge, authority).await?;
        let key = self.load(&proof.device, place).await?;
        let mut signed = proof.clone();
        signed.signature = key.sign_challenge(&proof.challenge)?;
        Ok(signed)
    }

    async fn signed_enrolment(
        &self,
        enrolment: &Enrolment,
        device: &str,
        authority: [u8; 16],
    ) -> Result<Enrolment, ShellError> {
        let place = self.place_at(device, authority).await?;
        self.use_challenge(&enrolment.challenge, authority).await?;
        let key = self.load(device, place).await?;
        let mut signed = enrolment.clone();
        signed.signature =
            key.sign_enrolment(&enrolment.authority, &enrolment.token, &enrolment.challenge)?;
        Ok(signed)
    }

    /// Removes a challenge issued by the hub with this authority, because each challenge is signed only once.
    async fn use_challenge(&self, challenge: &str, authority: [u8; 16]) -> Result<(), ShellError> {
        let mut challenges = self.challenges.lock().await;
        let at = challenges
            .iter()
            .position(|(of, given)| (*of, given.as_str()) == (authority, challenge));
        let at = at.ok_or(ShellError::Request("the hub did not issue this challenge"))?;
        challenges.remove(at);
        Ok(())
    }

    /// Returns the place of a key that the hub with this authority has accepted, or was asked to accept.
    async fn place_at(&self, device: &str, authority: [u8; 16]) -> Result<KeyPlace, ShellError> {
        let mut known = self.hub.lock().await;
        self.read_into(&mut known).await;
        if let Known::Hub(now, hub) = &*known
            && (now.device.as_str(), hub.authority()) == (device, authority)
        {
            return Ok(now.key);
        }
        drop(known);
        let (folder, device) = (self.pending_keys.clone(), device.to_owned());
        let record = blocking(move || Ok(folder.find(&device))).await?;
        let record = record.filter(|(of_hub, _)| *of_hub == authority);
        let record = record.ok_or(ShellError::Request("the key does not belong to this hub"))?;
        Ok(record.1.key)
    }
}
