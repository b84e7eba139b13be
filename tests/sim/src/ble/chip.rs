//! A simulated chip: flash in which a power cut leaves half-written data, a radio with a small queue, two contacts and a clock. Owns the hardware's
//! behaviour; the firmware on it is real, and the world sets its clock.

use std::collections::VecDeque;

use clock_core::firmware::platform::{
    ContactEdge, Contacts, Flash, FlashError, Radio, Random as Noise, Time,
};
use proto::ble::Advertisement;

use crate::random::Random;

/// The size of a flash sector in bytes.
const SECTOR: usize = 4_096;
/// The number of flash sectors, as on the example board: so few that the journal often changes banks.
const SECTORS: usize = 34;
/// The number of notifications that the radio can queue before a connection event.
pub(super) const ROOM: usize = 6;

#[derive(Debug)]
pub(super) struct Chip {
    pub(super) flash: Vec<u8>,
    /// The number of bytes that can still be written before the power fails; `None` while no power cut is planned.
    pub(super) power: Option<usize>,
    pub(super) now_us: i64,
    pub(super) edges: VecDeque<ContactEdge>,
    pub(super) told: Vec<RadioInstruction>,
    pub(super) room: usize,
    random: Random,
}

#[derive(Debug)]
pub(super) enum RadioInstruction {
    Shown(Advertisement),
    Hidden,
    Notified(Vec<u8>),
    HungUp,
}

impl Chip {
    pub(super) fn new(seed: u64) -> Self {
        Self::with_flash(vec![0xff; SECTOR * SECTORS], Random::new(seed, 0xc41b))
    }

    fn with_flash(flash: Vec<u8>, random: Random) -> Self {
        Self {
            flash,
            power: None,
            now_us: 0,
            edges: VecDeque::new(),
            told: Vec::new(),
            room: ROOM,
            random,
        }
    }

    /// Returns the chip after a power cut: only its flash survives.
    pub(super) fn again(&mut self) -> Self {
        let flash = std::mem::take(&mut self.flash);
        Self::with_flash(flash, self.random.clone())
    }

    pub(super) fn is_dead(&self) -> bool {
        self.power == Some(0)
    }
}

impl Flash for Chip {
    fn size(&self) -> u32 {
        self.flash.len() as u32
    }

    fn sector(&self) -> u32 {
        SECTOR as u32
    }

    fn read(&mut self, at: u32, into: &mut [u8]) -> Result<(), FlashError> {
        let at = at as usize;
        let there = self.flash.get(at..at + into.len()).ok_or(FlashError)?;
        into.copy_from_slice(there);
        Ok(())
    }

    fn write(&mut self, at: u32, bytes: &[u8]) -> Result<(), FlashError> {
        let at = at as usize;
        if !at.is_multiple_of(8) || !bytes.len().is_multiple_of(8) {
            return Err(FlashError);
        }
        let there = self.flash.get_mut(at..at + bytes.len()).ok_or(FlashError)?;
        if there.iter().any(|byte| *byte != 0xff) {
            // Only erased flash can be written. An attempt to overwrite data is a fault in the firmware.
            return Err(FlashError);
        }
        let written = self.power.map_or(bytes.len(), |left| left.min(bytes.len()));
        there[..written].copy_from_slice(&bytes[..written]);
        if let Some(left) = &mut self.power {
            *left -= written;
        }
        if written < bytes.len() {
            return Err(FlashError);
        }
        Ok(())
    }

    fn erase(&mut self, at: u32) -> Result<(), FlashError> {
        if self.is_dead() {
            return Err(FlashError);
        }
        let at = at as usize;
        let there = self.flash.get_mut(at..at + SECTOR).ok_or(FlashError)?;
        there.fill(0xff);
        Ok(())
    }
}

impl Radio for Chip {
    fn advertise(&mut self, shown: &Advertisement, _name: &str) {
        self.told.push(RadioInstruction::Shown(*shown));
    }

    fn hide(&mut self) {
        self.told.push(RadioInstruction::Hidden);
    }

    fn notify(&mut self, value: &[u8]) -> bool {
        if self.room == 0 {
            return false;
        }
        self.room -= 1;
        self.told.push(RadioInstruction::Notified(value.to_vec()));
        true
    }

    fn disconnect(&mut self) {
        self.told.push(RadioInstruction::HungUp);
    }
}

impl Noise for Chip {
    fn fill(&mut self, into: &mut [u8]) {
        for byte in into {
            let [drawn] = self.random.bytes::<1>();
            *byte = drawn;
        }
    }
}

impl Time for Chip {
    fn now_us(&self) -> i64 {
        self.now_us
    }
}

impl Contacts for Chip {
    fn next_edge(&mut self) -> Option<ContactEdge> {
        self.edges.pop_front()
    }
}
