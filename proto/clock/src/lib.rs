#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), no_std)]
#![cfg_attr(
    not(feature = "tracing"),
    allow(unused_variables, reason = "named only to be told")
)]

extern crate alloc;

pub mod agent;
pub mod buttons;
pub mod face_state;
#[cfg(not(feature = "tracing"))]
mod quiet;

#[cfg(feature = "tracing")]
use ::tracing;
#[cfg(not(feature = "tracing"))]
use quiet as tracing;
