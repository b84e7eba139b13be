//! Frames over QUIC: one bidirectional stream, and datagrams beside it. Owns sockets, connections, their limits.

mod dial;
mod link;

use std::sync::Arc;

use proto::enrolment::fingerprint_text;
use quinn::crypto::rustls::QuicClientConfig;
use quinn::{ClientConfig, Connection, ConnectionError, IdleTimeout, TransportConfig, VarInt};

use super::tls::{self, OtherAuthority};
use super::{ConnectError, Connector, HubAddress, LinkEnd};
use crate::discovery;
use crate::identity::Identity;

pub use dial::Dialer;
pub use link::QuicLink;

/// Kept alive more often than a silent agent counts as offline (3.5 s).
const KEEP_ALIVE: std::time::Duration = std::time::Duration::from_secs(2);
/// A link on which nothing came for this long is lost.
const IDLE_MS: u32 = 5_000;
/// A handshake takes no longer. Long enough for a whole hall that comes back in the same second: a handshake that is given
/// up half way has cost the hub as much as one that is finished.
const HANDSHAKE: std::time::Duration = std::time::Duration::from_secs(6);
/// Looking round for the hub takes this long.
const SEARCH_TIME: std::time::Duration = std::time::Duration::from_secs(2);

/// Where to look for the hub.
#[derive(Clone, Debug)]
pub enum HubLocation {
    /// There and nowhere else.
    At(HubAddress),
    /// There first, then wherever the local network says.
    Remembered(Option<HubAddress>),
}

/// Told the address at which the hub was reached.
pub type OnReached = Box<dyn FnMut(&HubAddress) + Send>;

/// Opens sessions of one clock with its hub.
pub struct QuicConnector {
    dialer: Dialer,
    config: ClientConfig,
    other_authority: OtherAuthority,
    authority: [u8; 16],
    location: HubLocation,
    on_reached: OnReached,
}

impl std::fmt::Debug for QuicConnector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "QuicConnector({:?})", self.location)
    }
}

impl QuicConnector {
    /// Sessions of `identity` over the sockets of `dialer`.
    ///
    /// # Errors
    /// The identity's certificate or key is not usable.
    pub fn new(
        identity: &Identity,
        dialer: Dialer,
        location: HubLocation,
        on_reached: OnReached,
    ) -> Result<Self, rustls::Error> {
        let (tls, other_authority) = tls::session_config(identity)?;
        Ok(Self {
            dialer,
            config: client_config(tls)?,
            other_authority,
            authority: identity.enrolment.authority(),
            location,
            on_reached,
        })
    }

    async fn try_at(&mut self, address: &HubAddress) -> Result<QuicLink, ConnectError> {
        let connected = self.dialer.connect(address, &self.config).await;
        match connected {
            Ok(connection) => {
                (self.on_reached)(address);
                QuicLink::open(connection, address.to_string()).await
            }
            Err(error) => Err(self.explain(address, error)),
        }
    }

    fn explain(&self, address: &HubAddress, error: ConnectError) -> ConnectError {
        match self.other_authority.take() {
            Some(shown) => ConnectError::Refused(format!(
                "the hub at {address} is not the one this clock is enrolled with (authority SHA-256 {}…, there {}…); \
                 enrol again with a code of that hub: clock-agent enrol CODE",
                fingerprint_text(&self.authority[..4]),
                fingerprint_text(&shown[..4])
            )),
            None => error,
        }
    }
}

impl Connector for QuicConnector {
    type Link = QuicLink;

    async fn connect(&mut self) -> Result<QuicLink, ConnectError> {
        let remembered = match self.location.clone() {
            HubLocation::At(address) => return self.try_at(&address).await,
            HubLocation::Remembered(address) => address,
        };
        let mut failure = ConnectError::Away("no hub is remembered".to_owned());
        if let Some(address) = &remembered {
            match self.try_at(address).await {
                Ok(link) => return Ok(link),
                Err(error) => failure = error,
            }
        }
        for address in discovery::find(self.authority, SEARCH_TIME).await {
            if Some(&address) == remembered.as_ref() {
                continue;
            }
            match self.try_at(&address).await {
                Ok(link) => {
                    self.location = HubLocation::Remembered(Some(address));
                    return Ok(link);
                }
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }
}

/// The client's side of engineering limits: small windows, no migration of meaning, keep-alive.
pub(crate) fn client_config(tls: rustls::ClientConfig) -> Result<ClientConfig, rustls::Error> {
    let crypto = QuicClientConfig::try_from(tls)
        .map_err(|error| rustls::Error::General(error.to_string()))?;
    let mut config = ClientConfig::new(Arc::new(crypto));
    let mut transport = TransportConfig::default();
    transport
        .max_concurrent_bidi_streams(VarInt::from_u32(0))
        .max_concurrent_uni_streams(VarInt::from_u32(0))
        .stream_receive_window(VarInt::from_u32(64 * 1024))
        .receive_window(VarInt::from_u32(256 * 1024))
        .send_window(256 * 1024)
        .datagram_receive_buffer_size(Some(16 * 1024))
        .datagram_send_buffer_size(16 * 1024)
        .initial_rtt(std::time::Duration::from_millis(50))
        .max_idle_timeout(Some(IdleTimeout::from(VarInt::from_u32(IDLE_MS))))
        .keep_alive_interval(Some(KEEP_ALIVE));
    config.transport_config(Arc::new(transport));
    Ok(config)
}

/// What a lost connection means, in link_end.
pub(crate) fn link_end(error: &ConnectionError) -> LinkEnd {
    match error {
        ConnectionError::ApplicationClosed(close) if close.reason.is_empty() => {
            LinkEnd::Lost("the hub closed the link".to_owned())
        }
        ConnectionError::ApplicationClosed(close) => LinkEnd::Lost(format!(
            "the hub closed the link: {}",
            String::from_utf8_lossy(&close.reason)
        )),
        // The hub's TLS did not like this clock's certificate; a code of 0x1xx is a TLS alert.
        ConnectionError::ConnectionClosed(close)
            if (0x100..0x200).contains(&u64::from(close.error_code)) =>
        {
            LinkEnd::Refused(format!(
                "the hub does not admit this clock ({}): enrol it there with clock-agent enrol CODE",
                match close.reason.as_ref() {
                    [] => close.error_code.to_string(),
                    reason => String::from_utf8_lossy(reason).into_owned(),
                }
            ))
        }
        ConnectionError::TimedOut => LinkEnd::Lost("no answer".to_owned()),
        ConnectionError::Reset => LinkEnd::Lost("the hub was restarted".to_owned()),
        ConnectionError::LocallyClosed => LinkEnd::Lost("closed here".to_owned()),
        ConnectionError::ConnectionClosed(_)
        | ConnectionError::TransportError(_)
        | ConnectionError::VersionMismatch
        | ConnectionError::CidsExhausted => LinkEnd::Lost(error.to_string()),
    }
}

/// Closes in order; what is still queued is lost.
pub(crate) fn close(connection: &Connection, reason: &str) {
    connection.close(VarInt::from_u32(0), reason.as_bytes());
}
