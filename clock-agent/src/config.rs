//! Default settings. Owns the default locations of files.

use std::path::{Path, PathBuf};

use crate::cli::StateDir;

const SYSTEM_STATE_DIR: &str = "/var/lib/clock-agent";
const USER_STATE_DIR: &str = "clock-agent";

/// Name and version of this program, as reported to the hub and shown to arbiters.
pub const FIRMWARE: &str = concat!("clock-agent ", env!("CARGO_PKG_VERSION"));

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "neither HOME nor XDG_DATA_HOME is set: choose a directory for keys and journals with --state DIR"
)]
pub struct NoHome;

/// Returns the directory of keys, enrolment and journals.
///
/// # Errors
/// Returns [`NoHome`] if `chosen` names no directory, the user is not root, and HOME and XDG_DATA_HOME are both unset or empty.
pub fn state_dir(chosen: &StateDir) -> Result<PathBuf, NoHome> {
    if let Some(dir) = &chosen.state {
        return Ok(dir.clone());
    }
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    default_state_dir(
        rustix::process::geteuid().is_root(),
        variable("XDG_DATA_HOME").as_deref().map(Path::new),
        variable("HOME").as_deref().map(Path::new),
    )
}

fn default_state_dir(
    root: bool,
    data_home: Option<&Path>,
    home: Option<&Path>,
) -> Result<PathBuf, NoHome> {
    if root {
        return Ok(PathBuf::from(SYSTEM_STATE_DIR));
    }
    match (data_home, home) {
        (Some(data), _) => Ok(data.join(USER_STATE_DIR)),
        (None, Some(home)) => Ok(home.join(".local/share").join(USER_STATE_DIR)),
        (None, None) => Err(NoHome),
    }
}

/// Returns the machine's name, which is the default name of a clock.
pub fn machine_name() -> String {
    let name = rustix::system::uname();
    name.nodename().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_directory_depends_on_user_and_environment() {
        let (data, home) = (Some(Path::new("/d")), Some(Path::new("/h")));
        assert_eq!(
            default_state_dir(true, data, home),
            Ok(SYSTEM_STATE_DIR.into())
        );
        assert_eq!(
            default_state_dir(false, data, home),
            Ok("/d/clock-agent".into())
        );
        assert_eq!(
            default_state_dir(false, None, home),
            Ok("/h/.local/share/clock-agent".into())
        );
        assert_eq!(default_state_dir(false, None, None), Err(NoHome));
    }
}
