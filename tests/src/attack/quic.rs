//! An attacker's QUIC connections: any certificate or none, any protocol, any address of the loopback network.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use proto::quic::SERVER_NAME;
use quinn::crypto::rustls::QuicClientConfig;
use quinn::{Connection, ConnectionError, Endpoint};

use super::Badge;
use crate::any_hub::any_hub;

const PATIENCE: Duration = Duration::from_secs(20);

/// Connects to the hub with `badge` as the client certificate, if any. Does not check the hub's certificate.
///
/// # Errors
/// Returns the error that TLS or QUIC gives if the handshake fails, or an error after 20 seconds without a result.
pub async fn dial(
    hub: SocketAddr,
    protocol: &[u8],
    badge: Option<&Badge>,
) -> anyhow::Result<Connection> {
    dial_from(IpAddr::from([127, 0, 0, 1]), hub, protocol, badge).await
}

/// Connects like [`dial`], but from a different address of this machine.
pub async fn dial_from(
    from: IpAddr,
    hub: SocketAddr,
    protocol: &[u8],
    badge: Option<&Badge>,
) -> anyhow::Result<Connection> {
    let config = client_config(badge, protocol)?;
    let config = quinn::ClientConfig::new(Arc::new(QuicClientConfig::try_from(config)?));
    let endpoint = Endpoint::client((from, 0).into())?;
    let connecting = endpoint.connect_with(config, hub, SERVER_NAME)?;
    let connection = tokio::time::timeout(PATIENCE, connecting).await;
    Ok(connection.context("the handshake hangs")??)
}

/// Waits until the connection ends; returns the hub's code and reason. If the hub gave no code, returns the text of the QUIC error.
///
/// # Errors
/// Returns an error if the hub leaves the connection open for 20 seconds.
pub async fn ended(connection: &Connection) -> anyhow::Result<(Option<u64>, String)> {
    let closed = tokio::time::timeout(PATIENCE, connection.closed()).await;
    let closed = closed.context("the hub left the connection open")?;
    let ConnectionError::ApplicationClosed(close) = &closed else {
        return Ok((None, closed.to_string()));
    };
    let reason = String::from_utf8_lossy(&close.reason).into_owned();
    Ok((Some(close.error_code.into_inner()), reason))
}

pub(super) fn client_config(
    badge: Option<&Badge>,
    protocol: &[u8],
) -> Result<rustls::ClientConfig, rustls::Error> {
    let config = any_hub()?;
    let mut config = match badge {
        None => config.with_no_client_auth(),
        Some(badge) => {
            config.with_client_auth_cert(vec![badge.certificate.clone()], badge.key.clone_key())?
        }
    };
    config.alpn_protocols = vec![protocol.to_vec()];
    Ok(config)
}
