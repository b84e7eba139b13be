//! Refused links: both ends learn the reason.

use prost::Message;
use proto::frame::encode_prefixed;
use proto::quic::ALPN_SESSION;
use proto::wire::event_body::Fact;
use proto::wire::{AgentFrame, Button, GoodbyeReason, Hello, Press, Show};

use crate::agent::{Identity, Session, closed, dial, hello};
use crate::hall::{TestHub, logged, within};

const NOT_ENROLLED: u64 = GoodbyeReason::NotEnrolled as u64;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_without_a_certificate_is_told_to_enrol() {
    let hub = TestHub::start().await;
    let connection = dial(hub.server.addresses().listen, ALPN_SESSION, None)
        .await
        .unwrap();
    let (code, text) = closed(&connection).await;
    assert_eq!(code, NOT_ENROLLED);
    assert!(
        text.contains("not enrolled here") && text.contains("flagfall enrol"),
        "{text}"
    );
    logged(&["was refused", "it has no certificate"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_certificate_of_another_hub_is_refused_with_a_reason_at_both_ends() {
    let (ours, other) = (TestHub::start().await, TestHub::start().await);
    let identity = Identity::enrol(&other, "").await;
    let address = ours.server.addresses().listen;
    // In TLS 1.3, the client finishes its handshake before the server has checked the client's certificate.
    let end = match dial(address, ALPN_SESSION, Some(&identity)).await {
        Err(error) => error,
        Ok(connection) => within(connection.closed(), "a refusal").await,
    };
    let text = end.to_string();
    assert!(
        text.contains("issued by another hub") && text.contains("flagfall enrol"),
        "{text}"
    );
    logged(&["refused or broke off", "issued by another hub"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn garbage_ends_its_own_link_and_no_other() {
    let hub = TestHub::start().await;
    for board in ["1", "2", "3"] {
        hub.add_board(board, "5m").await;
    }
    let honest = Identity::enrol(&hub, "1").await;
    let mut honest = Session::open(&hub, &honest).await;
    honest.take_order().await;
    let frame = AgentFrame::from(hello()).encode_to_vec();
    let unknown_kind = [0x9a, 0x06, 0x00];
    let cases: [(&str, Vec<u8>, &str); 4] = [
        (
            "noise",
            vec![0x00, 0x04, 0xff, 0xff, 0xff, 0xff],
            "not a frame",
        ),
        ("too long", vec![0xff, 0xff], "65535 bytes"),
        ("over its kind's bound", oversized_hello(), "at most 1024"),
        (
            "unknown",
            [&[0x00, 0x03][..], &unknown_kind[..]].concat(),
            "unknown kind",
        ),
    ];
    for (what, bytes, said) in cases {
        let identity = Identity::enrol(&hub, "2").await;
        let mut session = Session::open(&hub, &identity).await;
        session.send_bytes(&bytes).await;
        let goodbye = session.goodbye().await;
        assert_eq!(goodbye.reason(), GoodbyeReason::BadFrame, "{what}");
        assert!(goodbye.text.contains(said), "{what}: {}", goodbye.text);
    }
    let identity = Identity::enrol(&hub, "3").await;
    let mut session = Session::open(&hub, &identity).await;
    // A second hello is also invalid.
    session
        .send_bytes(&[&[0, u8::try_from(frame.len()).unwrap()][..], &frame].concat())
        .await;
    assert_eq!(session.goodbye().await.reason(), GoodbyeReason::BadFrame);

    let press = honest.press(Button::Left).await;
    honest.acknowledged(press).await;
}

fn oversized_hello() -> Vec<u8> {
    let hello: AgentFrame = Hello {
        firmware: "x".repeat(1_100),
        ..hello()
    }
    .into();
    let body = hello.encode_to_vec();
    [&u16::try_from(body.len()).unwrap().to_be_bytes()[..], &body].concat()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn garbage_in_a_datagram_ends_the_link() {
    let hub = TestHub::start().await;
    let identity = Identity::enrol(&hub, "").await;
    let mut session = Session::open(&hub, &identity).await;
    session
        .connection
        .send_datagram(vec![0xff; 9].into())
        .unwrap();
    assert_eq!(session.goodbye().await.reason(), GoodbyeReason::BadFrame);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unknown_major_version_is_closed_politely() {
    let hub = TestHub::start().await;
    let identity = Identity::enrol(&hub, "").await;
    let mut session = Session::unwelcomed(hub.server.addresses().listen, &identity).await;
    session
        .send(Hello {
            major: 99,
            ..hello()
        })
        .await;
    let goodbye = session.goodbye().await;
    assert_eq!(goodbye.reason(), GoodbyeReason::Version);
    assert!(goodbye.text.contains("99"), "{}", goodbye.text);
    logged(&["GOODBYE_REASON_VERSION", &identity.agent().short()]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_forged_event_never_reaches_the_hall() {
    let hub = TestHub::start().await;
    hub.add_board("1", "5m").await;
    let identity = Identity::enrol(&hub, "1").await;
    let mut session = Session::open(&hub, &identity).await;
    let press = Press {
        button: Button::Left.into(),
    };
    let mut event = session.event(Fact::Press(press));
    event.signature[10] ^= 1;
    session.send(event).await;
    let goodbye = session.goodbye().await;
    assert_eq!(goodbye.reason(), GoodbyeReason::BadChain);
    let mut session = Session::unwelcomed(hub.server.addresses().listen, &identity).await;
    session.send(hello()).await;
    assert_eq!(session.welcome().await.acked_seq, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_frame_must_be_a_hello() {
    let hub = TestHub::start().await;
    let identity = Identity::enrol(&hub, "").await;
    let mut session = Session::unwelcomed(hub.server.addresses().listen, &identity).await;
    let show = encode_prefixed(&proto::wire::HubFrame::from(Show {
        text: "x".repeat(20),
    }));
    session.send_bytes(&show.unwrap()).await;
    assert_eq!(session.goodbye().await.reason(), GoodbyeReason::BadFrame);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_revoked_clock_is_disconnected_immediately_and_permanently() {
    let hub = TestHub::start().await;
    hub.add_board("1", "5m").await;
    let identity = Identity::enrol(&hub, "1").await;
    let mut session = Session::open(&hub, &identity).await;
    let revoke = hall::Action::RevokeAgent(identity.agent().to_string());
    let answer = hub.act("1", revoke).await;
    assert_eq!(answer.outcome, hall::Outcome::Done);
    assert_eq!(session.goodbye().await.reason(), GoodbyeReason::Revoked);
    let mut session = Session::unwelcomed(hub.server.addresses().listen, &identity).await;
    session.send(hello()).await;
    assert_eq!(session.goodbye().await.reason(), GoodbyeReason::Revoked);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hub_that_stops_says_so_to_its_clocks() {
    let hub = TestHub::start().await;
    let identity = Identity::enrol(&hub, "").await;
    let mut session = Session::open(&hub, &identity).await;
    let stop = hub.server.stop();
    let (stopped, goodbye) = tokio::join!(stop, session.goodbye());
    stopped.unwrap();
    assert_eq!(goodbye.reason(), GoodbyeReason::ShuttingDown);
}
