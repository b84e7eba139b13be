//! Dialling the hub: a name or an address, a handshake that takes no longer than it may, and what a failure means. Knows QUIC, and
//! nothing of what is said on it.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use proto::quic::SERVER_NAME;
use quinn::crypto::rustls::QuicClientConfig;
use quinn::{
    ClientConfig, Connection, ConnectionError, Endpoint, IdleTimeout, TransportConfig, VarInt,
};
use tokio::time::timeout;

/// A handshake takes no longer.
const HANDSHAKE: Duration = Duration::from_secs(6);
/// Often enough that the hub does not take silence for death (8 s).
const KEEP_ALIVE: Duration = Duration::from_secs(2);
/// A connection on which nothing came for this long is lost.
const IDLE_MS: u32 = 5_000;

/// Why there is no connection.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DialError {
    /// Nobody there, or no answer: to be tried again soon.
    #[error("{0}")]
    Away(String),
    /// Somebody is there, but not the hub of this gateway: somebody has to do something.
    #[error("{0}")]
    Refused(String),
}

/// Dials every address that `hub` (`host:port`) has, until one answers.
pub(super) async fn connect(hub: &str, tls: rustls::ClientConfig) -> Result<Connection, DialError> {
    let config = client_config(tls).map_err(DialError::Refused)?;
    let addresses = tokio::net::lookup_host(hub).await;
    let addresses = addresses.map_err(|error| DialError::Away(format!("{hub}: {error}")))?;
    let mut failure = DialError::Away(format!("{hub}: the name has no address"));
    for address in addresses {
        match dial(address, &config).await {
            Ok(connection) => return Ok(connection),
            Err(DialError::Away(why)) => {
                failure = DialError::Away(format!("the hub at {hub}: {why}"));
            }
            Err(DialError::Refused(why)) => {
                failure = DialError::Refused(format!("the hub at {hub}: {why}"));
            }
        }
    }
    Err(failure)
}

async fn dial(address: SocketAddr, config: &ClientConfig) -> Result<Connection, DialError> {
    let away = |error: &dyn std::fmt::Display| DialError::Away(error.to_string());
    let own: SocketAddr = if address.is_ipv4() {
        (Ipv4Addr::UNSPECIFIED, 0).into()
    } else {
        (Ipv6Addr::UNSPECIFIED, 0).into()
    };
    // It lives as long as its connection.
    let endpoint = Endpoint::client(own).map_err(|error| away(&error))?;
    let connecting = endpoint.connect_with(config.clone(), address, SERVER_NAME);
    let connecting = connecting.map_err(|error| away(&error))?;
    match timeout(HANDSHAKE, connecting).await {
        Ok(Ok(connection)) => Ok(connection),
        Ok(Err(error)) => Err(explain(&error)),
        Err(_) => Err(DialError::Away("no answer".to_owned())),
    }
}

/// A code of 0x1xx is a TLS alert: of this end, or of the other.
fn explain(error: &ConnectionError) -> DialError {
    let alert = |code: u64| (0x100..0x200).contains(&code);
    match error {
        ConnectionError::TransportError(error) if alert(error.code.into()) => {
            DialError::Refused(format!(
                "it is not the hub that this gateway is enrolled with ({error}); enrol there with a code of `flagfall enrol --gateway NAME`"
            ))
        }
        ConnectionError::ConnectionClosed(close) if alert(close.error_code.into()) => {
            DialError::Refused(format!(
                "it does not admit this gateway ({error}); enrol there with a code of `flagfall enrol --gateway NAME`"
            ))
        }
        ConnectionError::TimedOut => DialError::Away("no answer".to_owned()),
        ConnectionError::TransportError(_)
        | ConnectionError::ConnectionClosed(_)
        | ConnectionError::ApplicationClosed(_)
        | ConnectionError::VersionMismatch
        | ConnectionError::Reset
        | ConnectionError::LocallyClosed
        | ConnectionError::CidsExhausted => DialError::Away(error.to_string()),
    }
}

fn client_config(tls: rustls::ClientConfig) -> Result<ClientConfig, String> {
    let crypto = QuicClientConfig::try_from(tls).map_err(|error| error.to_string())?;
    let mut config = ClientConfig::new(Arc::new(crypto));
    let mut transport = TransportConfig::default();
    transport
        .max_concurrent_bidi_streams(VarInt::from_u32(0))
        .max_concurrent_uni_streams(VarInt::from_u32(0))
        .stream_receive_window(VarInt::from_u32(64 * 1024))
        .receive_window(VarInt::from_u32(4 * 1024 * 1024))
        .initial_rtt(Duration::from_millis(50))
        .max_idle_timeout(Some(IdleTimeout::from(VarInt::from_u32(IDLE_MS))))
        .keep_alive_interval(Some(KEEP_ALIVE));
    config.transport_config(Arc::new(transport));
    Ok(config)
}
