//! Enrolment: the request, the wait for an arbiter, the certificate.

use std::time::Duration;

use proto::chain::verify_enrolment;
use proto::exchange::exchange_key;
use proto::frame::encode_prefixed;
use proto::ids::AgentId;
use proto::quic::ALPN_ENROL;
use proto::wire::{EnrolAnswer, EnrolRequest, Enrolled, Waiting, enrol_answer};
use quinn::{Connection, SendStream};
use tokio::time::timeout;

use crate::kit::ledger::Ledger;
use crate::kit::link::read_request;
use crate::kit::{Kit, KitError, ORIGIN};
use crate::rule::Rule;
use crate::time_source::raw_us;

/// Time allowed for a person to enter the code.
const ENTER_WITHIN: Duration = Duration::from_secs(600);
/// Time limit for a request on a new connection.
const EXCHANGE: Duration = Duration::from_secs(10);
/// The delay that the kit asks of a waiting clock, in milliseconds.
const RETRY_MS: u32 = 700;
/// Tolerance for timers that end early, in milliseconds.
const EARLY_MS: i64 = 30;
const RETRY_WITHIN: Duration = Duration::from_secs(20);

pub(super) async fn run(kit: &mut Kit) -> Result<bool, KitError> {
    let Some((request, send, connection)) = request(kit, ENTER_WITHIN).await else {
        return Ok(false);
    };
    if !request.can_wait {
        kit.report
            .not_checked(Rule::E9, "this clock does not wait for an arbiter");
        return enrolled(kit, &request, send, connection).await;
    }
    let waiting = Waiting {
        number: "4711".to_owned(),
        again_ms: RETRY_MS,
    };
    // Measured before sending, because the clock may have the answer before this task continues.
    let answered_us = raw_us();
    answer(enrol_answer::Answer::Waiting(waiting), send, connection).await;
    let Some((again, send, connection)) = self::request(kit, RETRY_WITHIN).await else {
        kit.report.check(
            Rule::E9,
            false,
            format!("the request again after {RETRY_MS} ms"),
            "no request",
        );
        return Ok(false);
    };
    let passed_ms = (raw_us() - answered_us) / 1_000;
    let same_key = again.signing_key == request.signing_key;
    kit.report.check(
        Rule::E9,
        same_key && passed_ms >= i64::from(RETRY_MS) - EARLY_MS,
        format!("the same key again after {RETRY_MS} ms or more"),
        format!(
            "{} key after {passed_ms} ms",
            if same_key { "the same" } else { "a different" }
        ),
    );
    enrolled(kit, &again, send, connection).await
}

async fn request(
    kit: &mut Kit,
    within: Duration,
) -> Option<(EnrolRequest, SendStream, Connection)> {
    let enrolling = async {
        loop {
            let arrival = kit.arrivals.recv().await?;
            if arrival.protocol == ALPN_ENROL {
                return Some(arrival.connection);
            }
            arrival
                .connection
                .close(4_u32.into(), b"this clock is not enrolled here");
        }
    };
    let connection = timeout(within, enrolling).await.ok().flatten()?;
    let exchange = async {
        let (send, mut receive) = connection.accept_bi().await.map_err(|e| e.to_string())?;
        Ok::<_, String>((read_request(&mut receive).await?, send))
    };
    let read = timeout(EXCHANGE, exchange).await;
    let read = read.unwrap_or_else(|_| Err("nothing within 10 s".to_owned()));
    let came = read.as_ref().err().cloned().unwrap_or_default();
    kit.report.check(
        Rule::E2,
        read.is_ok(),
        "an EnrolRequest with its length on the first stream",
        came,
    );
    let (request, send) = read.ok()?;
    check(kit, &request);
    Some((request, send, connection))
}

fn check(kit: &mut Kit, request: &EnrolRequest) {
    let prints = |text: &str| text.len() <= 64 && !text.chars().any(char::is_control);
    let fields = request.major == proto::MAJOR
        && request.token == kit.code.token
        && request.signing_key.len() == 32
        && (request.exchange_key.is_empty() || exchange_key(&request.exchange_key).is_ok())
        && prints(&request.name)
        && prints(&request.firmware)
        && !request.gateway;
    kit.report.check(
        Rule::E3,
        fields,
        "major 1, the code's token, keys of 32 bytes, names of at most 64 bytes, no gateway",
        format!("{request:?}"),
    );
    let signed = AgentId::try_from(request.signing_key.as_slice()).is_ok_and(|agent| {
        let (token, key) = (&request.token, &request.exchange_key);
        verify_enrolment(token, key, &request.signature, &agent).is_ok()
    });
    kit.report.check(
        Rule::E4,
        signed,
        "a signature over the context, the token and the exchange key",
        format!("{} bytes that do not match", request.signature.len()),
    );
}

async fn enrolled(
    kit: &mut Kit,
    request: &EnrolRequest,
    send: SendStream,
    connection: Connection,
) -> Result<bool, KitError> {
    let Ok(agent) = AgentId::try_from(request.signing_key.as_slice()) else {
        return Ok(false);
    };
    kit.certificate = kit.authority.certify(&agent)?;
    kit.ledger = Ledger::new(agent, ORIGIN);
    let enrolled = Enrolled {
        certificate_der: kit.certificate.clone(),
        authority_der: kit.authority.der().to_vec(),
        log_origin: ORIGIN.to_owned(),
        name: "clock under test".to_owned(),
        board: String::new(),
        exchange_key: Vec::new(),
    };
    answer(enrol_answer::Answer::Enrolled(enrolled), send, connection).await;
    Ok(true)
}

async fn answer(answer: enrol_answer::Answer, mut send: SendStream, connection: Connection) {
    let answer = EnrolAnswer {
        answer: Some(answer),
    };
    let sent = async {
        if let Ok(bytes) = encode_prefixed(&answer)
            && send.write_all(&bytes).await.is_ok()
            && send.finish().is_ok()
        {
            // Returns when the clock has received the whole answer. Closing the connection earlier would cut the answer short.
            let _ = send.stopped().await;
        }
    };
    // A time-out is ignored: a clock that has disconnected either sends a new request or is reported as missing.
    let _ = timeout(Duration::from_secs(2), sent).await;
    connection.close(0_u32.into(), b"");
}
