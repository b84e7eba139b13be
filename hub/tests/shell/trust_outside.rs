//! An external server certificate: which callers see it, when it is reloaded, and the reasons for not using it.

use std::path::{Path, PathBuf};

use hub::identity::{BrowserTrust, ExternalCertificate, ExternalFiles, TrustSettings};
use hub::server::HubServer;
use hub::time_source::WallTime;
use proto::quic::SERVER_NAME;
use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
};
use rustls_pki_types::CertificateDer;
use timing::Duration;

use crate::hall::{TestHub, config, logged, look_later, messages, within};
use crate::trust::{after, clock_of, dial, names, pem, x509};

/// A public authority, which tablets already trust, and the certificates that it issues.
struct World {
    root: CertificateDer<'static>,
    issuer: Issuer<'static, KeyPair>,
}

struct Pair {
    chain: String,
    key: String,
}

impl World {
    fn new() -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::default();
        params
            .distinguished_name
            .push(DnType::CommonName, "a public authority");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let root = params.self_signed(&key).unwrap().into();
        let issuer = Issuer::new(params, key);
        Self { root, issuer }
    }

    fn params(hosts: &[&str]) -> CertificateParams {
        let mut params = CertificateParams::new(names(hosts)).unwrap();
        params.not_before = rcgen::date_time_ymd(2026, 1, 1);
        params.not_after = rcgen::date_time_ymd(2090, 1, 1);
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params
    }

    fn certify(&self, params: &CertificateParams) -> Pair {
        let key = KeyPair::generate().unwrap();
        let leaf = params.signed_by(&key, &self.issuer).unwrap();
        Pair {
            chain: pem("CERTIFICATE", leaf.der()) + &pem("CERTIFICATE", &self.root),
            key: key.serialize_pem(),
        }
    }

    fn pair(&self, hosts: &[&str]) -> Pair {
        self.certify(&Self::params(hosts))
    }
}

fn files(dir: &Path) -> ExternalFiles {
    ExternalFiles {
        chain: dir.join("fullchain.pem"),
        key: dir.join("privkey.pem"),
    }
}

fn write(files: &ExternalFiles, pair: &Pair) {
    std::fs::write(&files.chain, &pair.chain).unwrap();
    std::fs::write(&files.key, &pair.key).unwrap();
}

#[test]
fn every_reason_for_which_a_certificate_is_not_used_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let files = files(dir.path());
    let world = World::new();
    let good = world.pair(&["chess.example.org"]);
    let load = |at: WallTime| ExternalCertificate::load(&files, &names(&["chess.example.org"]), at);
    let refused = |chain: &str, key: &str, said: &str| {
        std::fs::write(&files.chain, chain).unwrap();
        std::fs::write(&files.key, key).unwrap();
        let error = load(after(0)).unwrap_err().to_string();
        assert!(
            error.contains(said) && error.contains(".pem"),
            "{said}: {error}"
        );
    };
    refused("", &good.key, "fullchain.pem: it contains no certificate");
    let (begin, end) = (
        "-----BEGIN CERTIFICATE-----\n",
        "\n-----END CERTIFICATE-----\n",
    );
    refused(&format!("{begin}AQID{end}"), &good.key, "cannot be read");
    refused(&good.chain, "", "privkey.pem: it contains no private key");
    refused(
        &good.chain,
        &world.pair(&["chess.example.org"]).key,
        "does not belong to",
    );
    let order: Vec<&str> = good.chain.split_inclusive(end.trim_start()).collect();
    let turned = [order[1], order[0]].concat();
    refused(&turned, &good.key, "put the server's certificate first");
    refused(order[1], &good.key, "is an authority's");
    refused(&" ".repeat(1 << 21), &good.key, "larger than 1 MiB");
    let mut params = World::params(&["chess.example.org"]);
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
    let other = world.certify(&params);
    refused(&other.chain, &other.key, "not for servers");
    let other = world.certify(&World::params(&[]));
    refused(&other.chain, &other.key, "contains no host name");
    let other = world.pair(&["a.example", "example.org"]);
    refused(
        &other.chain,
        &other.key,
        "is for a.example, example.org, but the hub is called chess.example.org: set public_name or browser_names",
    );
    write(&files, &good);
    let error = load(after(30_000)).unwrap_err().to_string();
    assert!(
        error.contains("expired at 2090-01-01") && error.contains("renew it"),
        "{error}"
    );
    let error = load(after(-3_000)).unwrap_err().to_string();
    assert!(error.contains("valid only from 2026-01-01"), "{error}");
    std::fs::remove_file(&files.key).unwrap();
    let error = load(after(0)).unwrap_err().to_string();
    assert!(
        error.contains("cannot read") && error.contains("privkey.pem"),
        "{error}"
    );
    // A wildcard covers exactly one label.
    write(&files, &world.pair(&["*.example.org"]));
    let external = load(after(0)).unwrap();
    for (name, covered) in [
        ("chess.example.org", true),
        ("Chess.Example.org", true),
        ("example.org", false),
        ("a.chess.example.org", false),
    ] {
        assert_eq!(external.covers(name), covered, "{name}");
    }
}

#[test]
fn a_faulty_certificate_keeps_the_previous_one_and_an_expired_one_is_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let (clock, time) = clock_of(0);
    let files = files(dir.path());
    let world = World::new();
    let mut params = World::params(&["hub.example"]);
    params.not_after = rcgen::date_time_ymd(2027, 7, 1);
    write(&files, &world.certify(&params));
    let settings = TrustSettings {
        configured: names(&["hub.example"]),
        external: Some(files.clone()),
    };
    let trust = BrowserTrust::open(dir.path(), settings, clock).unwrap();
    let first = trust.status();
    assert_eq!(first.problem, None);
    assert!(first.external.is_some() && first.is_already_trusted("hub.example"));
    assert!(!first.is_already_trusted("127.0.0.1") && first.covers("127.0.0.1"));
    // The ACME client writes the chain first, and the key only a moment later.
    let next = world.pair(&["hub.example"]);
    std::fs::write(&files.chain, &next.chain).unwrap();
    trust.refresh().unwrap();
    let between = trust.status();
    assert_eq!(between.external, first.external);
    assert!(between.problem.unwrap().contains("does not belong to"));
    // The old certificate expires before the key arrives, so the hub's own certificate replaces it.
    time.advance(Duration::from_secs(40 * 86_400));
    trust.refresh().unwrap();
    let ended = trust.status();
    assert!(ended.external.is_none() && !ended.is_already_trusted("hub.example"));
    assert!(ended.covers("hub.example"));
    std::fs::write(&files.key, &next.key).unwrap();
    trust.refresh().unwrap();
    let after = trust.status();
    assert_eq!(after.problem, None);
    assert!(after.external.unwrap().1 > ended.until);
}

async fn hub_with(dir: tempfile::TempDir, files: &ExternalFiles) -> TestHub {
    let mut config = config(dir.path());
    config.browser_names = names(&["chess.example.org"]);
    config.certificate = Some(files.chain.clone());
    config.certificate_key = Some(files.key.clone());
    messages();
    let server = HubServer::start(&config).await.unwrap();
    TestHub { server, dir }
}

fn serial(stream: &tokio_rustls::client::TlsStream<tokio::net::TcpStream>) -> Vec<u8> {
    let leaf = &stream.get_ref().1.peer_certificates().unwrap()[0];
    x509(leaf).raw_serial().to_vec()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn browsers_that_call_its_name_see_it_and_its_successor_without_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let files = files(dir.path());
    let world = World::new();
    write(&files, &world.pair(&["chess.example.org"]));
    let hub = hub_with(dir, &files).await;
    let address = hub.server.addresses().listen;
    let browser: [&[u8]; 2] = [b"h2", b"http/1.1"];
    let own = hub.server.trust().status().root;
    let hall = hub.server.identity().authority_der().clone();
    for (name, root) in [
        ("chess.example.org", &world.root),
        ("localhost", &own),
        ("127.0.0.1", &own),
        (SERVER_NAME, &hall),
    ] {
        let shown = dial(address, root, name, &browser).await;
        assert!(shown.is_ok(), "{name}: {shown:?}");
    }
    let shown = dial(address, &world.root, "chess.example.org", &browser)
        .await
        .unwrap();
    let first = serial(&shown);
    // The hub reports an unusable file and keeps the previous certificate.
    std::fs::write(&files.chain, "-----BEGIN NOTHING").unwrap();
    logged(&["the previous one stays in use", "fullchain.pem"]).await;
    let shown = dial(address, &world.root, "chess.example.org", &browser)
        .await
        .unwrap();
    assert_eq!(serial(&shown), first);
    write(&files, &world.pair(&["chess.example.org"]));
    let renewed = async {
        loop {
            let shown = dial(address, &world.root, "chess.example.org", &browser).await;
            if serial(&shown.unwrap()) != first {
                return;
            }
            look_later().await;
        }
    };
    within(renewed, "the next certificate").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hub_whose_certificate_from_outside_is_missing_starts_with_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let nowhere = ExternalFiles {
        chain: PathBuf::from("/nowhere/fullchain.pem"),
        key: PathBuf::from("/nowhere/privkey.pem"),
    };
    let hub = hub_with(dir, &nowhere).await;
    let status = hub.server.trust().status();
    assert!(
        status
            .problem
            .as_ref()
            .unwrap()
            .contains("/nowhere/fullchain.pem")
    );
    let warned = hub::server::trust_lines(&status);
    assert!(
        warned
            .iter()
            .any(|(key, text)| *key == "warning" && text.contains("/nowhere"))
    );
    let address = hub.server.addresses().listen;
    let browser: [&[u8]; 2] = [b"h2", b"http/1.1"];
    dial(address, &status.root, "chess.example.org", &browser)
        .await
        .unwrap();
}
