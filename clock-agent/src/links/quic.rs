//! Frames over QUIC: one bidirectional stream, plus datagrams. Owns sockets, connections and their limits.

mod dial;
mod link;

use std::sync::Arc;

use proto::enrolment::fingerprint_text;
use proto::quic::server_name_of;
use proto::wire::GoodbyeReason;
use quinn::crypto::rustls::QuicClientConfig;
use quinn::{ClientConfig, Connection, ConnectionError, IdleTimeout, TransportConfig, VarInt};

use super::tls::{self, OtherAuthority};
use super::{ConnectError, Connector, HubAddress, LinkEnd};
use crate::discovery;
use crate::identity::{Enrolment, Identity};

pub use dial::Dialer;
pub use link::QuicLink;

/// Keep-alive interval, less than half of [`IDLE_MS`], so that a single lost packet does not end a link.
const KEEP_ALIVE: std::time::Duration = std::time::Duration::from_secs(2);
/// Time without any packet after which a link counts as lost, in milliseconds.
const IDLE_MS: u32 = 5_000;
/// Time limit for a handshake, long enough for a whole hall that reconnects in the same second. An abandoned handshake would cost the hub as much as
/// a complete one.
const HANDSHAKE_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(6);
/// Maximum length of the reason for closing a connection, in bytes.
const MAX_REASON: usize = 256;
const SEARCH_TIME: std::time::Duration = std::time::Duration::from_secs(2);

/// The addresses at which to look for the hub.
#[derive(Clone, Debug)]
pub enum HubLocation {
    /// This address only.
    At(HubAddress),
    /// This address first, if there is one, then the hubs announced on the local network.
    Remembered(Option<HubAddress>),
}

/// A callback that receives each address at which the hub has been reached.
pub type OnReached = Box<dyn FnMut(&HubAddress) + Send>;

pub type NewestEnrolment = Box<dyn Fn() -> Enrolment + Send>;

pub struct QuicConnector {
    dialer: Dialer,
    identity: Box<Identity>,
    config: ClientConfig,
    other_authority: OtherAuthority,
    location: HubLocation,
    on_reached: OnReached,
    newest: Option<NewestEnrolment>,
}

impl std::fmt::Debug for QuicConnector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "QuicConnector({:?})", self.location)
    }
}

impl QuicConnector {
    /// Creates a source of links for `identity` over the sockets of `dialer`.
    ///
    /// # Errors
    /// Returns an error if the identity's certificate or key is unusable.
    pub fn new(
        identity: &Identity,
        dialer: Dialer,
        location: HubLocation,
        on_reached: OnReached,
    ) -> Result<Self, rustls::Error> {
        let (tls, other_authority) = tls::session_config(identity)?;
        Ok(Self {
            dialer,
            identity: Box::new(identity.clone()),
            config: client_config(tls)?,
            other_authority,
            location,
            on_reached,
            newest: None,
        })
    }

    /// Calls `newest` before each connection, and uses the certificate and authority of the enrolment that it returns.
    #[must_use]
    pub fn with_renewals(mut self, newest: NewestEnrolment) -> Self {
        self.newest = Some(newest);
        self
    }

    /// Switches to the newest enrolment if it has a new certificate.
    fn renew(&mut self) {
        let Some(newest) = self.newest.as_ref().map(|newest| newest()) else {
            return;
        };
        if newest.certificate_der == self.identity.enrolment.certificate_der {
            return;
        }
        let identity = Identity {
            keys: self.identity.keys.clone(),
            enrolment: newest,
        };
        let made = tls::session_config(&identity)
            .and_then(|(tls, other)| Ok((client_config(tls)?, other)));
        match made {
            Ok((config, other_authority)) => {
                self.config = config;
                self.other_authority = other_authority;
                *self.identity = identity;
            }
            Err(error) => tracing::error!(%error, "the new certificate is unusable"),
        }
    }

    async fn try_at(&mut self, address: &HubAddress) -> Result<QuicLink, ConnectError> {
        let name = server_name_of(&self.identity.enrolment.authority());
        let connected = self.dialer.connect(address, &name, &self.config).await;
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
                "the hub at {address} is not the one this clock is enrolled with (expected authority SHA-256 {}…, got {}…); \
                 enrol again with a code of that hub: clock-agent enrol CODE",
                fingerprint_text(&self.identity.enrolment.authority()[..4]),
                fingerprint_text(&shown[..4])
            )),
            None => error,
        }
    }
}

impl Connector for QuicConnector {
    type Link = QuicLink;

    async fn connect(&mut self) -> Result<QuicLink, ConnectError> {
        self.renew();
        let remembered = match self.location.clone() {
            HubLocation::At(address) => return self.try_at(&address).await,
            HubLocation::Remembered(address) => address,
        };
        let mut failure = ConnectError::Away("no hub address is known".to_owned());
        if let Some(address) = &remembered {
            match self.try_at(address).await {
                Ok(link) => return Ok(link),
                Err(error) => failure = error,
            }
        }
        for address in discovery::find(self.identity.enrolment.authority(), SEARCH_TIME).await {
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

/// Returns the client's QUIC configuration: small windows, no peer-initiated streams, keep-alive.
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

pub(crate) fn link_end(error: &ConnectionError) -> LinkEnd {
    match error {
        ConnectionError::ApplicationClosed(close) if close.reason.is_empty() => {
            LinkEnd::Lost("the hub closed the link".to_owned())
        }
        ConnectionError::ApplicationClosed(close) => LinkEnd::Lost(format!(
            "the hub closed the link: {}",
            String::from_utf8_lossy(&close.reason)
        )),
        // The hub's TLS rejected this clock's certificate; a code of 0x1xx is a TLS alert.
        ConnectionError::ConnectionClosed(close)
            if (0x100..0x200).contains(&u64::from(close.error_code)) =>
        {
            LinkEnd::Refused(format!(
                "the hub rejected this clock's certificate ({}): enrol the clock there with clock-agent enrol CODE",
                match close.reason.as_ref() {
                    [] => close.error_code.to_string(),
                    reason => String::from_utf8_lossy(reason).into_owned(),
                }
            ))
        }
        ConnectionError::TimedOut => LinkEnd::Lost("no answer".to_owned()),
        ConnectionError::Reset => LinkEnd::Lost("the hub restarted".to_owned()),
        ConnectionError::LocallyClosed => LinkEnd::Lost("this clock closed the link".to_owned()),
        ConnectionError::ConnectionClosed(_)
        | ConnectionError::TransportError(_)
        | ConnectionError::VersionMismatch
        | ConnectionError::CidsExhausted => LinkEnd::Lost(error.to_string()),
    }
}

/// Closes the connection; queued frames are lost.
pub(crate) fn close(connection: &Connection, code: GoodbyeReason, reason: &str) {
    let reason = &reason[..reason.floor_char_boundary(MAX_REASON)];
    connection.close(VarInt::from_u32(code as u32), reason.as_bytes());
}
