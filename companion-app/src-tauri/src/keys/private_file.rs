//! Private files. Owns their mode, and ensures that no reader sees a half-written file.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Writes `bytes` to `path`, replacing the file. On Unix, only this user can read it (mode 0600; a new folder has mode 0700), and the change is
/// durable on return.
///
/// # Errors
/// Returns the file system's error. The previous file is then unchanged, unless only making the change durable failed.
pub fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path
        .parent()
        .ok_or_else(|| io::Error::other("a file needs a folder"))?;
    make_folder(folder)?;
    let draft = path.with_extension("new");
    // An earlier write that failed may have left a draft, with which `create` would fail.
    match std::fs::remove_file(&draft) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => (),
    }
    let mut file = create(&draft)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(&draft, path)?;
    sync_folder(folder)
}

#[cfg(unix)]
fn make_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn make_folder(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)
}

#[cfg(unix)]
fn create(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o600).open(path)
}

#[cfg(not(unix))]
fn create(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Does nothing: a folder can be opened as a file only on Unix.
#[cfg(not(unix))]
fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_private_file_has_the_mode_of_its_owner() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept").join("key");
        write_private(&path, b"one").unwrap();
        // Simulate a draft that was left behind with a mode that is too permissive.
        let draft = path.with_extension("new");
        std::fs::write(&draft, b"half").unwrap();
        std::fs::set_permissions(&draft, std::fs::Permissions::from_mode(0o666)).unwrap();
        write_private(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&path), 0o600);
        assert_eq!(mode(path.parent().unwrap()), 0o700);
        assert!(!draft.exists());
    }
}
