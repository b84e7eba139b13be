//! A hub that dies and is restarted immediately: its clocks notice when they send their next packet, and need not wait for a timeout.

use proto::enrolment::EnrolmentCode;

use crate::agent::{Identity, Session, enrol, hello, new_key};
use crate::hall::within;
use crate::program::{Serving, expect, flagfall};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_notices_immediately_that_its_hub_was_restarted() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().to_str().unwrap();
    let hub = Serving::start(dir.path());
    let listen = hub.listen.clone();
    let (code, _) = expect(
        &flagfall(&["enrol", "--hub", &listen, "--data-dir", data]),
        0,
    );
    let code: EnrolmentCode = code.trim().parse().unwrap();
    let (address, key) = (listen.parse().unwrap(), new_key());
    let enrolled = enrol(address, &code, &key).await.unwrap();
    let identity = Identity { key, enrolled };
    let mut session = Session::unwelcomed(address, &identity).await;
    session.send(hello()).await;
    session.welcome().await;

    hub.kill();
    let again = Serving::start_at(dir.path(), &listen);
    // Any packet provokes the reset. Sending fails if an earlier packet has already done so.
    let _ = session.connection.send_datagram(vec![0].into());
    let end = within(session.connection.closed(), "a reset").await;
    assert_eq!(end, quinn::ConnectionError::Reset);
    assert_eq!(again.stop(), Some(0));
}
