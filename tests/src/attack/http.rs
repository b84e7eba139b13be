//! Raw HTTP/1.1 requests, plain or over TLS, with bytes that no browser would send.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use proto::quic::SERVER_NAME;
use rustls_pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::Badge;
use super::quic::client_config;

const PATIENCE: Duration = Duration::from_secs(20);
const MAX_ANSWER_BYTES: u64 = 16 << 20;

/// An HTTP response, or the part of it that arrived before the connection ended.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The status; 0 if the connection ended without one.
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find_map(|(key, value)| key.eq_ignore_ascii_case(name).then_some(value))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    fn parse(bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        let (head, body) = bytes.split_at(end.unwrap_or(bytes.len()));
        let head = String::from_utf8_lossy(head).into_owned();
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
        Self {
            status: status.unwrap_or(0),
            head,
            body: body.get(4..).unwrap_or_default().to_vec(),
        }
    }
}

/// Opens a TLS connection to the arbiters' port and offers HTTP/1.1.
pub async fn tls(hub: SocketAddr, badge: Option<&Badge>) -> anyhow::Result<TlsStream<TcpStream>> {
    tls_from([127, 0, 0, 1].into(), hub, badge).await
}

/// Opens a connection like [`tls`], but from a different address of this machine.
pub async fn tls_from(
    from: IpAddr,
    hub: SocketAddr,
    badge: Option<&Badge>,
) -> anyhow::Result<TlsStream<TcpStream>> {
    let config = client_config(badge, b"http/1.1")?;
    let socket = TcpSocket::new_v4()?;
    socket.bind((from, 0).into())?;
    let stream = socket.connect(hub).await?;
    let name = ServerName::try_from(SERVER_NAME)?;
    let connected = TlsConnector::from(Arc::new(config)).connect(name, stream);
    let connected = tokio::time::timeout(PATIENCE, connected).await;
    Ok(connected.context("the TLS handshake hangs")??)
}

/// Sends raw bytes, and reads until the hub closes the connection or has sent 16 MiB.
///
/// # Errors
/// Returns an error if reading takes longer than 20 seconds.
pub async fn request(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    bytes: &[u8],
) -> anyhow::Result<Answer> {
    // Errors are ignored: the hub may refuse before it has read everything.
    let _ = stream.write_all(bytes).await;
    let _ = stream.flush().await;
    let mut came = Vec::new();
    let mut stream = stream.take(MAX_ANSWER_BYTES);
    let read = stream.read_to_end(&mut came);
    let read = tokio::time::timeout(PATIENCE, read).await;
    // A reset ends the response in the same way as a close.
    drop(read.context("the hub neither answers nor closes")?);
    Ok(Answer::parse(&came))
}

/// Sends raw bytes and reads only the head of the response, because its body may never end.
///
/// # Errors
/// Returns an error if the hub neither sends a whole head nor closes the connection within 20 seconds.
pub async fn head(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    bytes: &[u8],
) -> anyhow::Result<Answer> {
    let _ = stream.write_all(bytes).await;
    let _ = stream.flush().await;
    let mut came = Vec::new();
    let read = async {
        while !came.ends_with(b"\r\n\r\n") {
            match stream.read_u8().await {
                Ok(byte) => came.push(byte),
                Err(_) => break,
            }
        }
    };
    let read = tokio::time::timeout(PATIENCE, read).await;
    read.context("the hub neither answers nor closes")?;
    Ok(Answer::parse(&came))
}
