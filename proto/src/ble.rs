//! The Bluetooth LE link: advertisements, pairing codes, messages split into characteristic values, and encryption.
//!
//! Owns the bytes, the flow control and the handshake of both ends. Needs no radio, system clock or operating system: `no_std` with `alloc`. Never
//! decides which clock is admitted and never generates random bytes: the caller does both. `proto/ble.md` describes the same protocol, with traces
//! that a test compares byte for byte.

mod advertisement;
mod channel;
mod code;
mod noise;
mod pipe;

#[cfg(test)]
mod tests;

pub use advertisement::{Advertisement, BadAdvertisement, COMPANY};
pub use channel::{Channel, ChannelError, Purpose, Received};
pub use code::{BadCode, PairingCode};
pub use noise::{LocalKeys, NoiseError};
pub use pipe::{HEADER, MAX_MESSAGE, MAX_VALUE, MIN_VALUE, Pipe, PipeError, WINDOW};

/// UUID of a clock's GATT service: `a8f10001-5c2b-4d0e-9f3a-6b1d7e4c2f90`.
pub const SERVICE: u128 = 0xa8f1_0001_5c2b_4d0e_9f3a_6b1d_7e4c_2f90;

/// UUID of the characteristic on which a clock notifies: `a8f10002-5c2b-4d0e-9f3a-6b1d7e4c2f90`.
pub const FROM_CLOCK: u128 = 0xa8f1_0002_5c2b_4d0e_9f3a_6b1d_7e4c_2f90;

/// UUID of the characteristic to which a hub writes without response: `a8f10003-5c2b-4d0e-9f3a-6b1d7e4c2f90`.
pub const TO_CLOCK: u128 = 0xa8f1_0003_5c2b_4d0e_9f3a_6b1d_7e4c_2f90;

/// Number of bytes before the value in an ATT packet.
pub const ATT_HEADER: usize = 3;
