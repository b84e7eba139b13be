//! Dialling the hub: name resolution, a handshake with a time limit, and the classification of failures. Knows QUIC, but not the messages
//! on it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use quinn::crypto::rustls::QuicClientConfig;
use quinn::{
    ClientConfig, Connection, ConnectionError, Endpoint, IdleTimeout, TransportConfig, VarInt,
};
use tokio::time::timeout;

const HANDSHAKE_WITHIN: Duration = Duration::from_secs(6);
/// Interval of keep-alives, short enough for the hub's idle timeout (8 s).
const KEEP_ALIVE: Duration = Duration::from_secs(2);
const IDLE_TIMEOUT_MS: u32 = 5_000;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DialError {
    /// The connection failed for a reason that may pass: retry soon.
    #[error("{0}")]
    Away(String),
    /// A different hub responds, the hub refuses this gateway, or the gateway's certificate or key is unusable: a person must act.
    #[error("{0}")]
    Refused(String),
}

/// Dials the addresses of `hub` (`host:port`) in turn. Returns the first connection, or the last failure.
pub(super) async fn connect(
    hub: &str,
    name: &str,
    tls: rustls::ClientConfig,
) -> Result<Connection, DialError> {
    let config = client_config(tls).map_err(DialError::Refused)?;
    let addresses = tokio::net::lookup_host(hub).await;
    let addresses = addresses.map_err(|error| DialError::Away(format!("{hub}: {error}")))?;
    let mut failure = DialError::Away(format!("{hub}: the name has no address"));
    for address in addresses {
        match dial(address, name, &config).await {
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

async fn dial(
    address: SocketAddr,
    name: &str,
    config: &ClientConfig,
) -> Result<Connection, DialError> {
    let away = |error: &dyn std::fmt::Display| DialError::Away(error.to_string());
    let own: IpAddr = match address {
        SocketAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        SocketAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    };
    // The connection keeps the endpoint alive.
    let endpoint = Endpoint::client((own, 0).into()).map_err(|error| away(&error))?;
    let connecting = endpoint.connect_with(config.clone(), address, name);
    let connecting = connecting.map_err(|error| away(&error))?;
    let connected = timeout(HANDSHAKE_WITHIN, connecting).await;
    let connected = connected.map_err(|_| DialError::Away("no answer".to_owned()))?;
    connected.map_err(|error| explain(&error))
}

/// Classifies a connection error. A code of 0x1xx is a TLS alert, from either end.
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
        .max_idle_timeout(Some(IdleTimeout::from(VarInt::from_u32(IDLE_TIMEOUT_MS))))
        .keep_alive_interval(Some(KEEP_ALIVE));
    config.transport_config(Arc::new(transport));
    Ok(config)
}
