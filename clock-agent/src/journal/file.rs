//! The bytes of a journal file: a header line, then records of length, CRC-32C and entry. Owns reading after a power cut, and atomic replacement.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use prost::Message;

use crate::core::entry::Entry;

const FIRST_LINE: &[u8] = b"flagfall clock journal 1\n";
/// Number of bytes for length and CRC before a record's entry.
const HEAD: usize = 8;
/// Maximum size of an entry, in bytes. The largest is the compacted state, with a snapshot, labels and arbiters.
const MAX_ENTRY: usize = 16 * 1024;

#[derive(Debug, Default)]
pub(super) struct Contents {
    pub(super) entries: Vec<Entry>,
    pub(super) end: End,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum End {
    #[default]
    Whole,
    /// The header line is incomplete, or the last record is incomplete or damaged, as after a power cut during an unsynced write.
    Torn { at: usize },
    /// A record is damaged in a way that a power cut cannot cause: for example, more bytes follow it.
    Damaged { at: usize },
    /// The file is not a journal, or this program does not support its version.
    Foreign,
}

/// Reads a journal up to the first fault. A missing file counts as an empty journal.
pub(super) fn read(path: &Path) -> io::Result<Contents> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(parse(&bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Contents::default()),
        Err(error) => Err(error),
    }
}

pub(super) fn parse(bytes: &[u8]) -> Contents {
    let mut contents = Contents::default();
    if !bytes.starts_with(FIRST_LINE) {
        contents.end = match bytes {
            [] => End::Whole,
            _ if FIRST_LINE.starts_with(bytes) => End::Torn { at: 0 },
            _ => End::Foreign,
        };
        return contents;
    }
    let mut at = FIRST_LINE.len();
    while at < bytes.len() {
        match record(&bytes[at..]) {
            Ok((entry, len)) => {
                contents.entries.push(entry);
                at += len;
            }
            Err(Fault::Last) => {
                contents.end = End::Torn { at };
                break;
            }
            Err(Fault::Inside) => {
                contents.end = End::Damaged { at };
                break;
            }
        }
    }
    contents
}

enum Fault {
    /// No readable record can follow: the file ends here.
    Last,
    Inside,
}

fn record(bytes: &[u8]) -> Result<(Entry, usize), Fault> {
    let zeros = bytes.iter().all(|byte| *byte == 0);
    let Some((head, rest)) = bytes.split_first_chunk::<HEAD>() else {
        return Err(Fault::Last);
    };
    let [l0, l1, l2, l3, c0, c1, c2, c3] = *head;
    let len = u32::from_be_bytes([l0, l1, l2, l3]) as usize;
    let sum = u32::from_be_bytes([c0, c1, c2, c3]);
    // A file system may extend a file with zeros before writing to it.
    if zeros {
        return Err(Fault::Last);
    }
    if len == 0 || len > MAX_ENTRY {
        return Err(Fault::Inside);
    }
    let Some(payload) = rest.get(..len) else {
        return Err(Fault::Last);
    };
    let fault = if rest.len() == len {
        Fault::Last
    } else {
        Fault::Inside
    };
    if crc32c::crc32c(payload) != sum {
        return Err(fault);
    }
    match Entry::decode(payload) {
        Ok(entry) => Ok((entry, HEAD + len)),
        Err(_) => Err(Fault::Inside),
    }
}

pub(super) fn encode(entry: &Entry, to: &mut Vec<u8>) {
    let payload = entry.encode_to_vec();
    // The length fits into 32 bits: an entry is far smaller than 4 GiB, because frames are bounded.
    to.extend_from_slice(&(payload.len() as u32).to_be_bytes());
    to.extend_from_slice(&crc32c::crc32c(&payload).to_be_bytes());
    to.extend_from_slice(&payload);
}

/// Atomically replaces the file with a journal of `entries`. Returns the new file, open for appending.
pub(super) fn replace(path: &Path, entries: &[Entry]) -> io::Result<File> {
    let mut bytes = FIRST_LINE.to_vec();
    for entry in entries {
        encode(entry, &mut bytes);
    }
    let beside = path.with_extension("new");
    let mut file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .open(&beside)?;
    file.write_all(&bytes)?;
    file.sync_all()?;
    std::fs::rename(&beside, path)?;
    sync_directory(path)?;
    Ok(file)
}

/// Makes the file names in the directory of `path` durable.
pub(super) fn sync_directory(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => File::open(parent)?.sync_all(),
        Some(_) | None => File::open(".")?.sync_all(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::entry::Kind;

    fn journal(entries: usize) -> (Vec<u8>, Vec<usize>) {
        let mut bytes = FIRST_LINE.to_vec();
        let mut ends = vec![bytes.len()];
        for at in 0..entries {
            encode(&Kind::Acked(at as u64 + 1_000_000).into(), &mut bytes);
            ends.push(bytes.len());
        }
        (bytes, ends)
    }

    #[test]
    fn a_truncated_journal_keeps_every_complete_record() {
        let (bytes, ends) = journal(5);
        for cut in 0..=bytes.len() {
            let contents = parse(&bytes[..cut]);
            let whole = ends.iter().filter(|end| **end <= cut).count();
            assert_eq!(contents.entries.len(), whole.saturating_sub(1), "cut {cut}");
            let clean = cut == 0 || ends.contains(&cut);
            assert_eq!(contents.end == End::Whole, clean, "cut {cut}");
            assert!(!matches!(contents.end, End::Damaged { .. } | End::Foreign));
        }
    }

    #[test]
    fn trailing_zeros_count_as_a_torn_record() {
        let (mut bytes, ends) = journal(3);
        bytes.extend([0; 4096]);
        let contents = parse(&bytes);
        assert_eq!(contents.entries.len(), 3);
        assert_eq!(contents.end, End::Torn { at: ends[3] });
    }

    #[test]
    fn every_flipped_bit_is_detected() {
        let (bytes, ends) = journal(4);
        for at in FIRST_LINE.len()..bytes.len() {
            let mut altered = bytes.clone();
            altered[at] ^= 0x10;
            let contents = parse(&altered);
            let before = ends.iter().filter(|end| **end <= at).count() - 1;
            assert_eq!(contents.entries.len(), before, "byte {at}");
            assert_ne!(contents.end, End::Whole, "byte {at}");
        }
    }

    #[test]
    fn another_file_is_not_a_journal() {
        assert_eq!(parse(b"#!/bin/sh\n").end, End::Foreign);
        assert_eq!(parse(b"flagfall clock journal 2\n").end, End::Foreign);
    }

    proptest::proptest! {
        #[test]
        fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..400)) {
            let mut file = FIRST_LINE.to_vec();
            file.extend(&bytes);
            let contents = parse(&file);
            proptest::prop_assert!(contents.entries.len() * HEAD <= bytes.len());
        }
    }
}
