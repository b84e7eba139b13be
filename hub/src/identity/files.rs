//! The identity's files: written completely or not at all, synced, and private if they hold a key.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::IdentityError;

const PRIVATE: u32 = 0o600;
const PUBLIC: u32 = 0o644;
pub(super) const FORMAT_VERSION: u32 = 1;

pub(crate) fn exists(path: &Path) -> Result<bool, IdentityError> {
    path.try_exists().map_err(io("look for", path))
}

/// Reads a private file, and removes other users' access to it.
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
    // Invalid UTF-8 is replaced here. The file's own parser then reports the damage.
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

/// Reads a private JSON file. `advice` is shown to the owner of a damaged file.
pub(super) fn read_json<T: DeserializeOwned>(
    path: &Path,
    advice: &'static str,
) -> Result<T, IdentityError> {
    let read = serde_json::from_str(&read_private(path)?);
    read.map_err(|error| damaged(path, error.to_string(), advice))
}

/// Like [`read_json`], but returns `None` if the file does not exist.
pub(crate) fn find_json<T: DeserializeOwned>(
    path: &Path,
    advice: &'static str,
) -> Result<Option<T>, IdentityError> {
    exists(path)?.then(|| read_json(path, advice)).transpose()
}

pub(super) fn check_version(
    path: &Path,
    found: u32,
    advice: &'static str,
) -> Result<(), IdentityError> {
    if found == FORMAT_VERSION {
        return Ok(());
    }
    let what = format!("it has format version {found}, not {FORMAT_VERSION}");
    Err(damaged(path, what, advice))
}

pub(crate) fn write_json(path: &Path, content: &impl Serialize) -> Result<(), IdentityError> {
    let text = serde_json::to_string_pretty(content).map_err(IdentityError::make)?;
    write_private(path, &text)
}

pub(crate) fn damaged(path: &Path, what: String, advice: &'static str) -> IdentityError {
    IdentityError::Damaged {
        path: path.to_owned(),
        what,
        advice,
    }
}

pub(super) fn create_dir(path: &Path) -> Result<(), IdentityError> {
    let mut builder = fs::DirBuilder::new();
    let made = builder.recursive(true).mode(0o700).create(path);
    made.map_err(io("create", path))
}

/// Removes a file durably, if it exists.
pub(super) fn remove(path: &Path) -> Result<(), IdentityError> {
    remove_to("remove", path)?;
    sync(folder_of(path))
}

fn remove_to(what: &'static str, path: &Path) -> Result<(), IdentityError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(io(what, path)(error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

fn sync(path: &Path) -> Result<(), IdentityError> {
    let synced = File::open(path).and_then(|opened| opened.sync_all());
    synced.map_err(io("sync", path))
}

/// Moves each of the files `names` that exists in `dir` to a new directory below `set-aside`. Durable on return.
pub(super) fn set_aside(dir: &Path, names: &[&str]) -> Result<(), IdentityError> {
    let all = dir.join("set-aside");
    let mut aside = all.join("1");
    for number in 2_u32.. {
        if !exists(&aside)? {
            break;
        }
        aside = all.join(number.to_string());
    }
    create_dir(&aside)?;
    for name in names {
        let from = dir.join(name);
        if exists(&from)? {
            fs::rename(&from, aside.join(name)).map_err(io("move", &from))?;
        }
    }
    [&aside, &all, dir].into_iter().try_for_each(sync)
}

/// Writes a file so that a power cut leaves either the old or the new content. The file gets its name only after its bytes are synced.
fn write(path: &Path, text: &str, mode: u32) -> Result<(), IdentityError> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let new = Path::new(&new);
    remove_to("replace", new)?;
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
    sync(folder_of(path))
}

/// Returns the folder of a file. The parent of a bare name is the empty path, which cannot be opened.
fn folder_of(path: &Path) -> &Path {
    let named = path.parent().filter(|dir| !dir.as_os_str().is_empty());
    named.unwrap_or(Path::new("."))
}

pub(super) fn io<'a>(
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
