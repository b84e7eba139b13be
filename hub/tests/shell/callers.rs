//! Client certificates: the hub requests them from programs, but never from browsers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use proto::quic::SERVER_NAME;
use rustls::client::ResolvesClientCert;
use rustls::sign::CertifiedKey;
use rustls::{ClientConfig, SignatureScheme};
use rustls_pki_types::ServerName;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use crate::hall::{TestHub, within};
use crate::trust::{BROWSER, provider, roots};

#[derive(Debug, Default)]
struct Asked(AtomicBool);

impl ResolvesClientCert for Asked {
    fn resolve(&self, _: &[&[u8]], _: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        self.0.store(true, Ordering::SeqCst);
        None
    }

    fn has_certs(&self) -> bool {
        true
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_programs_are_asked_for_a_certificate() {
    let hub = TestHub::start().await;
    let address = hub.server.addresses().listen;
    let browsers = hub.server.trust().status().root;
    let hall = hub.server.identity().authority_der().clone();
    for (name, protocols, root, is_program) in [
        ("localhost", &BROWSER[..], &browsers, false),
        ("127.0.0.1", &BROWSER, &browsers, false),
        ("localhost", &[b"http/1.1"], &browsers, false),
        (SERVER_NAME, &BROWSER, &hall, true),
        ("localhost", &[b"h2"], &hall, true),
    ] {
        let asked = Arc::new(Asked::default());
        let mut config = ClientConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots(root))
            .with_client_cert_resolver(asked.clone());
        config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
        let stream = TcpStream::connect(address).await.unwrap();
        let server = ServerName::try_from(name).unwrap();
        let connector = TlsConnector::from(Arc::new(config));
        let shown = within(connector.connect(server, stream), "the handshake").await;
        assert!(shown.is_ok(), "{name} {protocols:?}");
        let was_asked = asked.0.load(Ordering::SeqCst);
        assert_eq!(was_asked, is_program, "{name} {protocols:?}");
    }
}
