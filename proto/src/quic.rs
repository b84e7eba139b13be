//! How frames travel on QUIC: protocol names and the use of streams. Owns constants only.
//!
//! The agent opens one bidirectional stream; frames on it carry a length prefix ([`crate::frame::encode_prefixed`]).
//! Watermarks, time probes and time replies travel as datagrams, one frame each, without prefix; a watermark also goes
//! on the stream where datagrams are not to be had.

/// A session of an enrolled agent: mutual TLS.
pub const ALPN_SESSION: &[u8] = b"flagfall/1";

/// Enrolment: the agent has no certificate yet and checks the hub's authority by the code's fingerprint.
pub const ALPN_ENROL: &[u8] = b"flagfall-enrol/1";

/// Port of agents (UDP) and of arbiters' programs (TCP).
pub const DEFAULT_PORT: u16 = 7464;

/// DNS-SD service type by which agents find the hub in the local network.
pub const SERVICE_TYPE: &str = "_flagfall._udp.local.";

/// Beginning of the URI in an agent's certificate; the agent's hexadecimal key follows.
pub const AGENT_URI: &str = "flagfall:agent:";

/// Beginning of the URI in an arbiter's certificate; `chief`, `floor` or `viewer`, a colon and a name follow.
pub const ARBITER_URI: &str = "flagfall:arbiter:";
