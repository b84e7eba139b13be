//! Frames over QUIC: protocol names and the use of streams. Owns constants only.
//!
//! A session's connection is closed with a `GoodbyeReason` as its error code and a text as its reason. If the stream is open, the hub first sends a
//! `Goodbye` frame with the same content, so that the clock learns the reason either way.
//!
//! In a session, the agent opens one bidirectional stream, whose frames carry a length prefix ([`crate::frame::encode_prefixed`]). Watermarks, time
//! probes and time replies are datagrams, one frame each, without a prefix. Where datagrams are unavailable, these frames go over the stream.

use alloc::format;
use alloc::string::String;

use crate::ids::hex;

/// ALPN protocol of an enrolled agent's session: mutual TLS.
pub const ALPN_SESSION: &[u8] = b"flagfall/1";

/// ALPN protocol of an enrolment. The agent or gateway presents no certificate, and checks the hub's authority against the fingerprint in the code.
pub const ALPN_ENROL: &[u8] = b"flagfall-enrol/1";

/// ALPN protocol of a gateway's connection: mutual TLS with a gateway's certificate. The first stream carries
/// [`GatewayFrame`](crate::wire::GatewayFrame)s and [`RelayFrame`](crate::wire::RelayFrame)s; every other stream carries the values of one clock
/// ([`crate::relay`]).
pub const ALPN_GATEWAY: &[u8] = b"flagfall-gateway/1";

/// The DNS name that every hub's certificate has in addition to the hub's own names. A hub is identified by its authority, so its address may change.
/// In the TLS handshake, Flagfall's programs request this name or a name below it ([`server_name_of`]).
pub const SERVER_NAME: &str = "hub.flagfall";

/// Returns the TLS server name that selects the certificate issued by the authority with the fingerprint `authority`. The name tells a hub with two
/// authorities to present the certificate that the client trusts.
pub fn server_name_of(authority: &[u8; 16]) -> String {
    format!("{}.{SERVER_NAME}", hex(authority))
}

/// Returns the DNS name in the certificate that an authority issues to vouch for its successor. `next` is the successor's fingerprint.
pub fn voucher_name(next: &[u8; 16]) -> String {
    format!("{}.authority.flagfall", hex(next))
}

/// The hub's default port: UDP for agents and gateways, TCP for arbiters' programs.
pub const DEFAULT_PORT: u16 = 7464;

/// DNS-SD service type by which agents find the hub on the local network.
pub const SERVICE_TYPE: &str = "_flagfall._udp.local.";

/// Prefix of the URI in an agent's certificate; the agent's hexadecimal key follows.
pub const AGENT_URI: &str = "flagfall:agent:";

/// Prefix of the URI in a gateway's certificate; the gateway's hexadecimal key follows.
pub const GATEWAY_URI: &str = "flagfall:gateway:";

/// Prefix of the URI in an arbiter's certificate. The role, a plus sign and the sector if there is one, a colon and the name follow; sector and name
/// are percent-encoded.
pub const ARBITER_URI: &str = "flagfall:arbiter:";
