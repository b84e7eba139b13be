//! A peer that speaks valid QUIC and TLS but sends arbitrary data over them, including frames that no clock would send.
//!
//! Owns one connection, with the certificate of an enrolled clock or of a clock of a different hub. Must not use the agent's session code, because
//! its purpose is to break the rules that the session code follows.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use clock_agent::identity::Identity;
use ed25519_dalek::pkcs8::EncodePrivateKey as _;
use proto::frame::Deframer;
use proto::quic::{ALPN_SESSION, SERVER_NAME};
use proto::wire::{Goodbye, HubFrame, Welcome, hub_frame::Frame};
use quinn::crypto::rustls::QuicClientConfig;
use quinn::{Connection, Endpoint, RecvStream, SendStream};
use rustls::RootCertStore;
use rustls_pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

pub struct Stranger {
    pub connection: Connection,
    /// The sending half of the stream that [`Stranger::connect`] opened.
    pub send: SendStream,
    recv: RecvStream,
    deframer: Deframer,
    /// Kept alive because the connection needs its endpoint.
    _endpoint: Endpoint,
}

/// The end of a connection, as the hub and QUIC explain it.
#[derive(Debug)]
pub struct Ended {
    pub goodbye: Option<Goodbye>,
    pub why: String,
}

impl Stranger {
    /// Connects with `identity`'s certificate, trusts the authority in `authority_der`, and opens a bidirectional stream.
    ///
    /// # Errors
    /// Returns the TLS or QUIC error. If the hub refuses the connection, the error contains its reason.
    pub async fn connect(
        hub: SocketAddr,
        identity: &Identity,
        authority_der: &[u8],
    ) -> anyhow::Result<Self> {
        let mut roots = RootCertStore::empty();
        roots.add(authority_der.to_vec().into())?;
        let key = identity
            .keys
            .signing_key()
            .to_pkcs8_der()?
            .as_bytes()
            .to_vec();
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key));
        let chain = vec![identity.enrolment.certificate_der.clone().into()];
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut tls = rustls::ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&rustls::version::TLS13])?
            .with_root_certificates(roots)
            .with_client_auth_cert(chain, key)?;
        tls.alpn_protocols = vec![ALPN_SESSION.to_vec()];
        let mut endpoint = Endpoint::client(([127, 0, 0, 1], 0).into())?;
        endpoint.set_default_client_config(quinn::ClientConfig::new(Arc::new(
            QuicClientConfig::try_from(tls)?,
        )));
        let connection = endpoint.connect(hub, SERVER_NAME)?.await?;
        let (send, recv) = connection.open_bi().await?;
        Ok(Self {
            connection,
            send,
            recv,
            deframer: Deframer::default(),
            _endpoint: endpoint,
        })
    }

    /// Sends raw bytes. Ignores errors: if the hub has closed the connection, [`Stranger::ended`] reports it.
    pub async fn say(&mut self, bytes: &[u8]) {
        let _ = self.send.write_all(bytes).await;
    }

    /// Returns the hub's next frame; `None` if the frame is empty, or if the stream has ended or failed.
    pub async fn frame(&mut self) -> anyhow::Result<Option<Frame>> {
        loop {
            if let Some(HubFrame { frame }) = self.deframer.next()? {
                return Ok(frame);
            }
            match self.recv.read_chunk(4096, true).await {
                Ok(Some(chunk)) => self.deframer.push(&chunk.bytes),
                Ok(None) | Err(_) => return Ok(None),
            }
        }
    }

    /// Waits for the hub's welcome, which must be its first frame.
    ///
    /// # Errors
    /// Returns an error if another frame or the end of the stream comes first.
    pub async fn welcome(&mut self) -> anyhow::Result<Welcome> {
        let frame = self
            .frame()
            .await?
            .context("the hub closed instead of a welcome")?;
        if let Frame::Welcome(welcome) = frame {
            return Ok(welcome);
        }
        anyhow::bail!("instead of a welcome came {frame:?}")
    }

    /// Waits until the hub closes the connection, and returns how it ended.
    ///
    /// # Errors
    /// Returns an error if the hub has not closed the connection within ten seconds.
    pub async fn ended(mut self) -> anyhow::Result<Ended> {
        let connection = self.connection.clone();
        let rest = async {
            let mut goodbye = None;
            while let Ok(Some(frame)) = self.frame().await {
                if let Frame::Goodbye(said) = frame {
                    goodbye = Some(said);
                }
            }
            Ended {
                goodbye,
                why: connection.closed().await.to_string(),
            }
        };
        tokio::time::timeout(Duration::from_secs(10), rest)
            .await
            .context("the hub did not close the connection")
    }
}
