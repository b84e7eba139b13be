//! The identity's files: written completely or not at all, synced, and private if they hold a key.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use super::IdentityError;

const PRIVATE: u32 = 0o600;
const PUBLIC: u32 = 0o644;

pub(crate) fn exists(path: &Path) -> Result<bool, IdentityError> {
    path.try_exists().map_err(io("look for", path))
}

/// Reads a file that holds a key, and removes other users' access to it.
pub(crate) fn read_private(path: &Path) -> Result<String, IdentityError> {
    let mode = fs::metadata(path)
        .map_err(io("read", path))?
        .permissions()
        .mode();
    if mode & 0o077 != 0 {
        tracing::warn!(path = %path.display(), mode = format!("{:o}", mode & 0o777),
            "other users could read this key: setting its mode to 600");
        fs::set_permissions(path, Permissions::from_mode(PRIVATE)).map_err(io("protect", path))?;
    }
    // A damaged file is reported by what it must contain.
    let bytes = fs::read(path).map_err(io("read", path))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

pub(super) fn read_public(path: &Path) -> Result<Vec<u8>, IdentityError> {
    fs::read(path).map_err(io("read", path))
}

pub(crate) fn write_private(path: &Path, text: &str) -> Result<(), IdentityError> {
    write(path, text, PRIVATE)
}

pub(super) fn write_public(path: &Path, text: &str) -> Result<(), IdentityError> {
    write(path, text, PUBLIC)
}

/// Removes a file, if it exists.
pub(super) fn remove(path: &Path) -> Result<(), IdentityError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(io("remove", path)(error));
        }
        Ok(()) | Err(_) => (),
    }
    let dir = folder_of(path);
    File::open(dir)
        .and_then(|dir| dir.sync_all())
        .map_err(io("sync", dir))
}

/// Moves those of the files `names` that exist in `dir` to a new directory below `set-aside`. On disk when this returns.
pub(super) fn set_aside(dir: &Path, names: &[&str]) -> Result<(), IdentityError> {
    let all = dir.join("set-aside");
    let mut aside = all.join("1");
    for number in 2_u32.. {
        if !exists(&aside)? {
            break;
        }
        aside = all.join(number.to_string());
    }
    let mut builder = fs::DirBuilder::new();
    let made = builder.recursive(true).mode(0o700).create(&aside);
    made.map_err(io("create", &aside))?;
    for name in names {
        let from = dir.join(name);
        if exists(&from)? {
            fs::rename(&from, aside.join(name)).map_err(io("move", &from))?;
        }
    }
    for changed in [&aside, &all, dir] {
        let synced = File::open(changed).and_then(|opened| opened.sync_all());
        synced.map_err(io("sync", changed))?;
    }
    Ok(())
}

/// Writes a file so that a power cut leaves the old one or the new one, never a part: the file gets its name after the
/// bytes are synced.
fn write(path: &Path, text: &str, mode: u32) -> Result<(), IdentityError> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let new = Path::new(&new);
    match fs::remove_file(new) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(io("replace", new)(error));
        }
        Ok(()) | Err(_) => (),
    }
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(mode)
        .open(new)
        .map_err(io("create", new))?;
    file.write_all(text.as_bytes())
        .and_then(|()| file.sync_all())
        .map_err(io("write", new))?;
    fs::rename(new, path).map_err(io("rename", new))?;
    let dir = folder_of(path);
    File::open(dir)
        .and_then(|dir| dir.sync_all())
        .map_err(io("sync", dir))
}

/// Returns the folder of a file. The parent of a bare name is the empty path, which cannot be opened.
fn folder_of(path: &Path) -> &Path {
    let named = path.parent().filter(|dir| !dir.as_os_str().is_empty());
    named.unwrap_or(Path::new("."))
}

fn io<'a>(
    what: &'static str,
    path: &'a Path,
) -> impl FnOnce(std::io::Error) -> IdentityError + use<'a> {
    move |source| IdentityError::Io {
        what,
        path: path.to_owned(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_name_is_in_the_current_folder() {
        for (file, folder) in [
            ("anna.pem", "."),
            ("keys/anna.pem", "keys"),
            ("/a.pem", "/"),
        ] {
            assert_eq!(folder_of(Path::new(file)), Path::new(folder));
        }
    }
}
