//! The conformance kit: acts as a hub towards any clock, or as a clock towards any hub, over real QUIC. Checks
//! rules of `proto/README.md` and `proto/quic.md`, and reports the verdicts.
//!
//! Shares only `proto` and `timing` with the product. In the hub, only the command line that starts the kit may depend
//! on it.

#![expect(
    missing_docs,
    reason = "not an API outside this repository: only names that need a doc have one"
)]

pub mod clock;
mod engine;
pub mod hub;
mod incoming;
pub mod kit;
pub mod operator;
pub mod report;
pub mod rule;
mod time_source;
mod tls;

pub use tls::TlsError;

/// An encoded field with the number 1000, which no message defines.
pub(crate) const UNKNOWN_FIELD: [u8; 3] = [0xc0, 0x3e, 1];

/// Returns bytes prefixed with their length, whether or not they are a frame.
pub(crate) fn framed(body: &[u8]) -> Vec<u8> {
    let len = u16::try_from(body.len()).unwrap_or(u16::MAX);
    [&len.to_be_bytes()[..], body].concat()
}
