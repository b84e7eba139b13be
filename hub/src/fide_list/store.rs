//! The list on the hub's disk: an upload in pieces, the import, and the index that is searched.
//!
//! Owns the files in the data directory. An index is written under another name and then renamed, so that a broken download, a full
//! disk or a power cut leaves the list that was there.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::index::{Builder, Index, Query, ReadAt};
use super::read::{ListError, read};
use super::{ListInfo, ListedPlayer};

/// The index, an index that is being written, records on their way into it, and a file that is being uploaded.
const INDEX: &str = "fide-list.index";
const NEW_INDEX: &str = "fide-list.index.new";
const SCRATCH: &str = "fide-list.scratch";
const UPLOAD: &str = "fide-list.upload";
/// The largest file that is taken, bytes: FIDE's largest has less than half of it.
pub const LARGEST: u64 = 2 << 30;

impl ReadAt for File {
    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        self.read_exact_at(into, offset)
    }
}

/// Why an upload or an import does not go on.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The file gives no list.
    #[error(transparent)]
    List(#[from] ListError),
    /// Fewer than half of the players of the list that is there.
    #[error(
        "the file has {players} players and the hub's list has {present}: the download is probably cut short, and the hub's list \
         stays; if the file is right, import it with `flagfall fide import FILE --force`"
    )]
    FarFewer {
        /// Players of the file.
        players: u64,
        /// Players of the list that stays.
        present: u64,
    },
    /// Another one is under way.
    #[error("another FIDE list is being imported: wait until it is done, then look at its status")]
    Busy,
    /// A piece does not follow the one before.
    #[error("the upload was replaced or interrupted after {received} bytes: begin it again")]
    OutOfOrder {
        /// Bytes that are there.
        received: u64,
    },
    /// More than a list can have.
    #[error("the file has more than {LARGEST} bytes: FIDE's lists are smaller")]
    TooLarge,
    /// The disk.
    #[error("the hub cannot keep the list: {0}")]
    Disk(io::Error),
}

/// A file that is being uploaded.
#[derive(Debug)]
struct Upload {
    id: [u8; 16],
    file: File,
    received: u64,
}

/// What the store is doing.
#[derive(Debug, Default)]
struct State {
    index: Option<Arc<Index<File>>>,
    upload: Option<Upload>,
    importing: bool,
}

/// The list of a hub.
#[derive(Debug)]
pub struct FideListStore {
    directory: PathBuf,
    state: Mutex<State>,
}

/// What there is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// The list that is searched.
    pub list: Option<ListInfo>,
    /// A list is being imported.
    pub importing: bool,
}

impl FideListStore {
    /// Opens the list of a data directory. An index that cannot be read counts as none: it is only a copy of what FIDE publishes.
    #[must_use]
    pub fn open(directory: &Path) -> Self {
        for left in [NEW_INDEX, SCRATCH, UPLOAD] {
            // Left by a hub that ended while it imported.
            let _ = fs::remove_file(directory.join(left));
        }
        let index = match open_index(&directory.join(INDEX)) {
            Ok(index) => Some(Arc::new(index)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                tracing::warn!(%error, "the FIDE list cannot be opened: import it again");
                None
            }
        };
        Self {
            directory: directory.to_owned(),
            state: Mutex::new(State {
                index,
                ..State::default()
            }),
        }
    }

    /// The list, if one was imported.
    #[must_use]
    pub fn index(&self) -> Option<Arc<Index<File>>> {
        self.state().index.clone()
    }

    /// What there is.
    #[must_use]
    pub fn status(&self) -> Status {
        let state = self.state();
        Status {
            list: state.index.as_ref().map(|index| index.info().clone()),
            importing: state.importing,
        }
    }

    /// The players of a search; `None` without a list.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn search(&self, query: &Query, limit: usize) -> io::Result<Option<Vec<ListedPlayer>>> {
        let index = self.index();
        index.map(|index| index.search(query, limit)).transpose()
    }

    /// Takes a piece of a file. The first one begins a new upload; the last one again is harmless.
    ///
    /// # Errors
    /// If it does not follow the one before, or cannot be kept.
    pub fn upload(&self, id: [u8; 16], offset: u64, content: &[u8]) -> Result<(), ImportError> {
        let mut state = self.state();
        if state.importing {
            return Err(ImportError::Busy);
        }
        if offset == 0 {
            let file = open_new(&self.directory.join(UPLOAD)).map_err(ImportError::Disk)?;
            state.upload = Some(Upload {
                id,
                file,
                received: 0,
            });
        }
        let length = u64::try_from(content.len()).unwrap_or(u64::MAX);
        let upload = state.upload.as_mut().filter(|upload| upload.id == id);
        let upload = upload.ok_or(ImportError::OutOfOrder { received: 0 })?;
        if length > 0 && offset.saturating_add(length) == upload.received {
            return Ok(());
        }
        if offset != upload.received {
            let received = upload.received;
            return Err(ImportError::OutOfOrder { received });
        }
        if offset.saturating_add(length) > LARGEST {
            state.upload = None;
            return Err(ImportError::TooLarge);
        }
        upload.file.write_all(content).map_err(ImportError::Disk)?;
        upload.received += length;
        Ok(())
    }

    /// Imports the file that was uploaded. Takes seconds, and blocks. `force`: also with far fewer players than the list that is there.
    ///
    /// # Errors
    /// If it is no list, or has far fewer players; the one that was there stays.
    pub fn import_upload(
        &self,
        id: [u8; 16],
        file_name: &str,
        now_unix_us: i64,
        force: bool,
    ) -> Result<ListInfo, ImportError> {
        let upload = {
            let mut state = self.state();
            if state.importing {
                return Err(ImportError::Busy);
            }
            let upload = state.upload.take().filter(|upload| upload.id == id);
            let upload = upload.ok_or(ImportError::OutOfOrder { received: 0 })?;
            state.importing = true;
            upload
        };
        let importing = Importing(self);
        let imported = self.import(upload.file, file_name, now_unix_us, force);
        drop(importing);
        imported
    }

    fn import(
        &self,
        mut source: File,
        file_name: &str,
        now_unix_us: i64,
        force: bool,
    ) -> Result<ListInfo, ImportError> {
        source.seek(SeekFrom::Start(0)).map_err(ImportError::Disk)?;
        let new = self.directory.join(NEW_INDEX);
        let scratch = open_new(&self.directory.join(SCRATCH)).map_err(ImportError::Disk)?;
        let mut builder = Builder::new(scratch);
        let mut info = read(source, file_name, &mut |player| builder.push(&player))?;
        let present = self.index().map_or(0, |index| index.info().players);
        if !force && info.players < present.div_ceil(2) {
            let players = info.players;
            return Err(ImportError::FarFewer { players, present });
        }
        info.imported_unix_us = now_unix_us;
        let out = open_new(&new).map_err(ImportError::Disk)?;
        builder.finish(&out, &info)?;
        out.sync_all().map_err(ImportError::Disk)?;
        let path = self.directory.join(INDEX);
        fs::rename(&new, &path).map_err(ImportError::Disk)?;
        let index = open_index(&path).map_err(ImportError::Disk)?;
        self.state().index = Some(Arc::new(index));
        Ok(info)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Every change under the lock is a whole one.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An import that is under way: its files go when it ends, however it ends.
struct Importing<'a>(&'a FideListStore);

impl Drop for Importing<'_> {
    fn drop(&mut self) {
        for left in [NEW_INDEX, SCRATCH, UPLOAD] {
            let _ = fs::remove_file(self.0.directory.join(left));
        }
        self.0.state().importing = false;
    }
}

fn open_index(path: &Path) -> io::Result<Index<File>> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    Index::open(file, length)
}

fn open_new(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(true)
        .open(path)
}
