//! A scripted clock's link: one QUIC connection with its stream and datagrams. Carries frames and raw bytes; sessions
//! are not its concern.

use std::net::SocketAddr;

use proto::quic::SERVER_NAME;
use proto::wire::HubFrame;
use quinn::{Connection, Endpoint, VarInt};
use tokio::sync::mpsc;

use super::enrol::{ClockIdentity, endpoint, link};
use super::{EnrolFailure, Fault};
use crate::incoming::{self, Incoming, Received};
use crate::tls;

#[derive(Debug)]
pub(super) struct Wire {
    connection: Connection,
    /// The queue of bytes for the stream, which a separate task writes. Dropping the sender ends the stream.
    out: Option<mpsc::UnboundedSender<Vec<u8>>>,
    heard: mpsc::UnboundedReceiver<Received<HubFrame>>,
    _endpoint: Endpoint,
}

impl Wire {
    pub(super) async fn open(
        identity: &ClockIdentity,
        hub: SocketAddr,
        faults: Vec<Fault>,
    ) -> Result<Self, EnrolFailure> {
        let mut endpoint = endpoint(hub)?;
        let enrolled = &identity.enrolled;
        let config = tls::session_client(
            &enrolled.authority_der,
            &enrolled.certificate_der,
            &identity.key,
        )?;
        endpoint.set_default_client_config(config);
        let connecting = endpoint.connect(hub, SERVER_NAME).map_err(link)?;
        let connection = connecting.await.map_err(link)?;
        let (mut send, receive) = connection.open_bi().await.map_err(link)?;
        let (out, mut outgoing) = mpsc::unbounded_channel::<Vec<u8>>();
        tokio::spawn(async move {
            while let Some(bytes) = outgoing.recv().await {
                if send.write_all(&bytes).await.is_err() {
                    return;
                }
            }
            // The peer may be gone already.
            let _ = send.finish();
        });
        Ok(Self {
            heard: incoming::read(&connection, receive, faults),
            connection,
            out: Some(out),
            _endpoint: endpoint,
        })
    }

    pub(super) fn send(&self, bytes: Vec<u8>) {
        if let Some(out) = &self.out {
            // The writing task ends with the connection. The reader reports the end.
            let _ = out.send(bytes);
        }
    }

    pub(super) fn datagram(&self, bytes: Vec<u8>) {
        // If the connection has ended, the reader reports that.
        let _ = self.connection.send_datagram(bytes.into());
    }

    /// Returns the next frame, decoding error or end of the link. Cancel-safe.
    pub(super) async fn next(&mut self) -> Incoming<HubFrame> {
        let closed = || Incoming::Closed {
            code: None,
            text: "the link has ended".to_owned(),
        };
        let heard = self.heard.recv().await;
        heard.map_or_else(closed, |heard| heard.what)
    }

    /// Ends the stream after all queued bytes. The peer then closes the connection.
    pub(super) fn finish(&mut self) {
        self.out = None;
    }

    pub(super) fn close(&self, code: u32, text: &str) {
        self.connection
            .close(VarInt::from_u32(code), text.as_bytes());
    }
}
