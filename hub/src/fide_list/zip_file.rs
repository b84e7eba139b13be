//! The first list in a zip file, unpacked while it is read and verified by its checksum. Owns the part of the format
//! that FIDE's downloads use: one directory, files stored or deflated, below 4 GiB.

use std::io::{self, BufReader, Read, Seek, SeekFrom, Take};

use flate2::Crc;
use flate2::read::DeflateDecoder;

use super::read::ListError;

/// Bytes of the record at the end of a zip file, without the comment that may follow.
const END: usize = 22;
/// The longest comment, in bytes.
const MAX_COMMENT_BYTES: u64 = 65_535;
/// Bytes of a file's entry in the directory, without its name.
const ENTRY: usize = 46;

pub(super) struct Entry<R: Read> {
    pub(super) name: String,
    /// `2026-10-09`; empty if the zip gives no date.
    pub(super) dated: String,
    packed: Packed<R>,
    crc: Crc,
    expected: (u32, u32),
}

enum Packed<R: Read> {
    Stored(Take<R>),
    Deflated(Box<DeflateDecoder<BufReader<Take<R>>>>),
}

/// Returns whether a source begins like a zip file, and rewinds it.
pub(super) fn is_zip(source: &mut (impl Read + Seek)) -> io::Result<bool> {
    let mut start = Vec::new();
    source.by_ref().take(4).read_to_end(&mut start)?;
    source.rewind()?;
    Ok(start == b"PK\x03\x04" || start == b"PK\x05\x06")
}

pub(super) fn open<R: Read + Seek>(mut source: R) -> Result<Entry<R>, ListError> {
    let cut = || ListError::Zip("the zip file is incomplete".to_owned());
    let length = source.seek(SeekFrom::End(0))?;
    let end = u64::try_from(END).unwrap_or(0);
    let tail_at = length.saturating_sub(end + MAX_COMMENT_BYTES);
    source.seek(SeekFrom::Start(tail_at))?;
    let mut tail = Vec::new();
    source.read_to_end(&mut tail)?;
    let at = memchr::memmem::rfind(&tail, b"PK\x05\x06").ok_or_else(cut)?;
    let count = number(&tail, at + 10, 2).ok_or_else(cut)?;
    let directory = number(&tail, at + 16, 4).ok_or_else(cut)?;
    source.seek(SeekFrom::Start(directory.into()))?;
    let mut names = Vec::new();
    for _ in 0..count {
        let mut entry = [0; ENTRY];
        source.read_exact(&mut entry).map_err(|_| cut())?;
        if !entry.starts_with(b"PK\x01\x02") {
            return Err(ListError::Zip(
                "the zip file's directory is damaged".to_owned(),
            ));
        }
        let field = |at: usize, bytes: usize| number(&entry, at, bytes).unwrap_or(0);
        let mut name = vec![0; usize::try_from(field(28, 2)).unwrap_or(0)];
        source.read_exact(&mut name).map_err(|_| cut())?;
        let skipped = i64::from(field(30, 2)) + i64::from(field(32, 2));
        source.seek(SeekFrom::Current(skipped))?;
        let name = String::from_utf8_lossy(&name).into_owned();
        let lower = name.to_ascii_lowercase();
        if lower.ends_with(".xml") || lower.ends_with(".txt") {
            return unpacked(source, &entry, name);
        }
        names.push(name);
    }
    Err(ListError::NotAList(match names.is_empty() {
        true => "the zip file is empty".to_owned(),
        false => format!(
            "the zip file contains no .xml or .txt file, only {}",
            names.join(", ")
        ),
    }))
}

fn unpacked<R: Read + Seek>(
    mut source: R,
    entry: &[u8; ENTRY],
    name: String,
) -> Result<Entry<R>, ListError> {
    let field = |at: usize, bytes: usize| number(entry, at, bytes).unwrap_or(0);
    let (flags, method) = (field(8, 2), field(10, 2));
    let (packed_size, size) = (field(20, 4), field(24, 4));
    if flags & 1 == 1 {
        return Err(ListError::Zip(format!("{name} is encrypted")));
    }
    if packed_size == u32::MAX || size == u32::MAX {
        return Err(ListError::Zip(format!("{name} is larger than 4 GiB")));
    }
    source.seek(SeekFrom::Start(field(42, 4).into()))?;
    let mut local = [0; 30];
    let read = source.read_exact(&mut local);
    if read.is_err() || !local.starts_with(b"PK\x03\x04") {
        return Err(ListError::Zip(format!(
            "{name} is not at the place that the directory gives"
        )));
    }
    let skipped = [26, 28].map(|at| i64::from(number(&local, at, 2).unwrap_or(0)));
    source.seek(SeekFrom::Current(skipped.iter().sum()))?;
    let bytes = source.take(packed_size.into());
    let packed = match method {
        0 => Packed::Stored(bytes),
        8 => Packed::Deflated(Box::new(DeflateDecoder::new(BufReader::new(bytes)))),
        other => {
            return Err(ListError::Zip(format!(
                "{name} is compressed in a way that this hub does not support (method {other})"
            )));
        }
    };
    Ok(Entry {
        name,
        dated: day(field(14, 2)),
        packed,
        crc: Crc::new(),
        expected: (field(16, 4), size),
    })
}

/// Parses a number of the format, lowest byte first.
fn number(bytes: &[u8], at: usize, count: usize) -> Option<u32> {
    let bytes = bytes.get(at..at + count)?;
    let number = bytes.iter().rev();
    Some(number.fold(0, |sum, byte| sum << 8 | u32::from(*byte)))
}

fn day(packed: u32) -> String {
    let (year, month, day) = (1980 + (packed >> 9), packed >> 5 & 15, packed & 31);
    match month > 0 && day > 0 {
        true => format!("{year:04}-{month:02}-{day:02}"),
        false => String::new(),
    }
}

impl<R: Read> Read for Entry<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = match &mut self.packed {
            Packed::Stored(bytes) => bytes.read(into)?,
            Packed::Deflated(bytes) => bytes.read(into).map_err(|error| {
                let why = format!(
                    "{} in the zip file is damaged or incomplete: {error}",
                    self.name
                );
                io::Error::new(error.kind(), why)
            })?,
        };
        self.crc.update(into.get(..read).unwrap_or_default());
        if read == 0 && !into.is_empty() && (self.crc.sum(), self.crc.amount()) != self.expected {
            let why = format!(
                "{} in the zip file does not match its checksum and length: download it again",
                self.name
            );
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        Ok(read)
    }
}
