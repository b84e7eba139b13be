//! The conformance kit: plays a hub against any clock, or a clock against any hub, over real QUIC, and names every broken rule of
//! `proto/README.md`.
//!
//! Shares `proto` and `timing` with the product and nothing else. The hub's code must never depend on it, except the command line that
//! starts it.

pub mod clock;
mod engine;
pub mod hub;
pub mod kit;
pub mod operator;
pub mod report;
pub mod rule;
mod time_source;
mod tls;

pub use tls::TlsError;

/// Returns the code with which the other end closed a connection; `None` if it did not.
pub(crate) fn close_code(error: &quinn::ConnectionError) -> Option<u64> {
    use quinn::ConnectionError as End;
    match error {
        End::ApplicationClosed(close) => Some(close.error_code.into_inner()),
        End::VersionMismatch
        | End::TransportError(_)
        | End::ConnectionClosed(_)
        | End::Reset
        | End::TimedOut
        | End::LocallyClosed
        | End::CidsExhausted => None,
    }
}
