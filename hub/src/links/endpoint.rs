//! The QUIC endpoint: a socket with limits for a hostile Wi-Fi network. Knows nothing about frames.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use quinn::crypto::rustls::QuicServerConfig;
use quinn::{Endpoint, EndpointConfig, IdleTimeout, ServerConfig, TransportConfig, VarInt};
use quinn_proto::HashedConnectionIdGenerator;

use super::LinksError;

/// Maximum number of connections waiting for their handshake.
const MAX_INCOMING: usize = 1024;
/// Number of unfinished handshakes above which a sender must first prove its address (a QUIC Retry).
pub(super) const RETRY_ABOVE: usize = 200;

/// Lifetime of a Retry token. A busy hub may ignore an honest peer's first packet; the peer gives up repeating it before the token expires.
const PROOF_LASTS: Duration = Duration::from_secs(60);

/// Maximum number of unread bytes from a peer that is not yet known to be an enrolled clock or gateway: several enrolment requests.
const STRANGER_WINDOW: u32 = 16 * 1024;
/// Maximum number of unread bytes from an enrolled clock.
pub(super) const SESSION_WINDOW: u32 = 256 * 1024;

/// Keys that stay the same across restarts. They let a restarted hub send a stateless reset to an agent that still addresses the previous run. The
/// agent then learns of the lost link without waiting for a timeout.
pub(super) struct Secrets {
    pub(super) reset: [u8; 32],
    /// Key that marks the hub's own connection ids, including those of its previous run.
    pub(super) ids: [u8; 8],
}

pub(super) fn bind(
    address: SocketAddr,
    tls: rustls::ServerConfig,
    secrets: Secrets,
) -> Result<Endpoint, LinksError> {
    let tls =
        QuicServerConfig::try_from(tls).map_err(|error| LinksError::Tls(error.to_string()))?;
    let mut config = ServerConfig::with_crypto(Arc::new(tls));
    config
        .transport_config(Arc::new(transport()))
        .migration(false)
        .retry_token_lifetime(PROOF_LASTS)
        .max_incoming(MAX_INCOMING)
        .incoming_buffer_size(16 * 1024)
        .incoming_buffer_size_total(8 * 1024 * 1024);
    let bind = |error| LinksError::Bind { address, error };
    let socket = std::net::UdpSocket::bind(address).map_err(bind)?;
    let runtime = Arc::new(quinn::TokioRuntime);
    Endpoint::new(endpoint_config(secrets), Some(config), socket, runtime).map_err(bind)
}

fn endpoint_config(secrets: Secrets) -> EndpointConfig {
    let reset = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, &secrets.reset);
    let mut config = EndpointConfig::new(Arc::new(reset));
    // With the same key, the endpoint accepts the ids of its previous run as its own. It would silently drop packets with foreign ids.
    let ids = u64::from_le_bytes(secrets.ids);
    config.cid_generator(move || Box::new(HashedConnectionIdGenerator::from_key(ids)));
    config
}

fn transport() -> TransportConfig {
    let mut transport = TransportConfig::default();
    transport
        .max_concurrent_bidi_streams(VarInt::from_u32(2))
        .max_concurrent_uni_streams(VarInt::from_u32(0))
        .stream_receive_window(VarInt::from_u32(64 * 1024))
        .receive_window(VarInt::from_u32(STRANGER_WINDOW))
        .crypto_buffer_size(8 * 1024)
        .send_window(256 * 1024)
        .datagram_receive_buffer_size(Some(16 * 1024))
        .datagram_send_buffer_size(16 * 1024)
        .initial_rtt(Duration::from_millis(50))
        // Frames are small. Offloading would keep a buffer of ten packets for each clock.
        .enable_segmentation_offload(false)
        .max_idle_timeout(Some(IdleTimeout::from(VarInt::from_u32(8_000))))
        // The agent keeps the link alive. Probes from the hub to ten thousand silent boards would only add load.
        .keep_alive_interval(None);
    transport
}
