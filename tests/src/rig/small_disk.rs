//! A separate file system of a small, fixed size.
//!
//! Linux only, and only where user namespaces are allowed. Owns the mount, which ends when the [`SmallDisk`] is dropped.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A mounted file system, which other processes reach through `/proc`.
pub struct SmallDisk {
    holder: Child,
    inside: PathBuf,
}

impl SmallDisk {
    /// Mounts an empty file system on the empty directory `at`; `size` is in the notation of `mount`, for example `96m`.
    ///
    /// # Errors
    /// Returns an error if this machine does not allow the mount.
    pub fn mount(at: &Path, size: &str) -> Result<Self, String> {
        let script = "mount -t tmpfs -o size=$1 tmpfs \"$0\" && echo mounted && exec cat";
        let mut holder = Command::new("unshare")
            .args(["--mount", "--map-root-user", "sh", "-c", script])
            .arg(at)
            .arg(size)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("unshare: {error}"))?;
        let mut said = [0; 8];
        let mounted = match &mut holder.stdout {
            Some(out) => out.read_exact(&mut said),
            None => Ok(()),
        };
        let disk = Self {
            holder,
            inside: at.to_owned(),
        };
        match mounted {
            Ok(()) => Ok(disk),
            Err(error) => Err(format!(
                "this machine does not allow mounting a small disk (user namespaces are required): {error}"
            )),
        }
    }

    /// Returns the disk's path for a process outside the mount namespace, such as this one.
    pub fn path(&self) -> PathBuf {
        let root = PathBuf::from(format!("/proc/{}/root", self.holder.id()));
        root.join(self.inside.strip_prefix("/").unwrap_or(&self.inside))
    }

    /// Returns the disk's path for a process started with [`Self::enter`].
    pub fn inside(&self) -> &Path {
        &self.inside
    }

    /// Returns a command (`nsenter`) that runs a program inside the disk's mount namespace; add the program as its first argument.
    pub fn enter(&self) -> Command {
        let mut command = Command::new("nsenter");
        command.args([
            "--user",
            "--mount",
            "--preserve-credentials",
            "--target",
            &self.holder.id().to_string(),
        ]);
        command
    }

    /// Fills the disk with a single file. Returns the file's path so that the caller can remove it.
    pub fn fill(&self) -> std::io::Result<PathBuf> {
        let path = self.path().join("video");
        let mut file = File::create(&path)?;
        while file.write_all(&[1; 4096]).is_ok() {}
        // Fill the last page byte by byte.
        while file.write_all(&[1]).is_ok() {}
        Ok(path)
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Closing its standard input ends the holder process; the kill is a safeguard.
        drop(self.holder.stdin.take());
        let _ = self.holder.kill();
        let _ = self.holder.wait();
    }
}
