//! Power-safe records in flash memory: two banks, at most one of which is in use. Owns the bytes and the choice of bank; does not interpret
//! the records.
//!
//! A bank's head is written last, so that a valid bank contains all its initial records. Further records are appended until the bank is full. Then
//! the data still needed are written to the other bank, with the next generation number. The valid bank with the higher generation is in use.
//! Reading ends at the first incomplete record. Records are never appended after an incomplete one: after a start or a failed append, the next write
//! replaces all records.

use alloc::vec::Vec;

use sha2::{Digest, Sha256};

use super::platform::{Flash, FlashError};

#[cfg(test)]
mod tests;

/// The size of every write is a multiple of this number of bytes.
const UNIT: usize = 8;
/// Size of a bank's head, in bytes: magic, generation, checksum.
const HEAD: u32 = 16;
const MAGIC: [u8; 4] = *b"FFb1";
/// Size of a record's head, in bytes: length, the length's complement, checksum.
const RECORD_HEAD: usize = 8;
/// The record length that erased flash appears to contain; no record has this length.
const ERASED: u16 = 0xffff;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BankError {
    /// The records do not fit, or the bank accepts no further records before the next [`Banks::replace`].
    Full,
    Flash,
}

impl From<FlashError> for BankError {
    fn from(_: FlashError) -> Self {
        Self::Flash
    }
}

#[derive(Debug)]
pub(super) struct Banks {
    start: u32,
    /// Size of one bank, in bytes.
    len: u32,
    active: Option<Active>,
}

#[derive(Clone, Copy, Debug)]
struct Active {
    base: u32,
    generation: u32,
    /// Offset of the end of the bank's last record; valid only while `erased` is set.
    end: u32,
    /// Offset up to which the bank is erased after its last record. `None` after a start or a failed append, when the tail is unknown.
    erased: Option<u32>,
}

impl Banks {
    /// Opens the two banks of `len` bytes each that begin at `start`.
    ///
    /// # Errors
    /// Returns [`FlashError`] if the flash cannot be read.
    pub(super) fn open(flash: &mut impl Flash, start: u32, len: u32) -> Result<Self, FlashError> {
        let mut banks = Self {
            start,
            len,
            active: None,
        };
        for base in [start, start + len] {
            let mut head = [0; HEAD as usize];
            flash.read(base, &mut head)?;
            let [m0, m1, m2, m3, g0, g1, g2, g3, ..] = head;
            let generation = u32::from_be_bytes([g0, g1, g2, g3]);
            let newer = banks
                .active
                .is_none_or(|active| active.generation < generation);
            if [m0, m1, m2, m3] == MAGIC && head == head_of(generation) && newer {
                banks.active = Some(Active {
                    base,
                    generation,
                    end: HEAD,
                    erased: None,
                });
            }
        }
        let mut records = banks.records(flash);
        while records.next().is_some() {}
        records.fault.map_or(Ok(()), Err)?;
        Ok(banks)
    }

    pub(super) fn capacity(&self) -> u32 {
        self.len
    }

    pub(super) fn records<'a, F: Flash>(&self, flash: &'a mut F) -> Records<'a, F> {
        let (base, generation) = self
            .active
            .map_or((self.start, 0), |active| (active.base, active.generation));
        Records {
            flash,
            base,
            generation,
            at: if self.active.is_some() {
                HEAD
            } else {
                self.len
            },
            len: self.len,
            fault: None,
        }
    }

    /// Replaces all records atomically.
    ///
    /// # Errors
    /// Returns a [`BankError`] if the records do not fit or the flash fails; the old records then stay valid.
    pub(super) fn replace(
        &mut self,
        flash: &mut impl Flash,
        records: impl IntoIterator<Item = Vec<u8>>,
    ) -> Result<(), BankError> {
        let (base, generation) = match self.active {
            Some(active) if active.base == self.start => {
                (self.start + self.len, active.generation + 1)
            }
            Some(active) => (self.start, active.generation + 1),
            None => (self.start, 1),
        };
        let mut new = Active {
            base,
            generation,
            end: HEAD,
            erased: Some(0),
        };
        // Erase the first sector, so that the bank stays invalid until its new head is written.
        new.make_room(flash, HEAD, self.len)?;
        for record in records {
            new.add(flash, &record, self.len)?;
        }
        flash.write(base, &head_of(generation))?;
        self.active = Some(new);
        Ok(())
    }

    /// Appends `records`.
    ///
    /// # Errors
    /// Returns a [`BankError`] if the records do not fit or the flash fails; some of them may then have been appended. After a start or a failed
    /// append, returns [`BankError::Full`] until [`Banks::replace`] succeeds.
    pub(super) fn append(
        &mut self,
        flash: &mut impl Flash,
        records: impl IntoIterator<Item = Vec<u8>>,
    ) -> Result<(), BankError> {
        let active = self.active.as_mut().ok_or(BankError::Full)?;
        for record in records {
            if let Err(error) = active.add(flash, &record, self.len) {
                // The state of the flash after the last record is unknown, so nothing more may be appended.
                active.erased = None;
                return Err(error);
            }
        }
        Ok(())
    }
}

impl Active {
    /// Erases the sectors up to `end` that are not erased yet, so that a write waits only for the sectors that it needs.
    fn make_room(&mut self, flash: &mut impl Flash, end: u32, len: u32) -> Result<(), BankError> {
        let mut erased = self.erased.ok_or(BankError::Full)?;
        if end > len {
            return Err(BankError::Full);
        }
        while erased < end {
            flash.erase(self.base + erased)?;
            erased += flash.sector();
            self.erased = Some(erased);
        }
        Ok(())
    }

    fn add(&mut self, flash: &mut impl Flash, record: &[u8], len: u32) -> Result<(), BankError> {
        let size = u16::try_from(record.len())
            .ok()
            .filter(|size| *size != ERASED)
            .ok_or(BankError::Full)?;
        let mut bytes = Vec::with_capacity(RECORD_HEAD + record.len() + UNIT);
        bytes.extend(size.to_be_bytes());
        bytes.extend((!size).to_be_bytes());
        bytes.extend(check(self.generation, record));
        bytes.extend_from_slice(record);
        bytes.resize(bytes.len().next_multiple_of(UNIT), 0xff);
        // The cast loses nothing, because a record's length fits into 16 bits.
        let end = self.end + bytes.len() as u32;
        self.make_room(flash, end, len)?;
        flash.write(self.base + self.end, &bytes)?;
        self.end = end;
        Ok(())
    }
}

pub(super) struct Records<'a, F> {
    flash: &'a mut F,
    base: u32,
    generation: u32,
    at: u32,
    len: u32,
    fault: Option<FlashError>,
}

impl<F: Flash> Records<'_, F> {
    fn read(&mut self) -> Result<Option<Vec<u8>>, FlashError> {
        let behind_head = self.at + RECORD_HEAD as u32;
        if behind_head > self.len {
            return Ok(None);
        }
        let mut head = [0; RECORD_HEAD];
        self.flash.read(self.base + self.at, &mut head)?;
        let [l0, l1, n0, n1, c0, c1, c2, c3] = head;
        let size = u16::from_be_bytes([l0, l1]);
        let end = behind_head + u32::from(size).next_multiple_of(UNIT as u32);
        if size == ERASED || u16::from_be_bytes([n0, n1]) != !size || end > self.len {
            return Ok(None);
        }
        let mut record = alloc::vec![0; usize::from(size)];
        self.flash.read(self.base + behind_head, &mut record)?;
        if check(self.generation, &record) != [c0, c1, c2, c3] {
            return Ok(None);
        }
        self.at = end;
        Ok(Some(record))
    }
}

impl<F: Flash> Iterator for Records<'_, F> {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        if self.fault.is_some() {
            return None;
        }
        let read = self.read();
        self.fault = read.as_ref().err().copied();
        read.ok().flatten()
    }
}

fn head_of(generation: u32) -> [u8; HEAD as usize] {
    let mut head = [0; HEAD as usize];
    head[..4].copy_from_slice(&MAGIC);
    head[4..8].copy_from_slice(&generation.to_be_bytes());
    let hash = Sha256::digest(&head[..8]);
    head[8..].copy_from_slice(&hash[..8]);
    head
}

/// Returns a record's checksum, which covers the generation as well, so that the remains of an earlier generation are never read as valid.
fn check(generation: u32, record: &[u8]) -> [u8; 4] {
    let mut hash = Sha256::new();
    hash.update(generation.to_be_bytes());
    hash.update(record);
    let hash: [u8; 32] = hash.finalize().into();
    let [a, b, c, d, ..] = hash;
    [a, b, c, d]
}
