//! Reads the parts of an evidence file one by one. Owns the framing and its limits; must never judge the content of a
//! part.

use std::io::{self, BufRead, Read};

use prost::Message;
use proto::evidence::{Header, MAGIC, MAGIC_PREFIX, MAX_PART, Part, part};

/// The reason why a file cannot be checked at all.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum CannotCheck {
    #[error("cannot read the file: {0}")]
    Io(#[from] io::Error),
    #[error(
        "this is not an evidence file: it does not begin with the line \"flagfall-evidence v1\""
    )]
    NotEvidence,
    #[error("this evidence file has a different version: use a newer flagfall-verify")]
    Version,
    #[error("the file does not begin with its description")]
    NoHeader,
    #[error(
        "the kept checkpoint of {kept} records cannot be compared with this file, which {}: export the whole event and compare that file", shown(*.gap, *.len)
    )]
    Uncompared {
        kept: u64,
        /// Number of records that the file's checkpoint covers.
        len: u64,
        /// True if the kept checkpoint ends where the file leaves out records; false if it ends after the file's last record.
        gap: bool,
    },
}

fn shown(gap: bool, len: u64) -> String {
    match gap {
        true => "leaves out records at that point".to_owned(),
        false => format!("covers only {len} records"),
    }
}

/// The reason why the next part cannot be read.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum PartError {
    #[error("cannot read the file: {0}")]
    Io(io::Error),
    #[error("the file ends in the middle of a part")]
    Truncated,
    #[error("a part of {0} bytes is too long")]
    TooLong(u64),
    #[error("a part cannot be decoded: {0}")]
    Malformed(prost::DecodeError),
    #[error("a part is of an unknown kind")]
    UnknownKind,
    #[error("a part has content that this version does not know")]
    UnknownContent,
}

/// A reader of the parts that follow an evidence file's header.
pub struct PartReader<R> {
    source: R,
    buffer: Vec<u8>,
}

impl<R: BufRead> PartReader<R> {
    /// Reads the first line and the header. The returned reader continues with the next part.
    pub fn open(mut source: R) -> Result<(Header, Self), CannotCheck> {
        let mut magic = Vec::with_capacity(MAGIC.len());
        let mut start = source.by_ref().take(MAGIC.len() as u64);
        start.read_to_end(&mut magic)?;
        if magic != MAGIC {
            return Err(match magic.starts_with(MAGIC_PREFIX) {
                true => CannotCheck::Version,
                false => CannotCheck::NotEvidence,
            });
        }
        let mut reader = Self {
            source,
            buffer: Vec::new(),
        };
        match reader.next_part() {
            Ok(Some(part::Part::Header(header))) => Ok((header, reader)),
            Ok(_) => Err(CannotCheck::NoHeader),
            Err(PartError::Io(error)) => Err(error.into()),
            Err(_) => Err(CannotCheck::NoHeader),
        }
    }

    /// Returns the next part; `None` at the end of the file.
    ///
    /// # Errors
    /// Returns a [`PartError`] if the part cannot be read or decoded. The reader must not be used again afterwards.
    pub fn next_part(&mut self) -> Result<Option<part::Part>, PartError> {
        let Some(len) = self.length()? else {
            return Ok(None);
        };
        let most = usize::try_from(len).ok().filter(|len| *len <= MAX_PART);
        let len = most.ok_or(PartError::TooLong(len))?;
        self.buffer.clear();
        let mut body = self.source.by_ref().take(len as u64);
        body.read_to_end(&mut self.buffer).map_err(PartError::Io)?;
        if self.buffer.len() < len {
            return Err(PartError::Truncated);
        }
        let part = Part::decode(self.buffer.as_slice()).map_err(PartError::Malformed)?;
        // Unknown content could hide a change: with a name's opening moved to a different field number, the name would
        // merely look concealed.
        match &part.part {
            None => Err(PartError::UnknownKind),
            Some(_) if part.encode_to_vec() != self.buffer => Err(PartError::UnknownContent),
            Some(_) => Ok(part.part),
        }
    }

    fn length(&mut self) -> Result<Option<u64>, PartError> {
        let mut len: u64 = 0;
        for shift in (0..63).step_by(7) {
            let buffer = self.source.fill_buf().map_err(PartError::Io)?;
            let Some(byte) = buffer.first().copied() else {
                return match shift {
                    0 => Ok(None),
                    _ => Err(PartError::Truncated),
                };
            };
            self.source.consume(1);
            len |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(Some(len));
            }
        }
        Err(PartError::TooLong(len))
    }
}
