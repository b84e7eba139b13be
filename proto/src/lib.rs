#![doc = include_str!("../README.md")]
#![cfg_attr(not(any(feature = "grpc", test)), no_std)]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod ble;
pub mod chain;
pub mod checkpoint;
pub mod enrolment;
pub mod evidence;
pub mod exchange;
pub mod frame;
pub mod ids;
pub mod merkle;
pub mod names;
pub mod note;
pub mod pin;
pub mod quic;
pub mod relay;
pub mod tiles;
pub mod watermark;

#[allow(missing_docs, reason = "generated; the schema carries the comments")]
mod common {
    include!(concat!(env!("OUT_DIR"), "/flagfall.common.v1.rs"));
}

/// The data of an event, for the log and the services (`frames/event.proto` and `frames/time_chess.proto`).
#[allow(
    missing_docs,
    clippy::large_enum_variant,
    reason = "generated; the schema carries the comments"
)]
pub mod event {
    include!(concat!(env!("OUT_DIR"), "/flagfall.event.v1.rs"));
}

/// The hub's refusals, for the log and the services (`frames/refusal.proto` and `frames/file_fault.proto`).
#[allow(missing_docs, reason = "generated; the schema carries the comments")]
pub mod refusal {
    include!(concat!(env!("OUT_DIR"), "/flagfall.refusal.v1.rs"));
}

/// Records of the hub's log (`frames/log.proto`).
#[allow(missing_docs, reason = "generated; the schema carries the comments")]
pub mod log {
    include!(concat!(env!("OUT_DIR"), "/flagfall.log.v1.rs"));
}

/// The frames between clocks, gateways and the hub (`frames/frames.proto` and `frames/relay.proto`).
#[allow(missing_docs, reason = "generated; the schema carries the comments")]
pub mod wire {
    include!(concat!(env!("OUT_DIR"), "/flagfall.frame.v1.rs"));
}

/// The gRPC services for programs of arbiters and players (`api/*.proto`).
#[cfg(feature = "grpc")]
#[allow(
    missing_docs,
    clippy::wildcard_enum_match_arm,
    clippy::large_enum_variant,
    reason = "generated; the schema carries the comments"
)]
pub mod grpc {
    tonic::include_proto!("flagfall.api.v1");
}

pub use common::Side;

/// Major version of the frame protocol. A peer with a different major version is refused.
pub const MAJOR: u32 = 1;
/// Minor version of the frame protocol, increased for additions that older peers may ignore.
pub const MINOR: u32 = 1;
