//! The `flagfall` program as an arbiter runs it: one command after another, against one hub.
//!
//! Owns the commands' processes. Must not know more about the hub than the program prints.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[derive(Clone, Debug)]
pub struct Cli {
    program: PathBuf,
    hub: String,
    data_dir: PathBuf,
}

#[derive(Clone, Debug)]
pub struct Said {
    /// The exit code; `None` if the process was killed.
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Cli {
    /// Prepares to run `program` against the hub at `address`, with the chief arbiter's key in `data_dir`.
    pub fn new(program: &Path, address: SocketAddr, data_dir: &Path) -> Self {
        Self {
            program: program.to_owned(),
            hub: address.to_string(),
            data_dir: data_dir.to_owned(),
        }
    }

    /// Runs a command to its end. The first argument is the subcommand, such as `ctl` or `event`.
    pub fn run(&self, arguments: &[&str]) -> std::io::Result<Said> {
        let (first, rest) = arguments.split_at(arguments.len().min(1));
        let mut command = Command::new(&self.program);
        command
            .args(first)
            .args(["--hub", &self.hub, "--data-dir"])
            .arg(&self.data_dir)
            .args(rest)
            .stdin(Stdio::null());
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("FLAGFALL_") {
                command.env_remove(name);
            }
        }
        let output = command.output()?;
        Ok(Said {
            code: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    }

    /// Runs a command that must succeed; returns its standard output.
    ///
    /// # Errors
    /// Returns the command's whole output if it fails, or the reason why it could not be run.
    pub fn done(&self, arguments: &[&str]) -> Result<String, String> {
        match self.run(arguments) {
            Ok(said) if said.code == Some(0) => Ok(said.out),
            Ok(said) => Err(format!("{arguments:?}: {said:?}")),
            Err(error) => Err(format!("{arguments:?}: {error}")),
        }
    }

    /// Runs a command with `--json`; returns its values, one per line.
    ///
    /// # Errors
    /// Returns an error if the command fails or prints anything that is not JSON.
    pub fn json(&self, arguments: &[&str]) -> Result<Vec<serde_json::Value>, String> {
        let out = self.done(&[arguments, &["--json"]].concat())?;
        let values: Result<Vec<_>, _> = out.lines().map(serde_json::from_str).collect();
        values.map_err(|error: serde_json::Error| format!("{arguments:?}: {error}: {out}"))
    }
}
