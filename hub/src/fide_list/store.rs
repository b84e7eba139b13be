//! The list on the hub's disk: the chunked upload, the import, and the index.
//!
//! Owns the list's files in the data directory. A new index is written under a temporary name and then renamed. A broken download, a full disk or a
//! power cut therefore leaves the current list in place.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::index::{Builder, Index, Query, ReadAt};
use super::read::ListError;
use super::{ListInfo, ListedPlayer};
use crate::fide_list::format::read;
use crate::lock::lock;

const INDEX: &str = "fide-list.index";
const NEW_INDEX: &str = "fide-list.index.new";
const SCRATCH: &str = "fide-list.scratch";
const UPLOAD: &str = "fide-list.upload";
/// Maximum size of an uploaded file, in bytes. FIDE's largest file is less than half as large.
pub const MAX_FILE_BYTES: u64 = 2 << 30;

impl ReadAt for File {
    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        self.read_exact_at(into, offset)
    }
}

#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error(transparent)]
    List(#[from] ListError),
    /// The file has fewer than half as many players as the current list.
    #[error(
        "the file has {players} players and the hub's list has {current}: the download is probably incomplete, and the hub's list \
         stays; if the file is right, import it with `flagfall fide import FILE --force`"
    )]
    FarFewer { players: u64, current: u64 },
    #[error("another FIDE list is being imported: wait until it is done, then check its status")]
    Busy,
    #[error("the upload was replaced or interrupted after {received} bytes: start it again")]
    OutOfOrder { received: u64 },
    #[error("the file has more than {MAX_FILE_BYTES} bytes: FIDE's lists are smaller")]
    TooLarge,
    #[error("the hub cannot store the list: {0}")]
    Disk(io::Error),
}

#[derive(Debug)]
struct Upload {
    id: [u8; 16],
    file: File,
    received: u64,
}

#[derive(Debug, Default)]
struct State {
    index: Option<Arc<Index<File>>>,
    upload: Option<Upload>,
    importing: bool,
}

#[derive(Debug)]
pub struct FideListStore {
    directory: PathBuf,
    state: Mutex<State>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    pub list: Option<ListInfo>,
    pub importing: bool,
}

impl FideListStore {
    /// Opens the list of a data directory. An unreadable index counts as missing, since it only copies what FIDE
    /// publishes.
    #[must_use]
    pub fn open(directory: &Path) -> Self {
        remove_leftovers(directory);
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

    #[must_use]
    pub fn index(&self) -> Option<Arc<Index<File>>> {
        lock(&self.state).index.clone()
    }

    #[must_use]
    pub fn status(&self) -> Status {
        let state = lock(&self.state);
        Status {
            list: state.index.as_ref().map(|index| index.info().clone()),
            importing: state.importing,
        }
    }

    /// Returns the players that match a search, or `None` if the hub has no list.
    ///
    /// # Errors
    /// Fails if the index cannot be read.
    pub fn search(&self, query: &Query, limit: usize) -> io::Result<Option<Vec<ListedPlayer>>> {
        let index = self.index();
        index.map(|index| index.search(query, limit)).transpose()
    }

    /// Appends a chunk to the upload. The first chunk starts a new upload; repeating the last chunk is harmless.
    ///
    /// # Errors
    /// Fails during an import, if the chunk does not follow the previous one, if the file is too large, or if the disk
    /// fails.
    pub fn upload(&self, id: [u8; 16], offset: u64, content: &[u8]) -> Result<(), ImportError> {
        let mut state = lock(&self.state);
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
        if offset.saturating_add(length) > MAX_FILE_BYTES {
            state.upload = None;
            return Err(ImportError::TooLarge);
        }
        upload.file.write_all(content).map_err(ImportError::Disk)?;
        upload.received += length;
        Ok(())
    }

    /// Imports the uploaded file. Blocks for some seconds. With `force`, accepts a list with fewer than half as many players as the current list.
    ///
    /// # Errors
    /// Fails if an import is running, the upload is missing, the disk fails, or the file is not a complete list that this hub can index. Without
    /// `force`, also fails if the list has too few players. The current list stays in place.
    pub fn import_upload(
        &self,
        id: [u8; 16],
        file_name: &str,
        now_unix_us: i64,
        force: bool,
    ) -> Result<ListInfo, ImportError> {
        let upload = {
            let mut state = lock(&self.state);
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
        let current = self.index().map_or(0, |index| index.info().players);
        if !force && info.players < current.div_ceil(2) {
            let players = info.players;
            return Err(ImportError::FarFewer { players, current });
        }
        info.imported_unix_us = now_unix_us;
        let out = open_new(&new).map_err(ImportError::Disk)?;
        builder.finish(&out, &info)?;
        out.sync_all().map_err(ImportError::Disk)?;
        // Opened before it replaces the current index, which stays in place if the new one cannot be read.
        let index = open_index(&new).map_err(ImportError::Disk)?;
        fs::rename(&new, self.directory.join(INDEX)).map_err(ImportError::Disk)?;
        lock(&self.state).index = Some(Arc::new(index));
        Ok(info)
    }
}

/// A running import. When it ends, whether it succeeded or not, it removes its files.
struct Importing<'a>(&'a FideListStore);

impl Drop for Importing<'_> {
    fn drop(&mut self) {
        remove_leftovers(&self.0.directory);
        lock(&self.0.state).importing = false;
    }
}

fn remove_leftovers(directory: &Path) {
    for left in [NEW_INDEX, SCRATCH, UPLOAD] {
        let _ = fs::remove_file(directory.join(left));
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
