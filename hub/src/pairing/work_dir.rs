//! A private directory for one run of a program, removed afterwards.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

/// A directory of this process, which is removed with its contents when dropped.
#[derive(Debug)]
pub(super) struct WorkDir(PathBuf);

impl WorkDir {
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
        // Anything left behind only copies what the log has.
        let _ = fs::remove_dir_all(&self.0);
    }
}
