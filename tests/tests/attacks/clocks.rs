//! Attacks on the clocks' port, such as wrong certificates, forged and replayed events, malformed frames, slow peers and false hubs.

use anyhow::{Context as _, bail, ensure};
use clock_agent::identity::Identity;
use clock_agent::links::quic::{Dialer, HubLocation, QuicConnector};
use clock_agent::links::{ConnectError, Connector as _};
use hub::identity::Role;
use proto::frame::encode_prefixed;
use proto::grpc::CommandRequest;
use proto::grpc::command_request::Command;
use proto::quic::{ALPN_ENROL, ALPN_GATEWAY, ALPN_SESSION};
use proto::wire::{AgentFrame, Button, Event, GoodbyeReason, Hello, HubFrame, Show, Watermark};
use tests::attack::{
    Badge, Forger, Hall, Holder, badge, dial, ended, expired_agent, foreign_authority, hello, press,
};

use super::{Run, attacks};
use tests::attack::Attack;

pub(crate) const CLOCKS: &[Attack<Run>] = attacks![
    "no certificate", "the address", "told to enrol" => no_certificate;
    "certificate of another hub", "another hub's authority", "the handshake fails" => foreign_certificate;
    "expired certificate", "an old certificate of this hub", "the handshake fails" => expired_certificate;
    "self-signed certificate with a clock's name", "a clock's public key", "the handshake fails" => self_signed;
    "chief's key file as a clock", "the chief's key file", "refused as no clock" => chief_as_clock;
    "clock as a gateway", "a stolen clock", "refused as no gateway" => clock_as_gateway;
    "session with the enrolment's protocol", "a stolen clock", "closed without a session" => session_over_enrolment;
    "unknown protocol", "the address", "the handshake fails" => unknown_protocol;
    "revoked clock comes back", "a revoked clock", "refused as revoked" => revoked_comes_back;
    "revoked clock stays connected", "a clock in session", "cut off at once" => revoked_in_session;
    "second link of an honest clock", "a copy of its card", "refused; the first stays" => cloned_clock;
    "event with an altered signature", "a stolen clock", "the session ends" => altered_signature;
    "event with an altered body", "a stolen clock", "the session ends" => altered_body;
    "event signed with another key", "another clock's key", "the session ends" => other_key;
    "event of another clock", "an overheard event", "the session ends" => event_of_another;
    "event of another board's chain re-signed", "an overheard event", "the session ends" => resigned_event;
    "event repeated", "a stolen clock", "counted once" => repeated_event;
    "event after a gap", "a stolen clock", "the session ends" => gap;
    "event that names another one before it", "a stolen clock", "the session ends" => wrong_hash;
    "two events with one number", "a stolen clock", "the session ends" => equivocation;
    "events in the wrong order", "a stolen clock", "the session ends" => reordered;
    "event before the hello", "a stolen clock", "the session ends" => event_first;
    "hello twice", "a stolen clock", "the session ends" => hello_twice;
    "hub's frame to the hub", "a stolen clock", "the session ends" => frame_of_a_hub;
    "hello of an unknown version", "a stolen clock", "refused politely" => unknown_version;
    "watermark without a signature of its own", "a stolen clock", "no press is dropped" => forged_watermark;
    "watermark with a stamp at the end of time", "a stolen clock", "the hub goes on" => absurd_watermark;
    "event with a stamp at the end of time", "a stolen clock", "the hub goes on" => absurd_stamp;
    "frame longer than announced kinds may be", "a stolen clock", "the session ends" => oversized_announcement;
    "event longer than events may be", "a stolen clock", "the session ends" => oversized_event;
    "hello longer than hellos may be", "a stolen clock", "the session ends" => oversized_hello;
    "noise on the stream", "a stolen clock", "the session ends" => noise;
    "noise in a datagram", "a stolen clock", "the session ends" => noise_in_datagram;
    "empty frames", "a stolen clock", "the session ends" => empty_frames;
    "hello that never ends", "a stolen clock", "closed after 5 s" => slow_hello;
    "session without a stream", "a stolen clock", "closed after 5 s" => no_stream;
    "more streams than a clock needs", "a stolen clock", "not granted" => many_streams;
    "another hub at the hub's address", "an address on the network", "the clock tells it nothing" => false_hub;
];

type Done = anyhow::Result<()>;

/// Connects with this badge and protocol, and sends a hello if the hub accepts the connection. The hub must refuse or end the connection. Returns
/// its reason.
async fn refused(hall: &Hall, protocol: &[u8], badge: Option<&Badge>) -> anyhow::Result<String> {
    let connection = match dial(hall.at.listen, protocol, badge).await {
        Ok(connection) => connection,
        Err(error) => return Ok(error.to_string()),
    };
    if let Ok((mut send, _)) = connection.open_bi().await {
        // Ignore errors: the hub may close the connection before it has read the hello.
        let _ = send.write_all(&hello()).await;
    }
    Ok(ended(&connection).await?.1)
}

#[track_caller]
fn says(text: &str, expected: &str) -> Done {
    ensure!(text.contains(expected), "the hub said {text:?}");
    Ok(())
}

async fn no_certificate(hall: &mut Hall) -> Done {
    let text = refused(hall, ALPN_SESSION, None).await?;
    says(&text, "not enrolled here")
}

async fn foreign_certificate(hall: &mut Hall) -> Done {
    let (authority, _) = foreign_authority()?;
    let agent = hall.honest[0].keys.agent_id();
    let mut identity = hall.honest[0].clone();
    identity.enrolment.certificate_der = authority.issue_agent(&agent)?.certificate.to_vec();
    let text = refused(hall, ALPN_SESSION, Some(&badge(&identity)?)).await?;
    says(&text, "issued by another hub")
}

async fn expired_certificate(hall: &mut Hall) -> Done {
    let agent = hall.honest[0].keys.agent_id();
    let badge = expired_agent(&hall.authority_pem()?, agent)?;
    let text = refused(hall, ALPN_SESSION, Some(&badge)).await?;
    says(&text.to_lowercase(), "expired")
}

async fn self_signed(hall: &mut Hall) -> Done {
    let badge = Holder::Agent(hall.honest[0].keys.agent_id()).self_signed()?;
    let text = refused(hall, ALPN_SESSION, Some(&badge)).await?;
    says(&text, "another hub")
}

async fn chief_as_clock(hall: &mut Hall) -> Done {
    let badge = hall.arbiter_badge(Role::Chief, "Ann")?;
    let text = refused(hall, ALPN_SESSION, Some(&badge)).await?;
    says(&text, "that of an arbiter")
}

async fn clock_as_gateway(hall: &mut Hall) -> Done {
    let clock = badge(&hall.stolen_clock().await?)?;
    let text = refused(hall, ALPN_GATEWAY, Some(&clock)).await?;
    says(&text, "not that of a gateway")
}

async fn session_over_enrolment(hall: &mut Hall) -> Done {
    let clock = badge(&hall.stolen_clock().await?)?;
    let text = refused(hall, ALPN_ENROL, Some(&clock)).await?;
    ensure!(!text.is_empty(), "closed without a reason");
    Ok(())
}

async fn unknown_protocol(hall: &mut Hall) -> Done {
    match dial(hall.at.listen, b"flagfall/99", None).await {
        Ok(_) => bail!("the hub speaks a protocol that does not exist"),
        Err(error) => says(&error.to_string(), "ALPN").or_else(|_| {
            // The error may give only the number of the TLS alert `no_application_protocol`.
            says(&error.to_string(), "120")
        }),
    }
}

async fn revoke(hall: &mut Hall, clock: &Identity) -> Done {
    let revoke = proto::grpc::RevokeAgent {
        agent: clock.keys.agent_id().to_string(),
    };
    let request = CommandRequest {
        id: rand::random::<[u8; 16]>().to_vec(),
        reason: "stolen".to_owned(),
        command: Some(Command::RevokeAgent(revoke)),
        ..CommandRequest::default()
    };
    hall.arbiter.client().send(request).await?;
    Ok(())
}

async fn revoked_comes_back(hall: &mut Hall) -> Done {
    let clock = hall.stolen_clock().await?;
    revoke(hall, &clock).await?;
    let mut forger = Forger::connect(hall.at.listen, &clock).await?;
    forger.say(&hello()).await;
    goodbye(&mut forger, GoodbyeReason::Revoked).await
}

async fn revoked_in_session(hall: &mut Hall) -> Done {
    let clock = hall.stolen_clock().await?;
    let mut forger = Forger::welcomed(hall.at.listen, &clock).await?;
    revoke(hall, &clock).await?;
    goodbye(&mut forger, GoodbyeReason::Revoked).await
}

async fn cloned_clock(hall: &mut Hall) -> Done {
    let mut forger = Forger::connect(hall.at.listen, &hall.honest[0]).await?;
    forger.say(&hello()).await;
    goodbye(&mut forger, GoodbyeReason::AlreadyConnected).await
}

async fn goodbye(forger: &mut Forger, reason: GoodbyeReason) -> Done {
    let goodbye = forger.goodbye().await?;
    ensure!(goodbye.reason() == reason, "the hub said {goodbye:?}");
    Ok(())
}

/// Sends this event. The hub must end the session as `BadChain` without acknowledging the event.
async fn event_is_refused(forger: &mut Forger, event: Event) -> Done {
    let before = forger.acknowledged;
    forger.tell(event).await;
    goodbye(forger, GoodbyeReason::BadChain).await?;
    ensure!(forger.acknowledged == before, "the hub acknowledged it");
    Ok(())
}

async fn forger(hall: &mut Hall) -> anyhow::Result<Forger> {
    let clock = hall.stolen_clock().await?;
    Forger::welcomed(hall.at.listen, &clock).await
}

async fn altered_signature(hall: &mut Hall) -> Done {
    let mut forger = forger(hall).await?;
    let mut event = forger.press();
    event.signature[10] ^= 1;
    event_is_refused(&mut forger, event).await
}

async fn altered_body(hall: &mut Hall) -> Done {
    let mut forger = forger(hall).await?;
    let mut event = forger.press();
    let last = event.body.len() - 1;
    event.body[last] ^= 1;
    event_is_refused(&mut forger, event).await
}

async fn other_key(hall: &mut Hall) -> Done {
    let other = hall.stolen_clock().await?;
    let mut forger = forger(hall).await?;
    forger.key = other.keys.signing_key().clone();
    let event = forger.press();
    event_is_refused(&mut forger, event).await
}

async fn event_of_another(hall: &mut Hall) -> Done {
    let event = hall.overheard().await?;
    let mut forger = forger(hall).await?;
    event_is_refused(&mut forger, event).await
}

async fn resigned_event(hall: &mut Hall) -> Done {
    let overheard = hall.overheard().await?;
    let mut forger = forger(hall).await?;
    let body = prost::Message::decode(overheard.body.as_slice())?;
    let event = proto::chain::sign(&body, &forger.key);
    event_is_refused(&mut forger, event).await
}

async fn repeated_event(hall: &mut Hall) -> Done {
    let clock = hall.stolen_clock().await?;
    let mut forger = Forger::welcomed(hall.at.listen, &clock).await?;
    let event = forger.press();
    for _ in 0..3 {
        forger.tell(event.clone()).await;
    }
    let next = forger.press();
    forger.tell(next).await;
    forger.acknowledged(2).await?;
    ensure!(
        forger.acknowledged == 2,
        "a repeated event has a number of its own"
    );
    forger.leave().await;
    let mut later = Forger::welcomed(hall.at.listen, &clock).await?;
    ensure!(
        later.acknowledged == 2,
        "the hub knows {}",
        later.acknowledged
    );
    later.tell(event).await;
    let ended = later.goodbye().await;
    ensure!(later.acknowledged == 2, "counted again: {ended:?}");
    Ok(())
}

async fn gap(hall: &mut Hall) -> Done {
    let mut forger = forger(hall).await?;
    forger.seq += 1;
    let event = forger.press();
    event_is_refused(&mut forger, event).await
}

async fn wrong_hash(hall: &mut Hall) -> Done {
    let mut forger = forger(hall).await?;
    forger.head = [7; 32];
    let event = forger.press();
    event_is_refused(&mut forger, event).await
}

async fn equivocation(hall: &mut Hall) -> Done {
    let mut forger = forger(hall).await?;
    let before = forger.head;
    let event = forger.press();
    forger.tell(event).await;
    forger.acknowledged(1).await?;
    let other = forger.signed(1, before, 9_000_000, press(Button::Right));
    event_is_refused(&mut forger, other).await
}

async fn reordered(hall: &mut Hall) -> Done {
    let mut forger = forger(hall).await?;
    let (_first, second) = (forger.press(), forger.press());
    event_is_refused(&mut forger, second).await
}

/// Sends bytes in a new session, either after the hello or in its place. The hub must end the session as `BadFrame`.
async fn bytes_are_refused(hall: &mut Hall, after_hello: bool, bytes: &[u8]) -> Done {
    let clock = hall.stolen_clock().await?;
    let mut forger = match after_hello {
        true => Forger::welcomed(hall.at.listen, &clock).await?,
        false => Forger::connect(hall.at.listen, &clock).await?,
    };
    forger.say(bytes).await;
    goodbye(&mut forger, GoodbyeReason::BadFrame).await
}

async fn event_first(hall: &mut Hall) -> Done {
    let clock = hall.stolen_clock().await?;
    let mut forger = Forger::connect(hall.at.listen, &clock).await?;
    let event = forger.press();
    forger.tell(event).await;
    goodbye(&mut forger, GoodbyeReason::BadFrame).await
}

async fn hello_twice(hall: &mut Hall) -> Done {
    bytes_are_refused(hall, true, &hello()).await
}

async fn frame_of_a_hub(hall: &mut Hall) -> Done {
    let show = Show {
        text: "Round 1 is over".to_owned(),
    };
    let bytes = encode_prefixed(&HubFrame::from(show))?;
    bytes_are_refused(hall, false, &bytes).await
}

async fn unknown_version(hall: &mut Hall) -> Done {
    let clock = hall.stolen_clock().await?;
    let mut forger = Forger::connect(hall.at.listen, &clock).await?;
    let hello = Hello {
        major: 99,
        next_seq: 1,
        boot: b"boot".to_vec(),
        ..Hello::default()
    };
    forger.tell(hello).await;
    goodbye(&mut forger, GoodbyeReason::Version).await
}

/// Sends a watermark that promises no press before 3,000 s but has another watermark's signature. The earlier press that follows must not be lost.
async fn forged_watermark(hall: &mut Hall) -> Done {
    let mut forger = forger(hall).await?;
    let event = forger.press();
    let signature = proto::chain::sign_watermark(1, 1, &forger.key);
    let mark = Watermark {
        at_us: 3_000_000_000,
        seq: 0,
        signature,
    };
    forger.tell(mark).await;
    forger.tell(event).await;
    forger.acknowledged(1).await
}

async fn absurd_watermark(hall: &mut Hall) -> Done {
    let mut forger = forger(hall).await?;
    let event = forger.press();
    for at_us in [i64::MAX, i64::MIN, -1] {
        let seq = u64::MAX;
        let signature = proto::chain::sign_watermark(at_us, seq, &forger.key);
        let mark = Watermark {
            at_us,
            seq,
            signature,
        };
        forger.tell(mark).await;
    }
    forger.tell(event).await;
    // The hub may end this session: the check of the hall after the attack decides.
    let _ = forger.acknowledged(1).await;
    Ok(())
}

async fn absurd_stamp(hall: &mut Hall) -> Done {
    for at_us in [i64::MAX, i64::MIN, 0] {
        let mut forger = forger(hall).await?;
        let event = forger.signed(1, forger.head, at_us, press(Button::Left));
        forger.tell(event).await;
        // The hub may log the press with its wrong stamp, or end the session.
        let _ = forger.acknowledged(1).await;
    }
    Ok(())
}

async fn oversized_announcement(hall: &mut Hall) -> Done {
    bytes_are_refused(hall, false, &[0xff, 0xff, 1, 2, 3]).await
}

async fn oversized_event(hall: &mut Hall) -> Done {
    let event = Event {
        body: vec![7; 3_000],
        signature: vec![7; 64],
    };
    bytes_are_refused(hall, true, &unbounded(event.into())?).await
}

async fn oversized_hello(hall: &mut Hall) -> Done {
    let hello = Hello {
        major: proto::MAJOR,
        firmware: "x".repeat(2_000),
        next_seq: 1,
        ..Hello::default()
    };
    bytes_are_refused(hall, false, &unbounded(hello.into())?).await
}

/// Encodes a frame without checking the maximum length of its kind.
fn unbounded(frame: AgentFrame) -> anyhow::Result<Vec<u8>> {
    let body = prost::Message::encode_to_vec(&frame);
    let length = u16::try_from(body.len())?;
    Ok([&length.to_be_bytes()[..], &body].concat())
}

async fn noise(hall: &mut Hall) -> Done {
    let noise = [&[0, 200][..], &rand::random::<[u8; 32]>(), &[0xff; 168]].concat();
    bytes_are_refused(hall, true, &noise).await
}

async fn noise_in_datagram(hall: &mut Hall) -> Done {
    let mut forger = forger(hall).await?;
    forger.connection.send_datagram(vec![0xff; 9].into())?;
    goodbye(&mut forger, GoodbyeReason::BadFrame).await
}

async fn empty_frames(hall: &mut Hall) -> Done {
    bytes_are_refused(hall, true, &[0; 64]).await
}

async fn slow_hello(hall: &mut Hall) -> Done {
    let clock = hall.stolen_clock().await?;
    let mut forger = Forger::connect(hall.at.listen, &clock).await?;
    forger.say(&hello()[..1]).await;
    let said = forger.goodbye().await?;
    ensure!(said.reason() == GoodbyeReason::BadFrame, "{said:?}");
    Ok(())
}

async fn no_stream(hall: &mut Hall) -> Done {
    let clock = badge(&hall.stolen_clock().await?)?;
    let connection = dial(hall.at.listen, ALPN_SESSION, Some(&clock)).await?;
    let (code, text) = ended(&connection).await?;
    ensure!(code.is_some(), "not closed by the hub: {text}");
    Ok(())
}

async fn many_streams(hall: &mut Hall) -> Done {
    let forger = forger(hall).await?;
    // The hub grants a clock two bidirectional streams, of which the session uses one, and no unidirectional streams.
    let mut granted = Vec::new();
    while granted.len() < 8 {
        let open = forger.connection.open_bi();
        match futures::FutureExt::now_or_never(open) {
            Some(Ok(stream)) => granted.push(stream),
            Some(Err(_)) | None => break,
        }
    }
    ensure!(granted.len() < 2, "{} more streams", granted.len());
    let one_way = futures::FutureExt::now_or_never(forger.connection.open_uni());
    ensure!(!matches!(one_way, Some(Ok(_))), "a one-way stream");
    Ok(())
}

async fn false_hub(hall: &mut Hall) -> Done {
    let other = Hall::open(1, &[]).await?;
    let clock = hall.stolen_clock().await?;
    let location = HubLocation::At(other.at.listen.to_string().parse()?);
    let mut connector = QuicConnector::new(&clock, Dialer::open()?, location, Box::new(|_| ()))?;
    match connector.connect().await {
        Err(ConnectError::Refused(why)) => {
            says(&why, "not the one this clock is enrolled with")?;
        }
        Err(ConnectError::Away(why)) => bail!("the clock takes it for an absent hub: {why}"),
        Ok(_) => bail!("the clock speaks to another hub"),
    }
    other.close().await.context("the other hall")
}
