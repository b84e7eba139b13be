//! How frames travel on QUIC: protocol names and the use of streams. Owns constants only.
//!
//! A connection is closed with the number of a `GoodbyeReason` as its error code and the text as its reason, after a
//! `Goodbye` frame when the stream is open: whichever of the two arrives first, both ends know why.
//!
//! The agent opens one bidirectional stream; frames on it carry a length prefix ([`crate::frame::encode_prefixed`]).
//! Watermarks, time probes and time replies travel as datagrams, one frame each, without prefix; a watermark also goes
//! on the stream where datagrams are not to be had.

/// A session of an enrolled agent: mutual TLS.
pub const ALPN_SESSION: &[u8] = b"flagfall/1";

/// Enrolment: the agent has no certificate yet and checks the hub's authority by the code's fingerprint.
pub const ALPN_ENROL: &[u8] = b"flagfall-enrol/1";

/// A gateway's connection: mutual TLS with a gateway's certificate. The first stream that it opens carries
/// [`GatewayFrame`](crate::wire::GatewayFrame)s and [`RelayFrame`](crate::wire::RelayFrame)s, each other one the values of a clock
/// ([`crate::relay`]).
pub const ALPN_GATEWAY: &[u8] = b"flagfall-gateway/1";

/// A name that every hub's certificate carries beside its own: a hub is known by its authority, so its address may change
/// and a client asks TLS for this name, wherever it connects to.
pub const SERVER_NAME: &str = "hub.flagfall";

/// Port of agents (UDP) and of arbiters' programs (TCP).
pub const DEFAULT_PORT: u16 = 7464;

/// DNS-SD service type by which agents find the hub in the local network.
pub const SERVICE_TYPE: &str = "_flagfall._udp.local.";

/// Beginning of the URI in an agent's certificate; the agent's hexadecimal key follows.
pub const AGENT_URI: &str = "flagfall:agent:";

/// Beginning of the URI in a gateway's certificate; the gateway's hexadecimal key follows.
pub const GATEWAY_URI: &str = "flagfall:gateway:";

/// Beginning of the URI in an arbiter's certificate; `chief`, `floor` or `viewer`, a colon and a name follow.
pub const ARBITER_URI: &str = "flagfall:arbiter:";
