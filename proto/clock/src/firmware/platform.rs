//! What a maker of clocks writes for a chip: five small traits. Owns their contracts; nothing here knows what they are used for.

use proto::ble::Advertisement;
use timing::Button;

use crate::buttons::Edge;

/// A place for bytes that a power cut leaves alone: a partition of a flash memory.
///
/// Nothing is asked of it but what every NOR flash does: a sector is erased to `0xff` as a whole, and what is erased is written once. A write
/// that a power cut interrupts may leave anything in the bytes it was about, and nothing elsewhere.
pub trait Flash {
    /// Bytes of the partition: a multiple of [`Flash::sector`], at least six sectors.
    fn size(&self) -> u32;

    /// Bytes that are erased together: a multiple of 8.
    fn sector(&self) -> u32;

    /// Reads from `at`, anywhere.
    ///
    /// # Errors
    /// [`FlashError`]; `into` may hold anything then.
    fn read(&mut self, at: u32, into: &mut [u8]) -> Result<(), FlashError>;

    /// Writes a multiple of 8 bytes at a multiple of 8, where the flash is erased. On return they outlast a power cut.
    ///
    /// # Errors
    /// [`FlashError`]; the place may hold anything then.
    fn write(&mut self, at: u32, bytes: &[u8]) -> Result<(), FlashError>;

    /// Erases the sector that begins at `at`.
    ///
    /// # Errors
    /// [`FlashError`].
    fn erase(&mut self, at: u32) -> Result<(), FlashError>;
}

/// The flash does not do what it should.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the flash memory does not read, write or erase")]
pub struct FlashError;

/// A peripheral's radio with the service of `proto::ble`.
pub trait Radio {
    /// Lets itself be found, connectable, until a hub connects; says from now on what is given here, instead of what was given before.
    /// `name` is for people, in the scan response.
    fn advertise(&mut self, shown: &Advertisement, name: &str);

    /// Is not to be found any more, until [`Radio::advertise`] is called again.
    fn hide(&mut self);

    /// Takes a value for a notification. `false` when it has no room: then it takes nothing, and says
    /// [`RadioEvent::Room`](super::RadioEvent::Room) once it has.
    fn notify(&mut self, value: &[u8]) -> bool;

    /// Ends the connection, if there is one. [`RadioEvent::Gone`](super::RadioEvent::Gone) need not follow.
    fn hang_up(&mut self);
}

/// A hardware source of random numbers, good enough for keys.
pub trait Random {
    /// Fills `into`.
    fn fill(&mut self, into: &mut [u8]);
}

/// A crystal.
pub trait Time {
    /// Microseconds since this chip was switched on: counted by one crystal that nothing slews, also while the processor sleeps.
    fn now_us(&self) -> i64;
}

/// A change of a button's contact, as the interrupt saw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContactEdge {
    /// Which button.
    pub button: Button,
    /// What its contact did.
    pub edge: Edge,
    /// When, on the counter of [`Time`].
    pub at_us: i64,
}

/// The two buttons.
///
/// An edge is stamped and queued in its interrupt, before anything else can look at [`Time`]: whoever reads an instant and
/// then takes every edge has taken every one before that instant. Contacts may bounce; edges come in the order of their stamps.
pub trait Contacts {
    /// The oldest edge that has not been taken.
    fn next_edge(&mut self) -> Option<ContactEdge>;
}

/// A chip with all that a clock needs.
pub trait Platform: Flash + Radio + Random + Time + Contacts {}

impl<P: Flash + Radio + Random + Time + Contacts> Platform for P {}
