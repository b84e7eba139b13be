//! How browsers come to trust the hub: the names that the authority can certify, the certificate for each caller, and its renewal.

use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;

use hub::identity::{
    AUTHORITY_LIFE, ApiTls, BrowserAuthority, BrowserTrust, CERTIFICATE_LIFE, Credentials,
    Identity, Role, TrustSettings, WallClock, arbiter_client_config,
};
use hub::time_source::{ManualTime, TimeSource, WallTime};
use proto::quic::SERVER_NAME;
use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa,
    Issuer, KeyPair,
};
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::ServerCertVerifier as _;
use rustls::server::Acceptor;
use rustls::{ClientConfig, RootCertStore};
use rustls_pki_types::pem::PemObject as _;
use rustls_pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use timing::{Duration, Hub, Instant};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::client::TlsStream;
use tokio_rustls::{LazyConfigAcceptor, TlsConnector};
use x509_parser::prelude::X509Certificate;

use crate::hall::{TestHub, within};

/// 2027-06-01T00:00:00Z.
const NOW: WallTime = WallTime::from_unix_us(1_811_808_000_000_000);
const DAY_US: i64 = 86_400_000_000;
/// The protocols that browsers offer through ALPN.
pub(crate) const BROWSER: [&[u8]; 2] = [b"h2", b"http/1.1"];

pub(crate) fn after(days: i64) -> WallTime {
    WallTime::from_unix_us(NOW.unix_us() + days * DAY_US)
}

pub(crate) fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

pub(crate) fn provider() -> Arc<rustls::crypto::CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

pub(crate) fn roots(root: &CertificateDer<'static>) -> Arc<RootCertStore> {
    let mut roots = RootCertStore::empty();
    roots.add(root.clone()).unwrap();
    Arc::new(roots)
}

pub(crate) fn x509<'a>(certificate: &'a CertificateDer<'_>) -> X509Certificate<'a> {
    x509_parser::parse_x509_certificate(certificate).unwrap().1
}

/// Verifies a certificate chain for `name` at the time `at` with rustls-webpki.
fn verified(
    root: &CertificateDer<'static>,
    chain: &[CertificateDer<'static>],
    name: &str,
    at: WallTime,
) -> Result<(), rustls::Error> {
    let verifier = WebPkiServerVerifier::builder_with_provider(roots(root), provider());
    let verifier = verifier.build().unwrap();
    let name = ServerName::try_from(name.to_owned()).unwrap();
    let at = std::time::Duration::from_micros(at.unix_us().unsigned_abs());
    let at = UnixTime::since_unix_epoch(at);
    verifier
        .verify_server_cert(&chain[0], &chain[1..], &name, &[], at)
        .map(drop)
}

/// Verifies a certificate chain with OpenSSL; returns `None` if OpenSSL is not installed.
fn verified_by_openssl(
    dir: &Path,
    root: &CertificateDer<'_>,
    chain: &[CertificateDer<'_>],
    name: &str,
    at: WallTime,
) -> Option<(bool, String)> {
    let file = |name: &str, certificate: &CertificateDer<'_>| {
        let path = dir.join(name);
        std::fs::write(&path, pem("CERTIFICATE", certificate)).unwrap();
        path
    };
    let (root, below) = (file("root.pem", root), file("below.pem", &chain[1]));
    let leaf = file("leaf.pem", &chain[0]);
    let by = match name.parse::<std::net::IpAddr>() {
        Ok(_) => "-verify_ip",
        Err(_) => "-verify_hostname",
    };
    let output = std::process::Command::new("openssl")
        .args(["verify", "-x509_strict", "-purpose", "sslserver", by, name])
        .args(["-attime", &(at.unix_us() / 1_000_000).to_string()])
        .arg("-CAfile")
        .arg(root)
        .arg("-untrusted")
        .arg(below)
        .arg(leaf)
        .output()
        .ok()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    Some((output.status.success(), said))
}

pub(crate) fn pem(label: &str, der: &[u8]) -> String {
    use base64::Engine as _;
    let text = base64::engine::general_purpose::STANDARD.encode(der);
    format!("-----BEGIN {label}-----\n{text}\n-----END {label}-----\n")
}

/// The content of the authority's file, which is all that a thief has.
struct Stolen {
    signer: CertificateDer<'static>,
    root: CertificateDer<'static>,
    issuer: Issuer<'static, KeyPair>,
}

impl Stolen {
    fn from(text: &str) -> Self {
        let certificates: Vec<CertificateDer<'static>> =
            CertificateDer::pem_slice_iter(text.as_bytes())
                .map(Result::unwrap)
                .collect();
        let [signer, root] = <[_; 2]>::try_from(certificates).unwrap();
        let key = PrivateKeyDer::from_pem_slice(text.as_bytes()).unwrap();
        let mut params = CertificateParams::default();
        params.distinguished_name = DistinguishedName::new();
        let parsed = x509(&signer);
        let text = |mut found: Box<
            dyn Iterator<Item = &x509_parser::x509::AttributeTypeAndValue<'_>> + '_,
        >| { found.next().unwrap().as_str().unwrap().to_owned() };
        let (organisation, common) = (
            text(Box::new(parsed.subject().iter_organization())),
            text(Box::new(parsed.subject().iter_common_name())),
        );
        let name = &mut params.distinguished_name;
        name.push(DnType::OrganizationName, organisation);
        name.push(DnType::CommonName, common);
        let issuer = Issuer::new(params, KeyPair::try_from(&key).unwrap());
        drop(parsed);
        Self {
            signer,
            root,
            issuer,
        }
    }

    fn params(name: &str) -> CertificateParams {
        let mut params = CertificateParams::new([name.to_owned()]).unwrap();
        params.not_before = rcgen::date_time_ymd(2027, 5, 1);
        params.not_after = rcgen::date_time_ymd(2027, 7, 1);
        params.use_authority_key_identifier_extension = true;
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params
    }

    fn chain(&self, name: &str) -> Vec<CertificateDer<'static>> {
        let key = KeyPair::generate().unwrap();
        let leaf = Self::params(name).signed_by(&key, &self.issuer).unwrap();
        vec![leaf.into(), self.signer.clone()]
    }
}

fn authority() -> BrowserAuthority {
    BrowserAuthority::generate(&names(&["hub.local", "localhost", "203.0.113.7"]), NOW).unwrap()
}

#[test]
fn the_browser_authority_vouches_for_the_hubs_names_and_private_addresses_alone() {
    let dir = tempfile::tempdir().unwrap();
    let stolen = Stolen::from(&authority().to_pem());
    let covered = [
        "hub.local",
        "localhost",
        "127.0.0.1",
        "10.0.0.5",
        "172.31.255.1",
        "192.168.1.1",
        "169.254.7.7",
        "100.127.0.1",
        "203.0.113.7",
        "::1",
        "fd00::1",
        "fe80::1",
    ];
    let others = [
        "example.org",
        "otherhub.local",
        "hub.local.example.org",
        "8.8.8.8",
        "172.32.0.1",
        "100.128.0.1",
        "203.0.113.8",
        "2001:db8::1",
    ];
    for (name, allowed) in covered
        .map(|name| (name, true))
        .into_iter()
        .chain(others.map(|name| (name, false)))
    {
        let chain = stolen.chain(name);
        let by_webpki = verified(&stolen.root, &chain, name, NOW);
        match (allowed, by_webpki) {
            (true, accepted) => assert_eq!(accepted, Ok(()), "{name}"),
            (false, refused) => {
                let why = refused.unwrap_err().to_string();
                assert!(why.contains("NameConstraintViolation"), "{name}: {why}");
            }
        }
        let by_openssl = verified_by_openssl(dir.path(), &stolen.root, &chain, name, NOW);
        if let Some((accepted, said)) = by_openssl {
            assert_eq!(accepted, allowed, "{name}: {said}");
            assert!(
                allowed || said.contains("permitted subtree violation"),
                "{said}"
            );
        }
    }
}

#[test]
fn its_key_certifies_no_authority_no_client_and_no_program() {
    let stolen = Stolen::from(&authority().to_pem());
    // The stolen key signs an intermediate authority, which in turn signs a leaf certificate.
    let key = KeyPair::generate().unwrap();
    let mut params = Stolen::params("hub.local");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let middle = params.signed_by(&key, &stolen.issuer).unwrap();
    let issuer = Issuer::new(params, key);
    let key = KeyPair::generate().unwrap();
    let leaf = Stolen::params("hub.local")
        .signed_by(&key, &issuer)
        .unwrap();
    let chain = [leaf.into(), middle.into(), stolen.signer.clone()];
    assert!(verified(&stolen.root, &chain, "hub.local", NOW).is_err());
    // Both certificates may issue only server certificates. Their limits are marked critical, so clients must enforce them.
    for (certificate, below) in [(&stolen.root, 1), (&stolen.signer, 0)] {
        let parsed = x509(certificate);
        let basic = parsed.basic_constraints().unwrap().unwrap();
        assert!(basic.critical && basic.value.ca);
        assert_eq!(basic.value.path_len_constraint, Some(below));
        assert!(parsed.name_constraints().unwrap().unwrap().critical);
        let uses = parsed.extended_key_usage().unwrap().unwrap().value;
        assert!(uses.server_auth && !uses.client_auth && !uses.code_signing && !uses.any);
        let dates = parsed.validity();
        let life = dates.not_after.timestamp() - dates.not_before.timestamp();
        let most = AUTHORITY_LIFE.as_secs() + 86_400;
        assert_eq!(life.unsigned_abs(), most);
    }
    // The root's key is not stored: the file contains only the signer's.
    let root = x509(&stolen.root);
    let held = stolen.issuer.key().public_key_raw();
    assert_ne!(&*root.public_key().subject_public_key.data, held);
}

#[test]
fn an_authority_is_read_back_from_its_text_and_damaged_text_is_refused() {
    let (ours, other) = (authority(), authority());
    let read = BrowserAuthority::from_pem(&ours.to_pem()).unwrap();
    assert_eq!((read.root(), read.to_pem()), (ours.root(), ours.to_pem()));
    let issued = read
        .issue(&names(&["hub.local", "example.org"]), NOW)
        .unwrap();
    assert_eq!(issued.names, ["hub.local"]);
    assert_eq!(
        verified(ours.root(), &issued.chain, "hub.local", NOW),
        Ok(())
    );
    // Splits a file into its parts in order: the signer's certificate, its key, the root.
    let parts = |text: &str| -> Vec<String> {
        let parts = text.split_inclusive("-----\n").collect::<Vec<_>>();
        parts.chunks(2).map(<[_]>::concat).collect()
    };
    let (a, b) = (parts(&ours.to_pem()), parts(&other.to_pem()));
    assert_eq!(a.len(), 3);
    for (damaged, said) in [
        (String::new(), "0 certificates"),
        (a[0].clone() + &a[2], "no private key"),
        (a[0].clone() + &b[1] + &a[2], "a different key"),
        (a[0].clone() + &a[1] + &b[2], "its root did not sign"),
        (a[0].clone() + &a[1], "1 certificates"),
    ] {
        let error = BrowserAuthority::from_pem(&damaged).unwrap_err();
        assert!(error.contains(said), "{said}: {error}");
    }
}

#[test]
fn server_certificates_are_short_and_end_before_their_authority() {
    let authority = authority();
    let hub = names(&["hub.local", "10.0.0.5"]);
    for at in [NOW, after(700), after(725)] {
        let issued = authority.issue(&hub, at).unwrap();
        assert!(issued.from <= at && at < issued.renewed && issued.renewed < issued.until);
        assert!(issued.until <= authority.until());
        let dates = x509(&issued.chain[0]).validity().clone();
        let life = dates.not_after.timestamp() - dates.not_before.timestamp();
        assert!(life.unsigned_abs() <= CERTIFICATE_LIFE.as_secs() + 86_400);
        for name in &hub {
            assert_eq!(verified(authority.root(), &issued.chain, name, at), Ok(()));
            assert!(verified(authority.root(), &issued.chain, name, after(800)).is_err());
        }
        assert!(!authority.has_outdated(&issued, &hub, at));
        assert!(authority.has_outdated(&issued, &hub, issued.renewed));
        assert!(authority.has_outdated(&issued, &names(&["hub.local"]), at));
    }
    // A machine whose calendar has fallen back to 1970 keeps its certificate.
    let past = WallTime::from_unix_us(0);
    let issued = authority.issue(&hub, past).unwrap();
    assert!(!authority.has_outdated(&issued, &hub, past) && !authority.has_ended(past));
    assert_eq!(
        verified(authority.root(), &issued.chain, "hub.local", NOW),
        Ok(())
    );
}

/// Connects to a hub under the server name `name`, trusting only `root` and offering `protocols`.
pub(crate) async fn dial(
    address: SocketAddr,
    root: &CertificateDer<'static>,
    name: &str,
    protocols: &[&[u8]],
) -> std::io::Result<TlsStream<TcpStream>> {
    let mut config = ClientConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots(root))
        .with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
    let stream = TcpStream::connect(address).await?;
    let name = ServerName::try_from(name.to_owned()).unwrap();
    TlsConnector::from(Arc::new(config))
        .connect(name, stream)
        .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn browsers_see_their_authority_and_programs_the_halls() {
    let hub = TestHub::start().await;
    let address = hub.server.addresses().listen;
    let browsers = hub.server.trust().status().root;
    let hall = hub.server.identity().authority_der().clone();
    for (name, protocols, root, other) in [
        ("localhost", &BROWSER[..], &browsers, &hall),
        ("127.0.0.1", &BROWSER, &browsers, &hall),
        ("localhost", &[b"http/1.1"], &browsers, &hall),
        ("localhost", &[], &browsers, &hall),
        (SERVER_NAME, &BROWSER, &hall, &browsers),
        (SERVER_NAME, &[b"http/1.1"], &hall, &browsers),
        // A gRPC library that trusts the hall's authority.
        ("localhost", &[b"h2"], &hall, &browsers),
        ("127.0.0.1", &[b"h2"], &hall, &browsers),
    ] {
        let shown = dial(address, root, name, protocols).await;
        assert!(shown.is_ok(), "{name} {protocols:?}: {shown:?}");
        let refused = dial(address, other, name, protocols).await;
        assert!(refused.is_err(), "{name} {protocols:?}");
    }
    let mut stream = dial(address, &browsers, "localhost", &[b"http/1.1"])
        .await
        .unwrap();
    let request = b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    stream.write_all(request).await.unwrap();
    let mut page = Vec::new();
    within(stream.read_to_end(&mut page), "the page")
        .await
        .unwrap();
    assert!(page.starts_with(b"HTTP/1.1 200"));
}

/// Returns a wall clock that begins `days` after [`NOW`], and the handle that lets a test advance it.
pub(crate) fn clock_of(days: i64) -> (WallClock, ManualTime) {
    let (time, moved) = TimeSource::manual(Instant::<Hub>::from_micros(after(days).unix_us()));
    (Arc::new(move || time.wall_now().unix_us()), moved)
}

pub(crate) fn open(dir: &Path, clock: &WallClock) -> BrowserTrust {
    let settings = TrustSettings {
        configured: names(&["hub.example"]),
        external: None,
    };
    BrowserTrust::open(dir, settings, clock.clone()).unwrap()
}

/// Connects like a browser at the current time of the hub's clock; returns the connection, and the serial number and expiry of the leaf certificate.
async fn connection(
    address: SocketAddr,
    root: &CertificateDer<'static>,
    clock: &WallClock,
) -> (TlsStream<TcpStream>, (Vec<u8>, i64)) {
    #[derive(Debug)]
    struct At(i64);
    impl rustls::time_provider::TimeProvider for At {
        fn current_time(&self) -> Option<UnixTime> {
            let at = std::time::Duration::from_micros(self.0.unsigned_abs());
            Some(UnixTime::since_unix_epoch(at))
        }
    }
    let config = ClientConfig::builder_with_details(provider(), Arc::new(At(clock())))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots(root))
        .with_no_client_auth();
    let stream = TcpStream::connect(address).await.unwrap();
    let name = ServerName::try_from("hub.example").unwrap();
    let stream = TlsConnector::from(Arc::new(config))
        .connect(name, stream)
        .await;
    let stream = stream.unwrap();
    let leaf = &stream.get_ref().1.peer_certificates().unwrap()[0];
    let parsed = x509(leaf);
    let shown = (
        parsed.raw_serial().to_vec(),
        parsed.validity().not_after.timestamp(),
    );
    (stream, shown)
}

async fn echoes(stream: &mut TlsStream<TcpStream>) {
    stream.write_all(b"press").await.unwrap();
    let mut back = [0; 5];
    within(stream.read_exact(&mut back), "an echo")
        .await
        .unwrap();
    assert_eq!(&back, b"press");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn certificates_are_renewed_while_connections_live() {
    let dir = tempfile::tempdir().unwrap();
    let (clock, time) = clock_of(0);
    let trust = Arc::new(open(dir.path(), &clock));
    let hall = Identity::open(dir.path()).unwrap();
    let hub = names(&["hub.example"]);
    let tls = ApiTls::new(&hall, &hub, trust.clone(), clock.clone()).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let echo = tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let greeted = LazyConfigAcceptor::new(Acceptor::default(), stream);
            let greeted = greeted.await.unwrap();
            let config = tls.for_caller(&greeted.client_hello());
            let stream = greeted.into_stream(config).await.unwrap();
            let (mut from, mut to) = tokio::io::split(stream);
            tokio::spawn(async move { tokio::io::copy(&mut from, &mut to).await });
        }
    });
    let root = trust.status().root;
    let (mut first, shown) = connection(address, &root, &clock).await;
    // The hub keeps the certificate until half of its lifetime has passed.
    time.advance(Duration::from_secs(6 * 86_400));
    trust.refresh().unwrap();
    assert_eq!(connection(address, &root, &clock).await.1, shown);
    let mut last = shown;
    for _ in 0..10 {
        time.advance(Duration::from_secs(8 * 86_400));
        trust.refresh().unwrap();
        let (mut next, renewed) = connection(address, &root, &clock).await;
        assert!(renewed.0 != last.0 && renewed.1 > last.1);
        echoes(&mut first).await;
        echoes(&mut next).await;
        last = renewed;
    }
    assert_eq!(trust.status().root, root);
    echo.abort();
}

#[test]
fn an_authority_that_has_ended_is_replaced_and_the_old_one_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let (clock, time) = clock_of(0);
    let trust = open(dir.path(), &clock);
    let before = trust.status();
    assert!(before.former.is_empty() && !before.ends_soon);
    time.advance(Duration::from_secs(680 * 86_400));
    trust.refresh().unwrap();
    assert!(trust.status().ends_soon && trust.status().root == before.root);
    time.advance(Duration::from_secs(60 * 86_400));
    trust.refresh().unwrap();
    let now = trust.status();
    assert_ne!(now.root, before.root);
    assert_eq!(now.former, std::slice::from_ref(&before.root));
    assert!(!now.ends_soon && now.until > after(740));
    let again = open(dir.path(), &clock).status();
    assert_eq!((again.root, again.former), (now.root, now.former));
    // A clock that starts in the past does not cause a replacement.
    let (past, _) = clock_of(-20_000);
    assert_eq!(open(dir.path(), &past).status().former.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_directory_from_before_gets_a_browser_authority_and_keeps_all_that_worked() {
    let dir = tempfile::tempdir().unwrap();
    // Creates the files of a hub from before browsers had a separate authority.
    let old = Identity::open(dir.path()).unwrap();
    drop(durable_log::Log::open(dir.path()).unwrap());
    let hall = old.authority_der().clone();
    let public = dir.path().join("authority.crt");
    std::fs::write(&public, old.authority().certificate_pem()).unwrap();
    let kept = ["authority.pem", "chief.pem", "pin-salt.hex"].map(|name| dir.path().join(name));
    let read = |path: &std::path::PathBuf| std::fs::read(path).ok();
    let before = kept.each_ref().map(read);
    assert!(before.iter().all(Option::is_some));

    for _ in 0..2 {
        let config = crate::hall::config(dir.path());
        let server = hub::server::HubServer::start(&config).await.unwrap();
        let status = server.trust().status();
        assert_eq!(kept.each_ref().map(read), before);
        assert_eq!(status.former, std::slice::from_ref(&hall));
        let shown = std::fs::read(&public).unwrap();
        assert_eq!(CertificateDer::from_pem_slice(&shown).unwrap(), status.root);
        let secret = dir.path().join("browser-authority.pem");
        let mode = std::fs::metadata(secret).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        // The chief arbiter's program still works with its old key file.
        let chief = Credentials::load(&dir.path().join("chief.pem")).unwrap();
        let tls = arbiter_client_config(&chief).unwrap();
        let mut client = crate::arbiter::connect(server.addresses().listen, tls)
            .await
            .unwrap();
        client
            .get_hall(proto::grpc::GetHallRequest {})
            .await
            .unwrap();
        server.stop().await.unwrap();
    }
}

#[test]
fn a_damaged_browser_authority_is_reported_and_never_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let (clock, _) = clock_of(0);
    open(dir.path(), &clock);
    let path = dir.path().join("browser-authority.pem");
    let written = std::fs::read_to_string(&path).unwrap();
    let damaged = &written[..written.len() / 2];
    std::fs::write(&path, damaged).unwrap();
    let error = BrowserTrust::open(dir.path(), TrustSettings::default(), clock).unwrap_err();
    let error = error.to_string();
    assert!(
        error.contains("browser-authority.pem is damaged") && error.contains("move it away"),
        "{error}"
    );
    assert_eq!(std::fs::read_to_string(&path).unwrap(), damaged);
}

/// Only the hall's authority can give an arbiter a role.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_certificate_of_the_browser_authority_is_refused() {
    let hub = TestHub::start().await;
    let text = std::fs::read_to_string(hub.dir.path().join("browser-authority.pem")).unwrap();
    let stolen = Stolen::from(&text);
    let key = KeyPair::generate().unwrap();
    let mut params = Stolen::params("localhost");
    params.not_before = rcgen::date_time_ymd(2026, 1, 1);
    params.not_after = rcgen::date_time_ymd(2100, 1, 1);
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
    let uri = "flagfall:arbiter:chief:thief".try_into().unwrap();
    params.subject_alt_names = vec![rcgen::SanType::URI(uri)];
    let forged = params.signed_by(&key, &stolen.issuer).unwrap();
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let hall = hub.server.identity().authority_der();
    let mut tls = ClientConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots(hall))
        .with_client_auth_cert(vec![forged.into(), stolen.signer.clone()], key)
        .unwrap();
    tls.alpn_protocols = vec![b"h2".to_vec()];
    let address = hub.server.addresses().listen;
    let refused = match crate::arbiter::connect(address, tls).await {
        Ok(mut client) => client
            .get_hall(proto::grpc::GetHallRequest {})
            .await
            .is_err(),
        Err(_) => true,
    };
    assert!(refused);
    // The same request with a certificate from the hall's authority succeeds.
    let mut client = crate::arbiter::arbiter(&hub, Role::Viewer).await;
    client
        .get_hall(proto::grpc::GetHallRequest {})
        .await
        .unwrap();
}
