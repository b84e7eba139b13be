//! An arbiter's program: gRPC over TLS with credentials chosen by the test.

use std::net::SocketAddr;
use std::sync::Arc;

use hub::identity::{Arbiter, Credentials, Identity, Role, arbiter_client_config, record_key_file};
use hyper_util::rt::TokioIo;
use proto::grpc::arbiter_client::ArbiterClient;
use proto::grpc::tournament_client::TournamentClient;
use proto::grpc::{CommandRequest, command_request::Command};
use proto::quic::SERVER_NAME;
use rustls_pki_types::ServerName;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tonic::transport::{Channel, Endpoint, Uri};

use crate::hall::TestHub;

pub(crate) type Client = ArbiterClient<Channel>;

pub(crate) fn key_file(hub: &TestHub, role: Role, name: &str) -> Credentials {
    let made = Credentials::issue(hub.server.identity().authority(), role, name).unwrap();
    let holder = Arbiter::new(role, name);
    record_key_file(hub.dir.path(), made.certificate(), &holder, 0, "test").unwrap();
    made
}

pub(crate) async fn arbiter(hub: &TestHub, role: Role) -> Client {
    let credentials = key_file(hub, role, "Ann");
    let tls = arbiter_client_config(&credentials).unwrap();
    connect(hub.server.addresses().listen, tls).await.unwrap()
}

pub(crate) fn without_client_certificate(hub: &TestHub) -> rustls::ClientConfig {
    without_certificate(hub.server.identity())
}

pub(crate) fn without_certificate(identity: &Identity) -> rustls::ClientConfig {
    let mut roots = rustls::RootCertStore::empty();
    roots.add(identity.authority_der().clone()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = rustls::ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&rustls::version::TLS13])
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec()];
    config
}

pub(crate) async fn event(hub: &TestHub, role: Role, name: &str) -> TournamentClient<Channel> {
    let credentials = key_file(hub, role, name);
    let tls = arbiter_client_config(&credentials).unwrap();
    let channel = channel(hub.server.addresses().listen, tls).await.unwrap();
    TournamentClient::new(channel)
}

pub(crate) async fn connect(
    address: SocketAddr,
    tls: rustls::ClientConfig,
) -> Result<Client, tonic::transport::Error> {
    Ok(ArbiterClient::new(channel(address, tls).await?))
}

pub(crate) async fn channel(
    address: SocketAddr,
    tls: rustls::ClientConfig,
) -> Result<Channel, tonic::transport::Error> {
    let tls = Arc::new(tls);
    let connector = tower::service_fn(move |_: Uri| {
        let tls = tls.clone();
        async move { open(address, tls).await.map(TokioIo::new) }
    });
    let endpoint = Endpoint::from_shared(format!("http://{SERVER_NAME}")).unwrap();
    endpoint.connect_with_connector(connector).await
}

pub(crate) async fn open(
    address: SocketAddr,
    tls: Arc<rustls::ClientConfig>,
) -> std::io::Result<TlsStream<TcpStream>> {
    let stream = TcpStream::connect(address).await?;
    // Otherwise the second part of a request may wait 40 ms for the acknowledgement of the first.
    stream.set_nodelay(true)?;
    let name = ServerName::try_from(SERVER_NAME).unwrap();
    TlsConnector::from(tls).connect(name, stream).await
}

pub(crate) fn command(board: &str, seen_seq: u64, command: Command) -> CommandRequest {
    CommandRequest {
        id: hub::identity::random::<16>().unwrap().to_vec(),
        board: board.to_owned(),
        seen_seq,
        offence: None,
        reason: String::new(),
        command: Some(command),
    }
}
