//! Opens files that other programs write. A file is opened first, and then checked through its open descriptor.
//!
//! Must never follow a symbolic link, wait for a pipe, or read beyond a limit.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::fs::{FileType, Mode, OFlags, fstat, open, openat};
use rustix::io::Errno;

#[derive(Debug)]
pub(super) struct PlainFile {
    file: File,
    len: u64,
}

/// The reason why a file is not read. In its text, "it" is the file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub(super) enum UnreadableFile {
    #[error("it is a symbolic link, which the hub does not follow: copy the file itself here")]
    Link,
    #[error("it is {0}, not a plain file")]
    Kind(&'static str),
    #[error("the hub is not allowed to read it: change its permissions")]
    Denied,
    #[error("it has more than {} KiB, which is too much for a report or a table", .0 >> 10)]
    TooLarge(u64),
    #[error(
        "the files of the folder have more than {} MiB together: remove old ones, so that the hub can read this one too",
        .0 >> 20
    )]
    NoRoom(u64),
}

/// The result of opening or reading a file: the file or its content, the reason why it is not read, or a system error.
pub(super) type Opened<T> = io::Result<Result<T, UnreadableFile>>;

/// Opens a directory. Its files are then opened by name relative to this descriptor.
pub(super) fn directory(path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(open(path, flags, Mode::empty())?)
}

impl PlainFile {
    /// Opens the file `name` of a directory.
    ///
    /// # Errors
    /// Fails if the file no longer exists, or the system cannot open it.
    pub(super) fn open(directory: impl AsFd, name: &str) -> Opened<Self> {
        // Without NONBLOCK, opening a pipe waits for its writer.
        let flags =
            OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let opened = match openat(directory, name, flags, Mode::empty()) {
            Ok(opened) => opened,
            Err(Errno::LOOP) => return Ok(Err(UnreadableFile::Link)),
            Err(Errno::NXIO) => return Ok(Err(UnreadableFile::Kind("a socket or a device"))),
            Err(Errno::ACCESS) => return Ok(Err(UnreadableFile::Denied)),
            Err(error) => return Err(error.into()),
        };
        let about = fstat(&opened)?;
        let kind = match FileType::from_raw_mode(about.st_mode) {
            FileType::RegularFile => {
                return Ok(Ok(Self {
                    file: opened.into(),
                    len: u64::try_from(about.st_size).unwrap_or(u64::MAX),
                }));
            }
            FileType::Directory => "a folder",
            FileType::Fifo => "a pipe",
            FileType::Symlink
            | FileType::Socket
            | FileType::CharacterDevice
            | FileType::BlockDevice
            | FileType::Unknown => "a socket or a device",
        };
        Ok(Err(UnreadableFile::Kind(kind)))
    }

    /// Returns the file's length when it was opened, in bytes.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Reads the whole file, unless it now has more than `max` bytes.
    ///
    /// # Errors
    /// Fails if the system cannot read it.
    pub(super) fn read(self, max: u64) -> Opened<Vec<u8>> {
        if self.len > max {
            return Ok(Err(UnreadableFile::TooLarge(max)));
        }
        let mut bytes = Vec::new();
        self.file
            .take(max.saturating_add(1))
            .read_to_end(&mut bytes)?;
        match u64::try_from(bytes.len()) {
            Ok(len) if len <= max => Ok(Ok(bytes)),
            Ok(_) | Err(_) => Ok(Err(UnreadableFile::TooLarge(max))),
        }
    }
}
