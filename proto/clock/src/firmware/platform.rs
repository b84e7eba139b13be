//! The five small traits that a clock maker implements for a chip. Owns their contracts, but not their use.

use proto::ble::Advertisement;
use timing::Button;

use crate::buttons::Edge;

/// A partition of flash memory, which survives power cuts.
///
/// Any NOR flash will do: a sector is erased to `0xff` as a whole, and erased bytes are written once. A power cut during a write may corrupt the
/// bytes being written, but no others.
pub trait Flash {
    /// Returns the size of the partition in bytes: a multiple of [`Flash::sector`], at least six sectors.
    fn size(&self) -> u32;

    /// Returns the size of an erasable sector in bytes: a multiple of 8.
    fn sector(&self) -> u32;

    /// Reads bytes at any offset.
    ///
    /// # Errors
    /// Returns [`FlashError`] if reading fails; the content of `into` is then undefined.
    fn read(&mut self, at: u32, into: &mut [u8]) -> Result<(), FlashError>;

    /// Writes to erased flash; both the offset and the number of bytes are multiples of 8. Once the function has returned, the bytes survive a power
    /// cut.
    ///
    /// # Errors
    /// Returns [`FlashError`] if writing fails; the bytes at `at` are then undefined.
    fn write(&mut self, at: u32, bytes: &[u8]) -> Result<(), FlashError>;

    /// Erases the sector that begins at `at`.
    ///
    /// # Errors
    /// Returns [`FlashError`] if erasing fails.
    fn erase(&mut self, at: u32) -> Result<(), FlashError>;
}

/// A failure to read, write or erase flash memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot read, write or erase the flash memory")]
pub struct FlashError;

/// The radio of a Bluetooth LE peripheral that offers the service of [`proto::ble`].
pub trait Radio {
    /// Advertises as connectable until a hub connects. Replaces the previous advertisement. `name` is sent in the scan response.
    fn advertise(&mut self, shown: &Advertisement, name: &str);

    /// Stops advertising until [`Radio::advertise`] is called again.
    fn hide(&mut self);

    /// Queues a value for notification. Returns `false` if there is no room; [`RadioEvent::RoomAvailable`](super::RadioEvent::RoomAvailable) must
    /// follow once there is room again.
    fn notify(&mut self, value: &[u8]) -> bool;

    /// Ends the current connection, if any. A [`RadioEvent::Disconnected`](super::RadioEvent::Disconnected) may follow, but need not.
    fn disconnect(&mut self);
}

/// A hardware source of random numbers of cryptographic quality.
pub trait Random {
    /// Fills `into` with random bytes.
    fn fill(&mut self, into: &mut [u8]);
}

/// The chip's free-running clock.
pub trait Time {
    /// Returns the microseconds since power-up, counted by one free-running crystal, including during sleep.
    fn now_us(&self) -> i64;
}

/// A change of a button's contact, as seen by the interrupt handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContactEdge {
    /// The button whose contact changed.
    pub button: Button,
    /// The direction of the change: the contact closed or opened.
    pub edge: Edge,
    /// Instant of the change, in microseconds on the counter of [`Time`].
    pub at_us: i64,
}

/// The contacts of the two buttons.
///
/// The interrupt handler must stamp and queue an edge before any other code can read [`Time`]. A caller that reads an instant and then takes all
/// edges therefore has every edge from before that instant. Contacts may bounce; edges are queued in the order of their stamps.
pub trait Contacts {
    /// Takes the oldest edge from the queue. Returns `None` if the queue is empty.
    fn next_edge(&mut self) -> Option<ContactEdge>;
}

/// A chip that implements all five traits, and so can run a clock.
pub trait Platform: Flash + Radio + Random + Time + Contacts {}

impl<P: Flash + Radio + Random + Time + Contacts> Platform for P {}
