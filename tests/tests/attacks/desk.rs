//! Attacks on the enrolment desk, such as codes that are guessed, used, withdrawn or of the wrong kind, requests with a wrong key, signature or name,
//! malformed and oversized requests, and false hubs.

use std::net::{IpAddr, Ipv4Addr};

use anyhow::{Context as _, bail, ensure};
use clock_agent::enrol::{EnrolError, enrol};
use clock_agent::identity::Keys;
use proto::chain::sign_enrolment;
use proto::enrolment::EnrolmentCode;
use proto::frame::{Deframer, encode_prefixed};
use proto::grpc::{
    CreateEnrolmentCodeRequest, CreateEnrolmentSheetRequest, WithdrawEnrolmentSheetRequest,
};
use proto::quic::ALPN_ENROL;
use proto::wire::{EnrolAnswer, EnrolRequest, enrol_answer};
use tests::attack::{Attack, Hall, dial, dial_from, ended};

use super::{Run, attacks};

pub(crate) const DESK: &[Attack<Run>] = attacks![
    "code guessed", "the address", "refused, and no guess is right" => guessed;
    "code used by a second clock", "a used code", "refused" => used;
    "code of a withdrawn sheet", "a withdrawn sheet", "refused" => withdrawn;
    "clock's code used as a gateway", "a clock's code", "refused" => clock_code_as_gateway;
    "gateway's code used as a clock", "a gateway's code", "refused" => gateway_code_as_clock;
    "another's public key", "a code and a clock's public key", "refused; the code stays usable" => no_possession;
    "signature over another code", "two codes", "refused; the code stays usable" => signature_of_another_code;
    "exchange key exchanged under the signature", "a request on its way", "refused" => exchanged_key;
    "signing key that is no key", "a code", "refused" => no_key;
    "token that is too short", "the address", "refused" => short_token;
    "name with hidden characters", "a code", "refused" => hidden_name;
    "name with a line break", "a code", "refused" => name_with_line_break;
    "name that is too long", "a code", "refused" => long_name;
    "unknown version", "a code", "refused politely" => unknown_version;
    "noise for a request", "the address", "closed" => noise;
    "request longer than announced kinds may be", "the address", "closed" => oversized;
    "two requests on one connection", "a used code", "one answer" => two_requests;
    "another hub behind the code's address", "an address on the network", "the clock tells it no secret" => false_hub;
];

type Done = anyhow::Result<()>;

/// Separate source addresses for wrong codes, so that the hub's lock-out does not affect the honest clocks on this machine.
const ATTACKER: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 66));
const GUESSER: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 67));

async fn code(hall: &mut Hall) -> anyhow::Result<EnrolmentCode> {
    Ok(hall.clock_code("").await?.parse()?)
}

fn request(token: &[u8], keys: &Keys) -> EnrolRequest {
    let exchange_key = keys.exchange_public().to_vec();
    EnrolRequest {
        major: proto::MAJOR,
        minor: proto::MINOR,
        token: token.to_vec(),
        signing_key: keys.agent_id().0.to_vec(),
        signature: sign_enrolment(token, &exchange_key, keys.signing_key()),
        exchange_key,
        name: "attacker".to_owned(),
        ..EnrolRequest::default()
    }
}

/// Sends a request from this address and returns the hub's refusal. Returns an error if the hub does not refuse.
async fn refusal(hall: &Hall, from: IpAddr, request: &EnrolRequest) -> anyhow::Result<String> {
    let connection = dial_from(from, hall.at.listen, ALPN_ENROL, None).await?;
    let (mut send, mut receive) = connection.open_bi().await?;
    send.write_all(&encode_prefixed(request)?).await?;
    send.finish()?;
    let mut deframer = Deframer::default();
    loop {
        if let Some(EnrolAnswer { answer }) = deframer.next()? {
            return match answer.context("an empty answer")? {
                enrol_answer::Answer::Refused(why) => Ok(why),
                enrol_answer::Answer::Enrolled(_) => bail!("the hub enrolled the attacker"),
                enrol_answer::Answer::Waiting(_) => bail!("the hub let the attacker wait"),
            };
        }
        let chunk = receive.read_chunk(4096, true).await?;
        let chunk = chunk.context("no answer")?;
        deframer.push(&chunk.bytes);
    }
}

/// Sends a request with one fault. The hub must refuse it in these words, and an honest clock must still be able to use the same code.
async fn refused_and_usable(
    hall: &mut Hall,
    words: &str,
    change: impl FnOnce(&mut EnrolRequest),
) -> Done {
    let code = code(hall).await?;
    let mut wrong = request(&code.token, &Keys::generate()?);
    change(&mut wrong);
    says(&refusal(hall, ATTACKER, &wrong).await?, words)?;
    let enrolled = enrol(&Keys::generate()?, &code, "honest", |_| ()).await;
    enrolled.context("the code is used up")?;
    Ok(())
}

fn says(text: &str, expected: &str) -> Done {
    ensure!(text.contains(expected), "the hub said {text:?}");
    Ok(())
}

async fn guessed(hall: &mut Hall) -> Done {
    let keys = Keys::generate()?;
    for _ in 0..20 {
        let guess: [u8; 16] = rand::random();
        let why = refusal(hall, GUESSER, &request(&guess, &keys)).await?;
        ensure!(
            why.contains("not valid") || why.contains("many wrong codes"),
            "the hub said {why:?}"
        );
    }
    // The hub locks out only the guesser's address.
    let code = code(hall).await?;
    enrol(&Keys::generate()?, &code, "honest", |_| ()).await?;
    Ok(())
}

async fn used(hall: &mut Hall) -> Done {
    let code = code(hall).await?;
    enrol(&Keys::generate()?, &code, "honest", |_| ()).await?;
    match enrol(&Keys::generate()?, &code, "second", |_| ()).await {
        Err(EnrolError::Refused(why)) => says(&why, "not valid"),
        other => bail!("{other:?}"),
    }
}

async fn withdrawn(hall: &mut Hall) -> Done {
    let add = proto::grpc::AddBoard {
        control: "5m".to_owned(),
        ..proto::grpc::AddBoard::default()
    };
    let add = proto::grpc::command_request::Command::AddBoard(add);
    hall.arbiter.send("sheet", 0, add).await?;
    let order = CreateEnrolmentSheetRequest {
        boards: vec!["sheet".to_owned()],
        ..CreateEnrolmentSheetRequest::default()
    };
    let client = hall.arbiter.client();
    let sheet = client.create_enrolment_sheet(order).await?.into_inner();
    let withdraw = WithdrawEnrolmentSheetRequest { sheet: sheet.sheet };
    client.withdraw_enrolment_sheet(withdraw).await?;
    let code = sheet.codes.first().context("a sheet without codes")?;
    match enrol(&Keys::generate()?, &code.uri.parse()?, "late", |_| ()).await {
        Err(EnrolError::Refused(why)) => says(&why, "withdrawn"),
        other => bail!("{other:?}"),
    }
}

async fn clock_code_as_gateway(hall: &mut Hall) -> Done {
    refused_and_usable(hall, "not valid", |request| request.gateway = true).await
}

async fn gateway_code_as_clock(hall: &mut Hall) -> Done {
    let request = CreateEnrolmentCodeRequest {
        gateway: "corner".to_owned(),
        ..CreateEnrolmentCodeRequest::default()
    };
    let code = hall.arbiter.client().create_enrolment_code(request).await?;
    let code: EnrolmentCode = code.into_inner().uri.parse()?;
    match enrol(&Keys::generate()?, &code, "clock", |_| ()).await {
        Err(EnrolError::Refused(why)) => says(&why, "not valid"),
        other => bail!("{other:?}"),
    }
}

async fn no_possession(hall: &mut Hall) -> Done {
    let victim = hall.honest[0].keys.agent_id().0.to_vec();
    refused_and_usable(hall, "signature", |request| request.signing_key = victim).await
}

async fn signature_of_another_code(hall: &mut Hall) -> Done {
    let other = code(hall).await?;
    let keys = Keys::generate()?;
    let signed = request(&other.token, &keys);
    refused_and_usable(hall, "signature", |request| {
        request.signing_key = signed.signing_key;
        request.exchange_key = signed.exchange_key;
        request.signature = signed.signature;
    })
    .await
}

async fn exchanged_key(hall: &mut Hall) -> Done {
    refused_and_usable(hall, "signature", |request| {
        request.exchange_key = vec![9; 32];
    })
    .await
}

async fn no_key(hall: &mut Hall) -> Done {
    refused_and_usable(hall, "key", |request| request.signing_key = vec![1; 31]).await
}

async fn short_token(hall: &mut Hall) -> Done {
    refused_and_usable(hall, "token", |request| request.token = vec![1; 4]).await
}

async fn hidden_name(hall: &mut Hall) -> Done {
    refused_and_usable(hall, "name", |request| {
        request.name = "board\u{202e} 12".to_owned();
    })
    .await
}

async fn name_with_line_break(hall: &mut Hall) -> Done {
    let name = "x\n2026-11-23 INFO the chief arbiter enrolled";
    refused_and_usable(hall, "name", |request| request.name = name.to_owned()).await?;
    let said = hall.hub.said();
    let forged = said.lines().any(|line| line.starts_with("2026-11-23 INFO"));
    ensure!(!forged, "the name forged a line of the hub's messages");
    Ok(())
}

async fn long_name(hall: &mut Hall) -> Done {
    refused_and_usable(hall, "name", |request| request.name = "x".repeat(65)).await
}

async fn unknown_version(hall: &mut Hall) -> Done {
    refused_and_usable(hall, "version", |request| request.major = 99).await
}

async fn closed_after(hall: &Hall, bytes: &[u8]) -> Done {
    let connection = dial_from(ATTACKER, hall.at.listen, ALPN_ENROL, None).await?;
    let (mut send, _receive) = connection.open_bi().await?;
    send.write_all(bytes).await?;
    ended(&connection).await?;
    Ok(())
}

async fn noise(hall: &mut Hall) -> Done {
    closed_after(hall, &[&[0, 64][..], &[0xff; 64]].concat()).await
}

async fn oversized(hall: &mut Hall) -> Done {
    closed_after(hall, &[0xff; 3]).await
}

async fn two_requests(hall: &mut Hall) -> Done {
    let code = code(hall).await?;
    let keys = Keys::generate()?;
    let enrolled = enrol(&keys, &code, "honest", |_| ()).await?;
    ensure!(!enrolled.certificate_der.is_empty(), "no certificate");
    let connection = dial(hall.at.listen, ALPN_ENROL, None).await?;
    let (mut send, mut receive) = connection.open_bi().await?;
    let own = encode_prefixed(&request(&code.token, &keys))?;
    let other = encode_prefixed(&request(&code.token, &Keys::generate()?))?;
    send.write_all(&[own, other].concat()).await?;
    send.finish()?;
    let answers = receive.read_to_end(64 << 10).await?;
    let mut deframer = Deframer::default();
    deframer.push(&answers);
    let mut count = 0;
    while let Some(EnrolAnswer { .. }) = deframer.next()? {
        count += 1;
    }
    ensure!(count == 1, "{count} answers");
    Ok(())
}

async fn false_hub(hall: &mut Hall) -> Done {
    let code = code(hall).await?;
    let other = Hall::open(1, &[]).await?;
    let diverted = EnrolmentCode {
        port: other.at.listen.port(),
        ..code.clone()
    };
    match enrol(&Keys::generate()?, &diverted, "clock", |_| ()).await {
        Err(EnrolError::OtherHub(_)) => (),
        ended => bail!("{ended:?}"),
    }
    // The false hub did not learn the code, so the code still works.
    enrol(&Keys::generate()?, &code, "clock", |_| ()).await?;
    other.close().await.context("the other hall")
}
