//! Tests of the banks: power cuts at every byte, records that do not fit, and flipped bits.

use super::*;

const SECTOR: usize = 64;
const LEN: u32 = 4 * SECTOR as u32;

/// Flash that fails once `power` more bytes have been written.
struct Memory {
    bytes: Vec<u8>,
    power: usize,
}

impl Memory {
    fn new() -> Self {
        Self {
            bytes: alloc::vec![0xff; 2 * LEN as usize],
            power: usize::MAX,
        }
    }
}

impl Flash for Memory {
    fn size(&self) -> u32 {
        2 * LEN
    }

    fn sector(&self) -> u32 {
        SECTOR as u32
    }

    fn read(&mut self, at: u32, into: &mut [u8]) -> Result<(), FlashError> {
        into.copy_from_slice(&self.bytes[at as usize..at as usize + into.len()]);
        Ok(())
    }

    fn write(&mut self, at: u32, bytes: &[u8]) -> Result<(), FlashError> {
        assert!(at.is_multiple_of(8) && bytes.len().is_multiple_of(8));
        let there = &mut self.bytes[at as usize..at as usize + bytes.len()];
        assert!(
            there.iter().all(|byte| *byte == 0xff),
            "written where it was not erased"
        );
        let written = self.power.min(bytes.len());
        there[..written].copy_from_slice(&bytes[..written]);
        self.power -= written;
        if written < bytes.len() {
            return Err(FlashError);
        }
        Ok(())
    }

    fn erase(&mut self, at: u32) -> Result<(), FlashError> {
        if self.power == 0 {
            return Err(FlashError);
        }
        self.bytes[at as usize..at as usize + SECTOR].fill(0xff);
        Ok(())
    }
}

fn record(number: u8) -> Vec<u8> {
    alloc::vec![number; usize::from(number % 23) + 1]
}

fn numbers(numbers: core::ops::Range<u8>) -> impl Iterator<Item = Vec<u8>> {
    numbers.map(record)
}

fn read(memory: &mut Memory) -> Vec<Vec<u8>> {
    let banks = Banks::open(memory, 0, LEN).unwrap();
    banks.records(memory).collect()
}

/// Runs a series of writes. After each write, calls `done` with the records that the banks must then hold.
fn script(memory: &mut Memory, mut done: impl FnMut(&[Vec<u8>])) -> Result<(), BankError> {
    let mut banks = Banks::open(memory, 0, LEN)?;
    for round in 0..4_u8 {
        let first = round * 10;
        banks.replace(memory, numbers(first..first + 3))?;
        let mut held: Vec<_> = numbers(first..first + 3).collect();
        done(&held);
        for number in first + 3..first + 7 {
            banks.append(memory, [record(number)])?;
            held.push(record(number));
            done(&held);
        }
    }
    Ok(())
}

#[test]
fn a_power_cut_leaves_the_old_or_the_new_content() {
    let mut whole = Memory::new();
    let mut states = alloc::vec![Vec::new()];
    script(&mut whole, |held| states.push(held.to_vec())).unwrap();
    let mut cuts = 0;
    for power in 0.. {
        let mut memory = Memory {
            power,
            ..Memory::new()
        };
        let mut steps = 0;
        let end = script(&mut memory, |_| steps += 1);
        memory.power = usize::MAX;
        let found = read(&mut memory);
        // If the power cut hit only the padding, the last record is complete.
        let next = states.get(steps + 1);
        assert!(
            found == states[steps] || Some(&found) == next,
            "after {power} bytes: {found:?}, not {:?}",
            states[steps]
        );
        let mut banks = Banks::open(&mut memory, 0, LEN).unwrap();
        assert_eq!(
            banks.append(&mut memory, [record(9)]),
            Err(BankError::Full),
            "nothing is appended to the remains of a power cut"
        );
        banks.replace(&mut memory, numbers(90..92)).unwrap();
        banks.append(&mut memory, [record(92)]).unwrap();
        assert!(read(&mut memory).into_iter().eq(numbers(90..93)));
        if end.is_ok() {
            break;
        }
        cuts += 1;
    }
    assert!(cuts > 500, "{cuts}");
}

#[test]
fn records_that_do_not_fit_change_nothing() {
    let mut memory = Memory::new();
    let mut banks = Banks::open(&mut memory, 0, LEN).unwrap();
    banks.replace(&mut memory, numbers(0..3)).unwrap();
    let long = alloc::vec![1; LEN as usize];
    assert_eq!(
        banks.replace(&mut memory, [record(4), long.clone()]),
        Err(BankError::Full)
    );
    assert!(read(&mut memory).into_iter().eq(numbers(0..3)));
    assert_eq!(banks.append(&mut memory, [long]), Err(BankError::Full));
    assert_eq!(banks.append(&mut memory, [record(3)]), Err(BankError::Full));
    banks.replace(&mut memory, numbers(0..4)).unwrap();
    assert!(read(&mut memory).into_iter().eq(numbers(0..4)));
}

#[test]
fn reading_ends_before_a_flipped_bit() {
    let mut memory = Memory::new();
    let mut banks = Banks::open(&mut memory, 0, LEN).unwrap();
    banks.replace(&mut memory, numbers(0..8)).unwrap();
    let whole: Vec<_> = numbers(0..8).collect();
    let used = banks.active.unwrap().end as usize;
    for at in 0..used {
        memory.bytes[at] ^= 1;
        let found = read(&mut memory);
        assert!(whole.starts_with(&found), "byte {at}: {found:?}");
        memory.bytes[at] ^= 1;
    }
    assert_eq!(read(&mut memory), whole);
}
