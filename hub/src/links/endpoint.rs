//! The QUIC endpoint: a socket with the bounds that a hostile Wi-Fi asks for. Knows quinn, and nothing of frames.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use quinn::crypto::rustls::QuicServerConfig;
use quinn::{Endpoint, EndpointConfig, IdleTimeout, ServerConfig, TransportConfig, VarInt};

use super::LinksError;

/// Connections that wait for their handshake to be looked at.
const MAX_INCOMING: usize = 1024;
/// Above this many unfinished handshakes, an address has to prove itself first (a QUIC Retry).
pub(super) const RETRY_ABOVE: usize = 200;

/// Binds the socket for agents.
pub(super) fn bind(address: SocketAddr, tls: rustls::ServerConfig) -> Result<Endpoint, LinksError> {
    let tls =
        QuicServerConfig::try_from(tls).map_err(|error| LinksError::Tls(error.to_string()))?;
    let mut config = ServerConfig::with_crypto(Arc::new(tls));
    config
        .transport_config(Arc::new(transport()))
        .migration(false)
        .max_incoming(MAX_INCOMING)
        .incoming_buffer_size(16 * 1024)
        .incoming_buffer_size_total(8 * 1024 * 1024);
    let bind = |error| LinksError::Bind { address, error };
    let socket = std::net::UdpSocket::bind(address).map_err(bind)?;
    let runtime = Arc::new(quinn::TokioRuntime);
    Endpoint::new(EndpointConfig::default(), Some(config), socket, runtime).map_err(bind)
}

fn transport() -> TransportConfig {
    let mut transport = TransportConfig::default();
    transport
        .max_concurrent_bidi_streams(VarInt::from_u32(2))
        .max_concurrent_uni_streams(VarInt::from_u32(0))
        .stream_receive_window(VarInt::from_u32(64 * 1024))
        .receive_window(VarInt::from_u32(256 * 1024))
        .send_window(256 * 1024)
        .datagram_receive_buffer_size(Some(16 * 1024))
        .datagram_send_buffer_size(16 * 1024)
        .initial_rtt(Duration::from_millis(50))
        .max_idle_timeout(Some(IdleTimeout::from(VarInt::from_u32(8_000))))
        // The agent keeps the link alive: a hub that probed ten thousand silent boards would only add to their silence.
        .keep_alive_interval(None);
    transport
}
