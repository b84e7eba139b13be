//! A single request to the public page, over plain HTTP.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};

/// Fetches `path` from the page and parses it as JSON.
///
/// # Errors
/// Returns an error if the page cannot be reached, the status is not 200, or the body is not JSON.
pub fn page_json(http: SocketAddr, path: &str) -> anyhow::Result<serde_json::Value> {
    let mut socket = TcpStream::connect(http)?;
    write!(socket, "GET {path} HTTP/1.0\r\nHost: hall\r\n\r\n")?;
    let mut answer = Vec::new();
    socket.read_to_end(&mut answer)?;
    let answer = String::from_utf8(answer)?;
    let (head, body) = answer
        .split_once("\r\n\r\n")
        .ok_or_else(|| anyhow::anyhow!("no answer: {answer:?}"))?;
    let status = head.lines().next().unwrap_or_default();
    anyhow::ensure!(status.contains(" 200 "), "{path}: {status}: {body}");
    Ok(serde_json::from_str(body)?)
}
