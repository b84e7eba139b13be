//! The file `head`: the length of the log and its chain's head, stored outside sled.
//!
//! sled's recovery drops a damaged tail silently. This file reveals the loss: a log that is shorter than the file says,
//! or whose chain disagrees with it, is reported as damaged. The file never runs ahead of the durable records.
//!
//! It has four slots. The first two are synced at most once a second, off the commit path, and when the log is closed.
//! They are written alternately, so that a torn write leaves the other slot intact. Each commit that adds records writes
//! one of the last two, also alternately, without a sync. These slots survive the end of the process, but a power cut may
//! destroy them. Damage that truncates the log therefore goes unnoticed only if it coincides with a power cut and affects
//! only the newest records. The agents usually still hold the events of those records.
//!
//! A slot is a line of text: `flagfall-head 1 serial=7 len=1200 hash=… crc=…`.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use super::record::{GENESIS, Hash, chained};

const SLOT: usize = 4096;
/// Number of synced slots. As many unsynced slots follow.
const SYNCED: u64 = 2;
const MAGIC: &str = "flagfall-head 1";

/// The end of the log: its length and the head of its chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) len: u64,
    pub(super) hash: Hash,
}

impl Head {
    pub(super) const GENESIS: Head = Head {
        len: 0,
        hash: GENESIS,
    };

    pub(super) fn with(self, payload: &[u8]) -> Head {
        Head {
            len: self.len + 1,
            hash: chained(&self.hash, payload),
        }
    }
}

/// The content of the file when it was opened.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The file was missing or empty, as on a first start.
    Nothing,
    /// No slot is readable.
    Unreadable,
    /// The head in the newest readable slot.
    Head(Head),
}

#[derive(Debug)]
pub(super) struct HeadFile {
    file: File,
    serial: u64,
}

impl HeadFile {
    pub(super) fn open(path: &Path) -> io::Result<(HeadFile, Found)> {
        let file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        let newest = newest_slot(&file)?;
        let found = match newest {
            Some((_, head)) => Found::Head(head),
            None if file.metadata()?.len() == 0 => Found::Nothing,
            None => Found::Unreadable,
        };
        let serial = newest.map_or(0, |(serial, _)| serial);
        Ok((HeadFile { file, serial }, found))
    }

    /// Writes `head` at the start of a run. `head` may describe a shorter log than the file does, so every slot that
    /// could contradict it is removed or overwritten.
    pub(super) fn begin(&mut self, head: Head) -> io::Result<()> {
        self.file.set_len(SYNCED * SLOT as u64)?;
        self.write(head)?;
        self.write(head)
    }

    pub(super) fn commits(&self) -> io::Result<CommitSlots> {
        Ok(CommitSlots {
            file: self.file.try_clone()?,
            serial: 0,
        })
    }

    /// Writes `head` over the older slot and syncs it.
    pub(super) fn write(&mut self, head: Head) -> io::Result<()> {
        let serial = self.serial + 1;
        let place = (serial % SYNCED) * SLOT as u64;
        self.file.write_all_at(&slot(serial, head), place)?;
        self.file.sync_data()?;
        self.serial = serial;
        Ok(())
    }
}

#[derive(Debug)]
pub(super) struct CommitSlots {
    file: File,
    serial: u64,
}

impl CommitSlots {
    /// Writes `head`, which must be durable, over the older slot. Does not wait for the disk.
    pub(super) fn write(&mut self, head: Head) -> io::Result<()> {
        self.serial += 1;
        let place = (SYNCED + self.serial % 2) * SLOT as u64;
        self.file.write_all_at(&slot(self.serial, head), place)
    }
}

fn slot(serial: u64, head: Head) -> Vec<u8> {
    let mut line = render(serial, head).into_bytes();
    line.resize(SLOT - 1, b' ');
    line.push(b'\n');
    line
}

/// Returns the length and the head stated in a data directory's file `head`, or `None` if the file is missing or no slot
/// is readable. While a running hub holds the directory, the file covers every released record.
///
/// # Errors
/// Fails if the file exists but cannot be read.
pub fn stated_head(data_dir: &Path) -> io::Result<Option<(u64, Hash)>> {
    let file = match File::open(data_dir.join("head")) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    Ok(newest_slot(&file)?.map(|(_, head)| (head.len, head.hash)))
}

/// Returns the serial of the newest readable synced slot (0 if there is none) and the newest readable head. Returns `None`
/// if no slot is readable.
fn newest_slot(file: &File) -> io::Result<Option<(u64, Head)>> {
    let mut newest: Option<(u64, Head)> = None;
    for slot in 0..2 * SYNCED {
        let mut bytes = vec![0; SLOT];
        let read = read_up_to(file, &mut bytes, slot * SLOT as u64)?;
        let Some((serial, head)) = parse(&bytes[..read]) else {
            continue;
        };
        newest = Some(match newest {
            None if slot < SYNCED => (serial, head),
            None => (0, head),
            Some((synced, _)) if slot < SYNCED && serial > synced => (serial, head),
            Some((synced, known)) if slot >= SYNCED && head.len > known.len => (synced, head),
            Some(known) => known,
        });
    }
    Ok(newest)
}

fn read_up_to(file: &File, bytes: &mut [u8], at: u64) -> io::Result<usize> {
    let mut read = 0;
    while read < bytes.len() {
        match file.read_at(&mut bytes[read..], at + read as u64) {
            Ok(0) => break,
            Ok(more) => read += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(read)
}

fn render(serial: u64, head: Head) -> String {
    let body = format!(
        "{MAGIC} serial={serial} len={} hash={}",
        head.len,
        hex::encode(head.hash)
    );
    let crc = crc32c::crc32c(body.as_bytes());
    format!("{body} crc={crc:08x}")
}

fn parse(slot: &[u8]) -> Option<(u64, Head)> {
    let text = std::str::from_utf8(slot).ok()?.trim_end();
    let (body, crc) = text.rsplit_once(" crc=")?;
    if u32::from_str_radix(crc, 16).ok()? != crc32c::crc32c(body.as_bytes()) {
        return None;
    }
    let mut fields = body.strip_prefix(MAGIC)?.split_ascii_whitespace();
    let serial = fields.next()?.strip_prefix("serial=")?.parse().ok()?;
    let len = fields.next()?.strip_prefix("len=")?.parse().ok()?;
    let mut hash = [0; 32];
    hex::decode_to_slice(fields.next()?.strip_prefix("hash=")?, &mut hash).ok()?;
    Some((serial, Head { len, hash }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(len: u64) -> Head {
        Head {
            len,
            hash: [len as u8; 32],
        }
    }

    #[test]
    fn newest_head_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("head");
        let (mut file, found) = HeadFile::open(&path).unwrap();
        assert_eq!(found, Found::Nothing);
        for len in 1..=5 {
            file.write(head(len)).unwrap();
            assert_eq!(HeadFile::open(&path).unwrap().1, Found::Head(head(len)));
        }
    }

    #[test]
    fn torn_slot_leaves_the_previous_head() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("head");
        let (mut file, _) = HeadFile::open(&path).unwrap();
        file.write(head(1)).unwrap();
        file.write(head(2)).unwrap();
        file.file.write_all_at(&[0; 40], 0).unwrap();
        let (mut file, found) = HeadFile::open(&path).unwrap();
        assert_eq!(found, Found::Head(head(1)));
        file.write(head(3)).unwrap();
        assert_eq!(HeadFile::open(&path).unwrap().1, Found::Head(head(3)));
    }

    #[test]
    fn no_flipped_bit_yields_a_different_head() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("head");
        let (mut file, _) = HeadFile::open(&path).unwrap();
        file.write(head(1)).unwrap();
        let written = std::fs::read(&path).unwrap();
        for bit in (SLOT * 8)..(SLOT * 8 + 200 * 8) {
            let mut flipped = written.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&path, &flipped).unwrap();
            let found = HeadFile::open(&path).unwrap().1;
            assert!(
                matches!(found, Found::Unreadable) || found == Found::Head(head(1)),
                "bit {bit}: {found:?}"
            );
        }
    }
}
