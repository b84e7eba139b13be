//! People with laptops in the hall: raw sockets and hand-made bytes, from different addresses.
//!
//! Owns single connections. Must not use the hub's code, because strangers need not keep to its rules.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use proto::quic::SERVER_NAME;
use rustls::RootCertStore;
use rustls_pki_types::pem::PemObject as _;
use rustls_pki_types::{CertificateDer, ServerName};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

/// Connects to `hub` from the loopback address 127.0.0.`host`.
pub async fn connect_from(host: u8, hub: SocketAddr) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind((Ipv4Addr::new(127, 0, 0, host), 0).into())?;
    socket.connect(hub).await
}

/// Returns a TLS client that has no certificate and trusts the hub that issued the chief arbiter's key file in `data_dir`.
pub fn uncertified(data_dir: &Path, protocols: &[&[u8]]) -> anyhow::Result<TlsConnector> {
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(data_dir.join("chief.pem"))? {
        // The first certificate is the arbiter's own. It does no harm as an additional root.
        roots.add(certificate?)?;
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = rustls::ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
    Ok(TlsConnector::from(Arc::new(config)))
}

/// Connects to the arbiters' port from 127.0.0.`host` and completes the TLS handshake.
pub async fn connect_tls(
    tls: &TlsConnector,
    host: u8,
    hub: SocketAddr,
) -> anyhow::Result<TlsStream<TcpStream>> {
    let stream = connect_from(host, hub).await?;
    Ok(tls
        .connect(ServerName::try_from(SERVER_NAME)?, stream)
        .await?)
}

/// Sends an HTTP/1.1 request and returns the status of the response. The connection stays open.
///
/// # Errors
/// Returns an error if the hub closes the connection first, or sends anything except an HTTP response.
pub async fn status_of<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut S,
    request: &str,
) -> anyhow::Result<u16> {
    stream.write_all(request.as_bytes()).await?;
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await?);
    }
    let head = String::from_utf8(head)?;
    let status = head.split(' ').nth(1).context("no status")?;
    Ok(status.parse()?)
}

/// Reads until the hub closes or resets the connection.
pub async fn closed<S: AsyncRead + Unpin>(mut stream: S) {
    let mut buffer = vec![0; 1 << 14];
    while let Ok(1..) = stream.read(&mut buffer).await {}
}

/// Reads until the hub closes the connection, and meanwhile answers its HTTP/2 pings.
pub async fn answering_pings<S: AsyncRead + AsyncWrite + Unpin>(mut stream: S) {
    const PING: u8 = 6;
    const ACK: u8 = 1;
    let mut head = [0; 9];
    while stream.read_exact(&mut head).await.is_ok() {
        let [high, middle, low, kind, flags, ..] = head;
        let length = u32::from_be_bytes([0, high, middle, low]);
        let mut payload = vec![0; length as usize];
        if stream.read_exact(&mut payload).await.is_err() {
            return;
        }
        if kind == PING && flags & ACK == 0 {
            let pong = http2_frame(PING, ACK, 0, &payload);
            if stream.write_all(&pong).await.is_err() {
                return;
            }
        }
    }
}

/// Returns the opening bytes of an HTTP/2 connection whose client accepts `window` bytes of each response.
pub fn http2_opening(window: u32) -> Vec<u8> {
    const INITIAL_WINDOW_SIZE: [u8; 2] = [0, 4];
    let mut settings = INITIAL_WINDOW_SIZE.to_vec();
    settings.extend(window.to_be_bytes());
    let mut opening = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    opening.extend(http2_frame(4, 0, 0, &settings));
    opening
}

/// Returns the HTTP/2 request `GET path` on stream `stream`, an odd number.
pub fn http2_get(stream: u32, path: &str) -> Vec<u8> {
    const END_STREAM_AND_HEADERS: u8 = 0x5;
    // GET and http from HPACK's static table, then the path and the authority as literals.
    let mut block = vec![0x82, 0x86];
    for (name, value) in [(4, path), (1, "hall")] {
        // Lengths below 127 fit in one byte.
        block.extend([name, value.len() as u8]);
        block.extend(value.as_bytes());
    }
    http2_frame(1, END_STREAM_AND_HEADERS, stream, &block)
}

fn http2_frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len())
        .unwrap_or(u32::MAX)
        .to_be_bytes();
    let mut frame = length[1..].to_vec();
    frame.extend([kind, flags]);
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    frame
}
