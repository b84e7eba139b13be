//! Two authorities at the same time: which one each client sees, and which certificates clocks get.

use hub::identity::{Authority, Identity as HubIdentity, roll_authority};
use proto::quic::{ALPN_ENROL, ALPN_GATEWAY, ALPN_SESSION, SERVER_NAME, server_name_of};
use proto::wire::{Certificate, EnrolRequest, Hello, Process, hub_frame};
use rustls_pki_types::CertificateDer;
use x509_parser::prelude::*;

use crate::agent::{Identity, Session, dial_as, enrol_with, hello, new_key, request};
use crate::hall::TestHub;

const DAY_US: i64 = 24 * 60 * 60 * 1_000_000;

/// Restarts a hub with a new authority. Returns the hub and the former authority, which remains valid for 30 days.
async fn rolled(hub: TestHub) -> (TestHub, Vec<u8>) {
    let former = hub.server.identity().authority_der().to_vec();
    let hub = hub
        .restart_after(|dir| {
            let now_us = hub::time_source::TimeSource::resume(None)
                .0
                .wall_now()
                .unix_us();
            roll_authority(dir, now_us, 30).unwrap();
        })
        .await;
    (hub, former)
}

fn end_of(certificate: &[u8]) -> i64 {
    let (_, parsed) = X509Certificate::from_der(certificate).unwrap();
    parsed.validity().not_after.timestamp()
}

async fn enrolled(hub: &TestHub, renews: bool) -> Result<Identity, String> {
    let code = hub.server.desk().code("").unwrap();
    let key = new_key();
    let request = EnrolRequest {
        renews,
        ..request(&code.token, &key)
    };
    let enrolled = enrol_with(hub.server.addresses().listen, request).await?;
    Ok(Identity { key, enrolled })
}

async fn shown(hub: &TestHub, name: &str, protocol: &[u8], identity: Option<&Identity>) -> Vec<u8> {
    let listen = hub.server.addresses().listen;
    let connection = dial_as(listen, name, protocol, identity).await.unwrap();
    let chain = connection.peer_identity().unwrap();
    let chain: Box<Vec<CertificateDer<'static>>> = chain.downcast().unwrap();
    chain[1].to_vec()
}

async fn next_certificate(session: &mut Session) -> Certificate {
    session
        .wait_for("a certificate", |frame| match frame {
            hub_frame::Frame::Certificate(certificate) => Some(certificate),
            _ => None,
        })
        .await
}

fn program(clock: &Identity) -> clock_agent::identity::Identity {
    clock_agent::identity::Identity {
        keys: clock_agent::identity::Keys::from_secrets(clock.key.to_bytes(), [7; 32]),
        enrolment: clock_agent::identity::Enrolment {
            certificate_der: clock.enrolled.certificate_der.clone(),
            authority_der: clock.enrolled.authority_der.clone(),
            log_origin: clock.enrolled.log_origin.clone(),
            name: clock.enrolled.name.clone(),
            board: String::new(),
            hub: String::new(),
            hub_exchange_key: Vec::new(),
            former_authorities: Vec::new(),
        },
    }
}

fn renewing() -> Hello {
    Hello {
        renews: true,
        ..hello()
    }
}

/// Returns the hello for link number `links` of one run of the clock's program. A later link may replace one that the hub still holds.
fn renewing_on_link(links: u32) -> Hello {
    Hello {
        process: Some(Process {
            token: 17,
            follows: 0,
            links,
        }),
        ..renewing()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_client_is_shown_the_authority_that_it_trusts() {
    let hub = TestHub::start().await;
    let clock = enrolled(&hub, true).await.unwrap();
    let (hub, former) = rolled(hub).await;
    let current = hub.server.identity().authority_der().to_vec();
    assert_ne!(former, current);
    let named = |der: &[u8]| server_name_of(&proto::enrolment::fingerprint(der));
    for (name, protocol, with, authority) in [
        (named(&former), ALPN_SESSION, Some(&clock), &former),
        (named(&current), ALPN_SESSION, Some(&clock), &current),
        // Clocks that do not name an authority see the former authority.
        (SERVER_NAME.to_owned(), ALPN_SESSION, Some(&clock), &former),
        (SERVER_NAME.to_owned(), ALPN_GATEWAY, Some(&clock), &former),
        // Enrolment codes name the current authority.
        (SERVER_NAME.to_owned(), ALPN_ENROL, None, &current),
        (
            server_name_of(&[7; 16]),
            ALPN_SESSION,
            Some(&clock),
            &current,
        ),
    ] {
        let seen = shown(&hub, &name, protocol, with).await;
        assert_eq!(&seen, authority, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_of_the_former_authority_gets_a_vouched_certificate() {
    let hub = TestHub::start().await;
    let clock = enrolled(&hub, true).await.unwrap();
    let old = enrolled(&hub, false).await.unwrap();
    let (hub, former) = rolled(hub).await;
    let current = hub.server.identity().authority_der().to_vec();

    let mut session = Session::unwelcomed(hub.server.addresses().listen, &clock).await;
    session.send(renewing_on_link(1)).await;
    let next = next_certificate(&mut session).await;
    assert_eq!(next.authority_der, current);
    let taken = program(&clock).renewed(&next).unwrap();
    assert_eq!(taken.authority_der, current);
    let mut other = program(&clock);
    other.enrolment.authority_der = current.clone();
    other.enrolment.authority_der.truncate(20);
    assert!(
        other.renewed(&next).is_err(),
        "nothing but the former authority vouches"
    );
    assert_eq!(program(&clock).enrolment.authority_der, former);

    // The hub accepts a link with the new certificate, and does not issue another certificate on that link.
    let mut renewed = clock;
    renewed.enrolled.certificate_der = next.certificate_der;
    drop(session);
    let mut session = Session::unwelcomed(hub.server.addresses().listen, &renewed).await;
    session.send(renewing_on_link(2)).await;
    session
        .wait_for("the arbiters", |frame| match frame {
            hub_frame::Frame::Arbiters(_) => Some(()),
            hub_frame::Frame::Certificate(_) => panic!("a second certificate"),
            _ => None,
        })
        .await;

    // The hub still accepts a clock with older firmware, and sends no frame that this firmware does not know.
    let mut session = Session::unwelcomed(hub.server.addresses().listen, &old).await;
    session.send(hello()).await;
    session
        .wait_for("the arbiters", |frame| match frame {
            hub_frame::Frame::Arbiters(_) => Some(()),
            hub_frame::Frame::Certificate(_) => panic!("a frame that it does not know"),
            _ => None,
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn certificates_end_for_clocks_that_renew_them() {
    let hub = TestHub::start().await;
    let year_2090 = 3_786_912_000;
    let renews = enrolled(&hub, true).await.unwrap();
    let old = enrolled(&hub, false).await.unwrap();
    assert!(end_of(&renews.enrolled.certificate_der) < year_2090);
    assert!(end_of(&old.enrolled.certificate_der) > year_2090);

    let (hub, _) = rolled(hub).await;
    let refused = enrolled(&hub, false).await.err().unwrap();
    assert!(
        refused.contains("change of authority lasts until"),
        "{refused}"
    );
    let current = hub.server.identity().authority_der().to_vec();
    let clock = enrolled(&hub, true).await.unwrap();
    assert_eq!(clock.enrolled.authority_der, current);
}

#[test]
fn the_former_authority_vouches_only_until_it_expires() {
    let dir = tempfile::tempdir().unwrap();
    HubIdentity::open(dir.path()).unwrap();
    roll_authority(dir.path(), 0, 2).unwrap();
    let mut identity = HubIdentity::open(dir.path()).unwrap();
    let former = identity.former().unwrap();
    assert!(former.is_valid(2 * DAY_US - 1));
    assert!(!former.is_valid(2 * DAY_US));
    identity.end_former(2 * DAY_US).unwrap();
    assert!(HubIdentity::open(dir.path()).unwrap().former().is_none());
    let pem = std::fs::read_to_string(dir.path().join(hub::identity::AUTHORITY_FILE)).unwrap();
    let read = Authority::from_pem(&pem).unwrap();
    assert_eq!(read.certificate(), identity.authority_der());
}
