#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), no_std)]
#![cfg_attr(
    not(feature = "tracing"),
    allow(unused_variables, reason = "used only in log events")
)]

extern crate alloc;

pub mod agent;
pub mod buttons;
pub mod enrolment;
pub mod face_state;
pub mod firmware;
#[cfg(not(feature = "tracing"))]
mod quiet;

#[cfg(feature = "tracing")]
use ::tracing;
#[cfg(not(feature = "tracing"))]
use quiet as tracing;
