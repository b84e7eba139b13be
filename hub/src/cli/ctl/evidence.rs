//! `flagfall ctl evidence`: prints the log's proofs that a clock contradicted its own signed statement. Checks each proof with the key in it.

use prost::Message;
use proto::chain::{verify, verify_watermark};
use proto::grpc::ReadLogRequest;
use proto::ids::{AgentId, hex};
use proto::log::{Equivocation, record};
use proto::wire::{Event, EventBody};
use serde_json::json;

use crate::cli::client::Client;
use crate::cli::history::decode;
use crate::cli::output::{Result, print};

pub(super) async fn read(client: &mut Client, board: String, as_json: bool) -> Result<()> {
    let request = ReadLogRequest {
        board,
        ..ReadLogRequest::default()
    };
    let mut lines = client.read_log(request).await?.into_inner();
    let mut proofs = 0;
    while let Some(line) = lines.message().await? {
        let record = decode(line.index, &line.record)?;
        let Some(record::Input::Equivocation(said)) = record.input else {
            continue;
        };
        proofs += 1;
        let holds = holds(&said);
        if as_json {
            print(json!({
                "index": line.index, "hub_us": line.hub_us, "board": line.board, "text": line.text,
                "agent": hex(&said.agent), "holds": holds.is_ok(),
                "body": hex(&said.body), "signature": hex(&said.signature),
                "other_body": hex(&said.other_body), "other_signature": hex(&said.other_signature),
                "watermark": said.watermark.as_ref().map(|word| json!({
                    "at_us": word.at_us, "seq": word.seq, "signature": hex(&word.signature),
                })),
            }))?;
        } else {
            print(describe(line.index, &line.text, &said, &holds))?;
        }
    }
    if proofs == 0 && !as_json {
        print("no clock has contradicted its own signed statements")?;
    }
    Ok(())
}

/// Formats the proof, with the key, the event bodies and the signatures in hexadecimal.
fn describe(index: u64, text: &str, said: &Equivocation, holds: &Result<(), String>) -> String {
    let verdict = match holds {
        Ok(()) => {
            "both signatures are the clock's, but the two statements cannot both be true".to_owned()
        }
        Err(why) => format!("THE PROOF IS NOT VALID: {why}"),
    };
    let other = match &said.watermark {
        Some(word) => format!(
            "  promise   no event after event {} is stamped before {} us\n  signature {}",
            word.seq,
            word.at_us,
            hex(&word.signature)
        ),
        None => format!(
            "  event     {}\n  signature {}",
            hex(&said.other_body),
            hex(&said.other_signature)
        ),
    };
    format!(
        "record {index}: {text}\n  key       {}\n  event     {}\n  signature {}\n{other}\n  {verdict}",
        hex(&said.agent),
        hex(&said.body),
        hex(&said.signature)
    )
}

/// Checks that the clock signed both statements and that they contradict each other; otherwise returns the reason.
fn holds(said: &Equivocation) -> Result<(), String> {
    let agent = AgentId::try_from(said.agent.as_slice()).map_err(|error| error.to_string())?;
    let event = signed(&said.body, &said.signature, &agent)?;
    let contradicts = match &said.watermark {
        Some(word) => {
            verify_watermark(word.at_us, word.seq, &word.signature, &agent)
                .map_err(|error| error.to_string())?;
            event.seq > word.seq && event.at_us < word.at_us
        }
        None => {
            let other = signed(&said.other_body, &said.other_signature, &agent)?;
            let hash = proto::chain::chain_hash(&said.other_body);
            let in_its_place = event.seq == other.seq && said.body != said.other_body;
            let before_it = event.seq == other.seq + 1 && event.prev_hash != hash;
            in_its_place || before_it
        }
    };
    contradicts
        .then_some(())
        .ok_or_else(|| "the two statements do not contradict each other".to_owned())
}

fn signed(body: &[u8], signature: &[u8], agent: &AgentId) -> Result<EventBody, String> {
    let event = Event {
        body: body.to_vec(),
        signature: signature.to_vec(),
    };
    verify(&event, agent).map_err(|error| error.to_string())?;
    EventBody::decode(body).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use ed25519_dalek::SigningKey;
    use proto::chain::{sign, sign_watermark};
    use proto::log::SignedWatermark;

    use super::*;

    fn proof(at_us: i64, key: &SigningKey) -> Equivocation {
        let body = EventBody {
            seq: 5,
            at_us,
            ..EventBody::default()
        };
        let event = sign(&body, key);
        Equivocation {
            agent: key.verifying_key().to_bytes().to_vec(),
            body: event.body,
            signature: event.signature,
            watermark: Some(SignedWatermark {
                at_us: 1_000,
                seq: 4,
                signature: sign_watermark(1_000, 4, key),
            }),
            ..Equivocation::default()
        }
    }

    #[test]
    fn a_proof_holds_only_if_both_statements_are_signed_and_contradict_each_other() {
        let key = SigningKey::from_bytes(&[3; 32]);
        assert_eq!(holds(&proof(999, &key)), Ok(()));
        assert!(holds(&proof(1_000, &key)).is_err());
        let mut other = proof(999, &key);
        other.agent = SigningKey::from_bytes(&[4; 32])
            .verifying_key()
            .to_bytes()
            .to_vec();
        assert!(holds(&other).is_err());
        let mut later = proof(999, &key);
        later.watermark.as_mut().unwrap().at_us += 1;
        assert!(holds(&later).is_err());
        let (one, two) = (proof(1, &key), proof(2, &key));
        let twice = |other: &Equivocation| Equivocation {
            other_body: other.body.clone(),
            other_signature: other.signature.clone(),
            watermark: None,
            ..one.clone()
        };
        assert_eq!(holds(&twice(&two)), Ok(()));
        assert!(holds(&twice(&one)).is_err());
    }
}
