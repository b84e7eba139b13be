//! A directory for one run of a program, which nobody else reads and which is gone afterwards.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

/// A directory of this process, removed with everything in it when it is dropped.
#[derive(Debug)]
pub(super) struct WorkDir(PathBuf);

impl WorkDir {
    /// A new one where the machine keeps what is not to be kept.
    pub(super) fn new() -> io::Result<Self> {
        let id = crate::identity::random::<8>().map_err(io::Error::other)?;
        let path = std::env::temp_dir().join(format!("flagfall-{}", proto::ids::hex(&id)));
        DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Self(path))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for WorkDir {
    fn drop(&mut self) {
        // What stays behind is a copy of what the log has.
        let _ = fs::remove_dir_all(&self.0);
    }
}
