//! Finds the programs under test, which are built by the same cargo with the same profile as the test.
//!
//! Must never return a program that is older than its source, except from a folder of prebuilt programs.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Returns the path of `flagfall`, `clock-agent` or `flagfall-verify`, and builds the programs if necessary. `FLAGFALL_PROGRAMS=FOLDER` names a
/// folder with prebuilt programs, for example from a package.
pub fn program(name: &str) -> Result<PathBuf, String> {
    if let Some(folder) = std::env::var_os("FLAGFALL_PROGRAMS") {
        return found(Path::new(&folder), name);
    }
    static FOLDER: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let folder = FOLDER.get_or_init(build).as_ref().map_err(Clone::clone)?;
    found(folder, name)
}

fn found(folder: &Path, name: &str) -> Result<PathBuf, String> {
    let path = folder.join(name);
    if path.exists() {
        Ok(path)
    } else {
        Err(format!("{} does not exist", path.display()))
    }
}

fn build() -> Result<PathBuf, String> {
    let this = std::env::current_exe()
        .map_err(|error| format!("cannot find the path of this program: {error}"))?;
    // …/target/PROFILE/deps/test-0123 or …/target/PROFILE/kill-hub
    let mut folder = this.parent().unwrap_or(Path::new("."));
    if folder.ends_with("deps") {
        folder = folder.parent().unwrap_or(folder);
    }
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args([
        "build",
        "--quiet",
        "--locked",
        "--workspace",
        "--bin",
        "flagfall",
        "--bin",
        "clock-agent",
        "--bin",
        "flagfall-verify",
    ]);
    if folder.ends_with("release") {
        // Build with the profile of installed programs: measurements of other builds say nothing about a real hub.
        cargo.args(["--profile", "bench"]);
    }
    cargo.current_dir(crate::tidy::root());
    let done = cargo
        .output()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if done.status.success() {
        return Ok(folder.to_owned());
    }
    Err(format!(
        "cargo build: {}",
        String::from_utf8_lossy(&done.stderr)
    ))
}
