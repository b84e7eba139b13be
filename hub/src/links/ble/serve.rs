//! Serves one connection: the hub's end of the handshake, then an ordinary session or an enrolment.

use std::time::Duration;

use proto::ble::{Channel, LocalKeys, PairingCode, Received};
use proto::frame::{decode, encode};
use proto::ids::AgentId;
use proto::wire::{EnrolAnswer, EnrolRequest, GoodbyeReason, enrol_answer};
use timing::{Hub, Instant};
use tokio::time::timeout;

use super::carrier::{Carrier, ChannelCarrier, goodbye};
use crate::identity::random;
use crate::links::{Context, session};
use hall::AskAgents;

const HANDSHAKE_WITHIN: Duration = Duration::from_secs(10);
const ENROLMENT_WITHIN: Duration = Duration::from_secs(10);

pub(super) async fn session(
    carrier: Carrier,
    address: &str,
    opened: Instant<Hub>,
    context: &Context,
) -> Result<(), String> {
    let mut ends = ChannelCarrier::new(channel(context, None)?, carrier);
    let handshake = tokio::select! {
        handshake = timeout(HANDSHAKE_WITHIN, ends.receive()) => handshake,
        () = context.ending.cancelled() => return Err("the hub is shutting down".to_owned()),
    };
    let (received, _) = handshake.map_err(|_| "no handshake within 10 s")??;
    let Received::SessionRequest {
        agent,
        exchange_key,
    } = received
    else {
        return Err("no handshake".to_owned());
    };
    let refusal = admission(&agent, &exchange_key, context).await?;
    ends.channel.answer().map_err(|error| error.to_string())?;
    if let Some(text) = refusal {
        tracing::warn!(address, agent = agent.short(), text, "a clock was refused");
        let frame = goodbye(GoodbyeReason::NotEnrolled, &text).map_err(|e| e.to_string())?;
        ends.channel.send(&frame).map_err(|e| e.to_string())?;
        // Ignore the result: the clock may disconnect at any time.
        let _ = timeout(HANDSHAKE_WITHIN, ends.drain()).await;
        return Err(text);
    }
    let (link, task) = ends.link();
    session::serve(agent, address, opened, link, None, context.clone()).await;
    // The task ends with the link, or within a second of the goodbye.
    let _ = task.await;
    Ok(())
}

/// Returns the reason to refuse a peer that claims to be `agent` and holds `exchange_key`; `None` to admit it.
async fn admission(
    agent: &AgentId,
    exchange_key: &[u8; 32],
    context: &Context,
) -> Result<Option<String>, String> {
    let agents = context.hub.ask(AskAgents).await;
    let agents = agents.map_err(|denied| denied.to_string())?;
    let Some(known) = agents.iter().find(|known| known.agent == *agent) else {
        let why = "this clock is not enrolled here: enrol it again";
        return Ok(Some(why.to_owned()));
    };
    if known.exchange_key != exchange_key {
        // The peer claims to be a clock but holds a different key, so it gets no reply.
        let agent = agent.short();
        return Err(format!(
            "{agent} presented a key other than the one it enrolled with"
        ));
    }
    // A revoked clock is admitted too: the hall tells it that it is revoked, as it does over QUIC.
    Ok(None)
}

pub(super) async fn enrolment(
    carrier: Carrier,
    address: &str,
    code: &PairingCode,
    context: &Context,
) -> Result<(), String> {
    let mut ends = ChannelCarrier::new(channel(context, Some(code.clone()))?, carrier);
    let served = timeout(ENROLMENT_WITHIN, async {
        let (Received::Opened { binding, peer }, _) = ends.receive().await? else {
            return Err("no handshake".to_owned());
        };
        let (Received::Frame(bytes), _) = ends.receive().await? else {
            return Err("no request".to_owned());
        };
        let request: EnrolRequest = decode(&bytes).map_err(|error| error.to_string())?;
        if request.token != binding || request.exchange_key != peer {
            return Err("the request was made for a different link".to_owned());
        }
        let enrolled = context.desk.enrol_paired(request, code).await;
        let answer = match &enrolled {
            Ok(enrolled) => enrol_answer::Answer::Enrolled(enrolled.clone()),
            Err(refusal) => enrol_answer::Answer::Refused(refusal.to_string()),
        };
        let answer = EnrolAnswer {
            answer: Some(answer),
        };
        let bytes = encode(&answer).map_err(|error| error.to_string())?;
        ends.channel.send(&bytes).map_err(|e| e.to_string())?;
        // Wait until the clock disconnects, which it does once it has received the response.
        while ends.receive().await.is_ok() {}
        enrolled.map(|_| ()).map_err(|refusal| refusal.to_string())
    });
    served.await.unwrap_or_else(|_| {
        tracing::debug!(address, "an enrolment over Bluetooth LE took too long");
        Err("the enrolment took longer than 10 s".to_owned())
    })
}

fn channel(context: &Context, code: Option<PairingCode>) -> Result<Channel, String> {
    let own = LocalKeys {
        secret: &context.desk.exchange_secret(),
        random: random().map_err(|error| error.to_string())?,
    };
    Ok(Channel::hub(own, code))
}
