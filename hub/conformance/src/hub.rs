//! The clock's side of the kit: a scripted clock enrols at a hub, plays, and breaks the rules one by one. Judges the
//! hub's answers.

use std::net::SocketAddr;
use std::time::Duration;

use ed25519_dalek::SigningKey;
use proto::enrolment::{EnrolmentCode, fingerprint};
use proto::frame::encode_prefixed;
use proto::wire::{AgentFrame, Button, Enrolled, GoodbyeReason, Hello, enrol_answer, order};
use timing::Snapshot;

use crate::clock::{
    ClockBody, ClockError, ClockIdentity, EnrolAttempt, EnrolFailure, Fault, ScriptedClock, Seen,
};
use crate::report::{Print, Report};
use crate::rule::{JudgedSide, Rule};
use crate::{UNKNOWN_FIELD, framed};

const REACTS_WITHIN: Duration = Duration::from_secs(3);

#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum HubError {
    #[error("{host}: {error}")]
    Address { host: String, error: std::io::Error },
    #[error("{0}: the host name has no address")]
    NoAddress(String),
    #[error("the scripted clock is not enrolled: {0}")]
    Enrol(#[from] EnrolFailure),
    #[error(transparent)]
    Clock(#[from] ClockError),
}

/// Acts as a clock towards the hub that issued `code`, and returns the verdicts.
pub async fn judge(code: &EnrolmentCode, print: Print) -> Result<Report, HubError> {
    let mut report = Report::new(print);
    let host = || code.host.clone();
    let found = tokio::net::lookup_host((code.host.as_str(), code.port)).await;
    let mut found = found.map_err(|error| HubError::Address {
        host: host(),
        error,
    })?;
    let hub = found.next().ok_or_else(|| HubError::NoAddress(host()))?;
    report.say("      enrolment");
    let identity = enrolment(hub, code, &mut report).await?;
    report.print_verdicts(&[Rule::E7, Rule::E8, Rule::E10]);
    report.say("      session");
    let clock = ScriptedClock::start(identity.clone(), hub, &[]);
    session(&clock, &identity, &mut report).await?;
    report.print_verdicts(&[Rule::S6, Rule::T1, Rule::O5]);
    report.say("      events");
    events(&clock, &mut report).await?;
    report.print_verdicts(&[Rule::C7, Rule::S9, Rule::C11, Rule::F3]);
    report.say("      frames that a hub must refuse");
    refusals(&clock, &mut report).await?;
    drop(clock);
    strangers(hub, &identity, &mut report).await?;
    report.print_verdicts(Rule::ALL);
    report.print_untouched(JudgedSide::Hub);
    Ok(report)
}

async fn enrolment(
    hub: SocketAddr,
    code: &EnrolmentCode,
    report: &mut Report,
) -> Result<ClockIdentity, HubError> {
    let honest = EnrolAttempt {
        hub,
        code,
        faults: &[],
        can_wait: false,
    };
    let key = SigningKey::from_bytes(&crate::clock::random_bytes());
    let stranger = SigningKey::from_bytes(&crate::clock::random_bytes());
    for (what, fault) in [
        ("an unknown token", Fault::EnrolToken),
        ("an invalid signature", Fault::EnrolSignature),
    ] {
        let faults = &[fault];
        let attempt = EnrolAttempt { faults, ..honest };
        refused(report, what, &attempt.ask(&stranger).await);
    }
    let enrolled = match honest.ask(&key).await? {
        enrol_answer::Answer::Enrolled(enrolled) => enrolled,
        enrol_answer::Answer::Refused(text) => return Err(EnrolFailure::Refused(text).into()),
        enrol_answer::Answer::Waiting(_) => {
            let what = "this code is for many clocks: issue a code for a single clock".to_owned();
            return Err(EnrolFailure::BadAnswer(what).into());
        }
    };
    let Enrolled {
        authority_der,
        certificate_der,
        log_origin,
        ..
    } = &enrolled;
    let fits = fingerprint(authority_der) == code.authority;
    report.check(
        Rule::E7,
        fits && !certificate_der.is_empty() && !log_origin.is_empty(),
        "the code's authority, a certificate and a log origin",
        format!(
            "an authority that {}, {} bytes of certificate, origin {log_origin:?}",
            if fits { "fits" } else { "differs" },
            certificate_der.len()
        ),
    );
    let again = honest.ask(&key).await;
    let held = matches!(again, Ok(enrol_answer::Answer::Enrolled(_)));
    report.check(
        Rule::E10,
        held,
        "the same key enrolled again with the same code",
        format!("{again:?}"),
    );
    let other = honest.ask(&stranger).await;
    refused(report, "a used code with a different key", &other);
    Ok(ClockIdentity { key, enrolled })
}

fn refused(report: &mut Report, what: &str, answer: &Result<enrol_answer::Answer, EnrolFailure>) {
    report.check(
        Rule::E8,
        matches!(answer, Ok(enrol_answer::Answer::Refused(_))),
        format!("a refusal of {what}"),
        format!("{answer:?}"),
    );
}

/// Waits until `found` accepts what the clock has seen. Returns false if the hub does not react in time.
async fn wait_until(clock: &ScriptedClock, found: impl Fn(&Seen) -> bool) -> bool {
    let waited = clock.until("the hub", |seen| found(seen).then_some(()));
    let waited = tokio::time::timeout(REACTS_WITHIN, waited).await;
    matches!(waited, Ok(Ok(())))
}

async fn session(
    clock: &ScriptedClock,
    identity: &ClockIdentity,
    report: &mut Report,
) -> Result<(), HubError> {
    let welcomed = wait_until(clock, |seen| seen.welcome.is_some()).await;
    let seen = clock.seen();
    let fits = seen.welcome.as_ref().is_some_and(|welcome| {
        welcome.major == proto::MAJOR
            && welcome.log_origin == identity.enrolled.log_origin
            && welcome.acked_seq == 0
            && welcome.acked_head.is_empty()
    });
    report.check(
        Rule::S6,
        welcomed && fits,
        "Welcome with major 1, the origin of the enrolment and no acknowledged event",
        format!("{:?}; {seen}", seen.welcome),
    );
    let probed = wait_until(clock, |seen| seen.probes >= 8).await;
    report.check(
        Rule::T1,
        probed,
        "eight time probes within 3 s",
        format!("{}", clock.seen().probes),
    );
    let ordered = wait_until(clock, |seen| !seen.taken.is_empty()).await;
    if !ordered {
        report.not_checked(
            Rule::O5,
            "the hub assigned no board: issue a code for a board",
        );
        return Ok(());
    }
    let first = clock.seen().orders.into_iter().next();
    let whole = first.as_ref().is_some_and(|first| match &first.what {
        Some(order::What::Adopt(adopt)) => {
            first.number >= 1 && Snapshot::from_bytes(&adopt.snapshot).is_ok()
        }
        Some(order::What::Command(_) | order::What::ServeSide(_)) | None => false,
    });
    report.check(
        Rule::O5,
        whole,
        "a board with a snapshot as the first order",
        format!("{first:?}"),
    );
    Ok(())
}

async fn events(clock: &ScriptedClock, report: &mut Report) -> Result<(), HubError> {
    let seq = clock.press(Button::Left).await?;
    let acked = wait_until(clock, |seen| seen.acked >= seq).await;
    report.check(
        Rule::C7,
        acked,
        format!("an acknowledgement of event {seq}"),
        clock.seen().to_string(),
    );
    report.check(
        Rule::C11,
        !clock.seen().differed,
        "the digest of the same board",
        "a different digest",
    );
    // The event's frame has an unknown field. The clock resends the event on the next link.
    clock
        .act(|clock| {
            clock.set_faults(&[Fault::ResendAcked]);
            clock.unknown_field_on_next_event(UNKNOWN_FIELD.to_vec());
            clock.press(Button::Right);
        })
        .await?;
    let acked = wait_until(clock, |seen| seen.acked > seq).await;
    report.check(
        Rule::F3,
        acked,
        "an event whose frame has an unknown field, acknowledged",
        clock.seen().to_string(),
    );
    let links = clock.seen().links;
    clock.act(ClockBody::drop_link).await?;
    let back = wait_until(clock, |seen| seen.links > links && seen.connected).await;
    let next = clock.press(Button::Left).await?;
    let acked = back && wait_until(clock, |seen| seen.acked >= next).await;
    let named = clock.seen().welcome.map_or(0, |welcome| welcome.acked_seq);
    report.check(
        Rule::S9,
        acked && named > seq,
        "a welcome that names the newest event, and old events that come again ignored",
        format!("Welcome.acked_seq {named}; {}", clock.seen()),
    );
    clock.act(|clock| clock.set_faults(&[])).await?;
    Ok(())
}

/// Sends frames that a hub must refuse, and checks the reason in its goodbye.
async fn refusals(clock: &ScriptedClock, report: &mut Report) -> Result<(), HubError> {
    let hello: AgentFrame = Hello::default().into();
    let hello = encode_prefixed(&hello).unwrap_or_default();
    let wrong = [
        (
            Rule::F2,
            "a frame of an unknown kind",
            framed(&UNKNOWN_FIELD),
        ),
        (Rule::F2, "garbage", framed(&[0xde, 0xad, 0xbe, 0xef, 0xff])),
        (Rule::F2, "a length of 5000", framed(&vec![0; 5_000])),
        (Rule::H1, "a second Hello", hello),
    ];
    for (rule, name, bytes) in wrong {
        let send = move |clock: &mut ClockBody| clock.send_bytes(bytes);
        says(clock, report, rule, (name, GoodbyeReason::BadFrame), send).await?;
    }
    for (name, fault) in [
        ("an invalid signature", Fault::EventSignature),
        ("a wrong previous hash", Fault::PrevHash),
    ] {
        let send = move |clock: &mut ClockBody| {
            clock.keep_chain();
            clock.set_faults(&[fault]);
            clock.press(Button::Left);
            clock.set_faults(&[]);
            clock.restore_chain();
        };
        let broken = (name, GoodbyeReason::BadChain);
        says(clock, report, Rule::H1, broken, send).await?;
    }
    Ok(())
}

/// Runs a step that breaks a rule, and reports whether the hub says goodbye with this reason. Then waits for the next link.
async fn says(
    clock: &ScriptedClock,
    report: &mut Report,
    rule: Rule,
    (name, reason): (&str, GoodbyeReason),
    step: impl FnOnce(&mut ClockBody) + Send + 'static,
) -> Result<(), HubError> {
    let connected = wait_until(clock, |seen| seen.connected).await;
    let (ends, links) = (clock.seen().closed.len(), clock.seen().links);
    clock.act(step).await?;
    let ended = wait_until(clock, |seen| seen.closed.len() > ends).await;
    let end = clock.seen().closed.get(ends).cloned();
    let said = end.as_ref().and_then(|end| end.goodbye);
    report.check(
        rule,
        connected && ended && said == Some(reason),
        format!("{} after {name}", reason.as_str_name()),
        end.map_or("a link that stays open".to_owned(), |end| {
            format!("{end:?}")
        }),
    );
    if !ended {
        clock.act(ClockBody::drop_link).await?;
    }
    wait_until(clock, |seen| seen.links > links && seen.connected).await;
    Ok(())
}

/// Checks that the hub refuses clocks that it must not admit.
async fn strangers(
    hub: SocketAddr,
    identity: &ClockIdentity,
    report: &mut Report,
) -> Result<(), HubError> {
    let mut bare = identity.clone();
    bare.enrolled.certificate_der.clear();
    let cases = [
        (
            "a clock without a certificate",
            bare,
            Rule::Q12,
            GoodbyeReason::NotEnrolled,
            vec![],
        ),
        (
            "a different major version",
            identity.clone(),
            Rule::S6,
            GoodbyeReason::Version,
            vec![Fault::HelloVersion],
        ),
        (
            "a first frame that is not Hello",
            identity.clone(),
            Rule::S1,
            GoodbyeReason::BadFrame,
            vec![Fault::NoHello],
        ),
    ];
    for (name, identity, rule, reason, faults) in cases {
        let clock = ScriptedClock::start(identity, hub, &faults);
        let says = |seen: &Seen| seen.closed.iter().any(|end| end.says(reason));
        let ended = wait_until(&clock, says).await;
        report.check(
            rule,
            ended,
            format!("{} for {name}", reason.as_str_name()),
            clock.seen().to_string(),
        );
    }
    Ok(())
}
