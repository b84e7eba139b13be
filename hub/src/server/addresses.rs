//! Addresses of a running hub, and the file in its data directory from which programs on the same machine read them.
//!
//! The file exists while the hub serves. A killed hub leaves it behind: an address in it is where the hub last served, and only a
//! connection shows whether it still does.

use std::io;
use std::net::SocketAddr;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::identity::files;

const FILE: &str = "addresses";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Addresses {
    /// Address for clock agents (QUIC, UDP) and arbiters' programs (gRPC, TCP).
    pub listen: SocketAddr,
    /// Address of the public pages (HTTP, TCP).
    pub http: SocketAddr,
    /// Address of the metrics (HTTP, TCP), if they are enabled.
    pub metrics: Option<SocketAddr>,
}

/// Returns the addresses at which the hub of this data directory serves, or served when it was killed. Returns `None` if it shut down properly or
/// never served.
///
/// # Errors
/// Returns an error if the file cannot be read or contains no addresses.
pub fn addresses_in(data_dir: &Path) -> io::Result<Option<Addresses>> {
    match std::fs::read_to_string(data_dir.join(FILE)) {
        Ok(text) => Ok(Some(serde_json::from_str(&text)?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Writes the file. A hub that fails to write it still serves, but programs must then be given the hub's address.
pub(super) fn write(data_dir: &Path, addresses: &Addresses) {
    let text = serde_json::to_string(addresses).map_err(|error| error.to_string());
    let written = text.and_then(|text| {
        let path = data_dir.join(FILE);
        files::write_private(&path, &text).map_err(|error| error.to_string())
    });
    if let Err(error) = written {
        tracing::warn!(error, "programs on this machine need --hub to find the hub");
    }
}

pub(super) fn remove(data_dir: &Path) {
    // Ignore an error: programs treat a file left behind like that of a killed hub.
    let _ = std::fs::remove_file(data_dir.join(FILE));
}
