//! A device that has no certificate and a separate address. It reaches the clocks' port like a stranger with a laptop.
//!
//! Owns one socket in 127.0.0.0/8, where a hub on this machine treats every address as a different device. Must not use the agent's enrolment code,
//! which would keep to the rules.

use std::io::{self, IoSliceMut};
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use anyhow::Context as _;
use clock_agent::identity::Keys;
use proto::frame::{Deframer, encode_prefixed};
use proto::quic::{ALPN_ENROL, SERVER_NAME};
use proto::wire::{EnrolAnswer, EnrolRequest, enrol_answer::Answer};
use quinn::crypto::rustls::QuicClientConfig;
use quinn::udp::{RecvMeta, Transmit};
use quinn::{
    AsyncUdpSocket, Connecting, Connection, Endpoint, EndpointConfig, Runtime as _, TokioRuntime,
    UdpPoller,
};

use crate::any_hub::any_hub;

#[derive(Clone, Debug)]
pub struct Device {
    endpoint: Endpoint,
}

impl Device {
    pub fn at(address: Ipv4Addr) -> anyhow::Result<Self> {
        let socket = UdpSocket::bind((address, 0))?;
        Self::on(TokioRuntime.wrap_udp_socket(socket)?)
    }

    /// Creates a device at `address` that answers a Retry but ignores every other packet, so that its handshakes never complete.
    pub fn deaf_at(address: Ipv4Addr) -> anyhow::Result<Self> {
        let socket = UdpSocket::bind((address, 0))?;
        Self::on(Arc::new(Deaf(TokioRuntime.wrap_udp_socket(socket)?)))
    }

    fn on(socket: Arc<dyn AsyncUdpSocket>) -> anyhow::Result<Self> {
        let runtime = Arc::new(TokioRuntime);
        let config = EndpointConfig::default();
        let mut endpoint = Endpoint::new_with_abstract_socket(config, None, socket, runtime)?;
        let mut tls = any_hub()?.with_no_client_auth();
        tls.alpn_protocols = vec![ALPN_ENROL.to_vec()];
        let config = QuicClientConfig::try_from(tls)?;
        endpoint.set_default_client_config(quinn::ClientConfig::new(Arc::new(config)));
        Ok(Self { endpoint })
    }

    /// Begins a handshake with the enrolment desk of the hub at `hub`. The attempt ends when the returned value is dropped.
    pub fn knock(&self, hub: SocketAddr) -> anyhow::Result<Connecting> {
        Ok(self.endpoint.connect(hub, SERVER_NAME)?)
    }

    /// Connects to the enrolment desk of the hub at `hub`, but sends nothing.
    pub async fn connect(&self, hub: SocketAddr) -> anyhow::Result<Connection> {
        Ok(self.knock(hub)?.await?)
    }

    pub async fn ask(&self, hub: SocketAddr, request: &EnrolRequest) -> anyhow::Result<Answer> {
        let connection = self.connect(hub).await?;
        let (mut send, mut recv) = connection.open_bi().await?;
        send.write_all(&encode_prefixed(request)?).await?;
        send.finish()?;
        let mut deframer = Deframer::default();
        loop {
            if let Some(EnrolAnswer { answer }) = deframer.next()? {
                return answer.context("an empty answer");
            }
            let chunk = recv.read_chunk(4096, true).await?;
            deframer.push(&chunk.context("the answer ended too early")?.bytes);
        }
    }
}

pub fn enrol_request(keys: &Keys, token: &[u8; 16], name: &str) -> EnrolRequest {
    let exchange = keys.exchange_public();
    clock_core::enrolment::request(keys.signing_key(), &exchange, token, name)
}

/// A socket that delivers only QUIC Retry packets.
#[derive(Debug)]
struct Deaf(Arc<dyn AsyncUdpSocket>);

impl AsyncUdpSocket for Deaf {
    fn create_io_poller(self: Arc<Self>) -> Pin<Box<dyn UdpPoller>> {
        self.0.clone().create_io_poller()
    }

    fn try_send(&self, transmit: &Transmit<'_>) -> io::Result<()> {
        self.0.try_send(transmit)
    }

    fn poll_recv(
        &self,
        cx: &mut Context<'_>,
        bufs: &mut [IoSliceMut<'_>],
        meta: &mut [RecvMeta],
    ) -> Poll<io::Result<usize>> {
        loop {
            let came = ready!(self.0.poll_recv(cx, bufs, meta))?;
            let mut kept = 0;
            for at in 0..came {
                let first = bufs[at].first().copied().unwrap_or_default();
                // Long-header packets of type 3 are Retry packets (RFC 9000, 17.2.5).
                if first & 0xf0 == 0xf0 {
                    bufs.swap(kept, at);
                    meta.swap(kept, at);
                    kept += 1;
                }
            }
            if kept > 0 {
                return Poll::Ready(Ok(kept));
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.0.local_addr()
    }

    fn max_transmit_segments(&self) -> usize {
        self.0.max_transmit_segments()
    }

    fn max_receive_segments(&self) -> usize {
        self.0.max_receive_segments()
    }

    fn may_fragment(&self) -> bool {
        self.0.may_fragment()
    }
}
