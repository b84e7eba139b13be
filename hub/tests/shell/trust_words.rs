//! Tests of the texts about the certificate authority that browsers must trust: on the hub's page, in the iPad profile and on the command line.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use hub::identity::{BrowserTrust, Role, TrustSettings};
use hub::server::trust_lines;
use prost::Message as _;
use proto::enrolment::fingerprint_text;
use proto::grpc::{ArbiterCode, CreateArbiterCodeRequest};
use sha2::{Digest as _, Sha256};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::browser::Browser;
use crate::hall::{TestHub, config, within};
use crate::program::command;
use crate::trust::{clock_of, names};

/// Fetches a public page as a browser that knows the hub as `host`; returns the head and the body.
async fn get(hub: &TestHub, host: &str, path: &str) -> (String, Vec<u8>) {
    let address = hub.server.addresses().http;
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    within(stream.read_to_end(&mut answer), "a page")
        .await
        .unwrap();
    let end = answer
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .unwrap();
    let head = String::from_utf8(answer[..end].to_vec())
        .unwrap()
        .to_lowercase();
    assert!(head.starts_with("http/1.1 200"), "{path}: {head}");
    (head, answer[end + 4..].to_vec())
}

/// Returns the page, with each fingerprint joined into a single word.
async fn page(hub: &TestHub, host: &str) -> String {
    let page = String::from_utf8(get(hub, host, "/authority").await.1).unwrap();
    page.replace("<wbr>", "")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_public_page_says_which_authority_to_trust() {
    let hub = TestHub::start().await;
    let root = hub.server.trust().status().root;
    let shown = page(&hub, "localhost:8080").await;
    let print = fingerprint_text(&Sha256::digest(&root));
    assert_eq!(shown.matches(&print).count(), 1, "{shown}");
    assert!(!shown.contains("{{"), "{shown}");
    // The page shows the hall's own authority only as the one that enrolment codes name, not as one to install.
    let hall = hub.server.identity().authority();
    assert!(shown.contains(&fingerprint_text(&hall.fingerprint())));
    let port = hub.server.addresses().listen.port();
    for host in ["localhost", "127.0.0.1"] {
        assert!(
            shown.contains(&format!("href=\"https://{host}:{port}/\"")),
            "{shown}"
        );
    }
    assert!(!shown.contains("class=\"note\"") && !shown.contains("before?"));
    // The arbiters' port redirects to the page.
    let sent = Browser::new(&hub).get("/authority").await;
    assert_eq!(sent.status, 307);
    let port = hub.server.addresses().http.port();
    let there = format!("http://localhost:{port}/authority");
    assert_eq!(sent.header("location"), Some(there.as_str()));
    // The event's pages are redirected together with their query.
    let sent = Browser::new(&hub)
        .get("/event/print/slips?round=2&lang=de")
        .await;
    assert_eq!(sent.status, 307);
    let there = format!("http://localhost:{port}/event/print/slips?round=2&lang=de");
    assert_eq!(sent.header("location"), Some(there.as_str()));
    let (_, der) = get(&hub, "localhost", "/authority.crt").await;
    assert_eq!(der, root.to_vec());
    let (_, pem) = get(&hub, "localhost", "/authority.pem").await;
    assert_eq!(
        pem,
        std::fs::read(hub.dir.path().join("authority.crt")).unwrap()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_ipad_gets_the_authority_as_a_profile() {
    let hub = TestHub::start().await;
    let (head, profile) = get(&hub, "localhost", "/authority.mobileconfig").await;
    assert!(
        head.contains("content-type: application/x-apple-aspen-config\r\n"),
        "{head}"
    );
    let profile = String::from_utf8(profile).unwrap();
    let data = profile
        .split("<data>")
        .nth(1)
        .unwrap()
        .split('<')
        .next()
        .unwrap();
    let mut der = Vec::new();
    base64::Engine::decode_vec(&base64::engine::general_purpose::STANDARD, data, &mut der).unwrap();
    assert_eq!(der, hub.server.trust().status().root.to_vec());
    let (_, again) = get(&hub, "127.0.0.1", "/authority.mobileconfig").await;
    assert_eq!(again, profile.as_bytes());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_that_is_not_covered_is_said_where_it_is_used() {
    let hub = TestHub::start().await;
    for host in ["clocks.example:8080", "203.0.113.9", "[2001:db8::7]:8080"] {
        let shown = page(&hub, host).await;
        assert!(shown.contains("class=\"note\""), "{host}: {shown}");
        assert!(shown.contains("browser_names"), "{host}");
    }
    assert!(
        page(&hub, "clocks.example:8080")
            .await
            .contains(">clocks.example</b>")
    );
    assert!(
        !page(&hub, "127.0.0.1:8080")
            .await
            .contains("class=\"note\"")
    );
    // A name is displayed as text and never executed.
    let shown = page(&hub, "<script>x</script>").await;
    assert!(!shown.contains("<script>x"), "{shown}");
}

#[test]
fn a_name_that_is_configured_later_is_reported_until_a_new_authority_is_made() {
    let dir = tempfile::tempdir().unwrap();
    let (clock, _) = clock_of(0);
    let open = |configured: &[&str]| {
        let settings = TrustSettings {
            configured: names(configured),
            external: None,
        };
        BrowserTrust::open(dir.path(), settings, clock.clone()).unwrap()
    };
    let first = open(&["hub.example"]).status();
    assert_eq!(first.uncovered, [""; 0]);
    assert!(first.names.contains(&"hub.example".to_owned()));
    let later = ["hub.example", "clocks.example.org", "203.0.113.7"];
    let second = open(&later).status();
    assert_eq!(second.root, first.root);
    assert_eq!(second.uncovered, ["203.0.113.7", "clocks.example.org"]);
    assert!(!second.covers("clocks.example.org") && second.covers("hub.example"));
    let lines = trust_lines(&second);
    let warning = lines.iter().find(|(key, _)| *key == "warning").unwrap();
    for said in [
        "clocks.example.org",
        "browser_names",
        "browser-authority.pem",
    ] {
        assert!(warning.1.contains(said), "{}", warning.1);
    }
    std::fs::rename(
        dir.path().join("browser-authority.pem"),
        dir.path().join("moved-away.pem"),
    )
    .unwrap();
    let third = open(&later).status();
    assert_eq!(third.uncovered, [""; 0]);
    assert!(third.covers("clocks.example.org") && third.covers("203.0.113.7"));
    assert_eq!(third.former, [first.root]);
    assert!(trust_lines(&third).iter().all(|(key, _)| *key != "warning"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_device_with_the_old_authority_is_told_what_to_remove() {
    let dir = tempfile::tempdir().unwrap();
    let old = hub::identity::Identity::open(dir.path()).unwrap();
    let pem = old.authority().certificate_pem();
    std::fs::write(dir.path().join("authority.crt"), pem).unwrap();
    let print = fingerprint_text(&Sha256::digest(old.authority_der()));
    drop(old);
    drop(durable_log::Log::open(dir.path()).unwrap());
    let server = hub::server::HubServer::start(&config(dir.path()))
        .await
        .unwrap();
    let hub = TestHub { server, dir };
    let shown = page(&hub, "localhost").await;
    assert!(
        shown.contains("before?") && shown.contains(&print),
        "{shown}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_code_comes_with_the_fingerprint_that_its_browser_needs() {
    let hub = TestHub::start().await;
    let chief = Browser::enrolled(&hub, Role::Chief, "Anna Berg").await;
    let request = CreateArbiterCodeRequest {
        name: "Per Lind".to_owned(),
        role: "floor".to_owned(),
        ..CreateArbiterCodeRequest::default()
    };
    let answer = chief.call("Arbiter/CreateArbiterCode", &request).await;
    let code = ArbiterCode::decode(&answer.message[..]).unwrap();
    let root = hub.server.trust().status().root;
    assert_eq!(
        code.browser_authority,
        fingerprint_text(&Sha256::digest(&root))
    );
}

#[test]
fn serve_prints_the_fingerprint_of_the_file_that_browsers_install() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().to_str().unwrap();
    let serve = |settings: &[&str]| {
        let usual = [
            "serve",
            "--data-dir",
            path,
            "--listen",
            "127.0.0.1:0",
            "--http",
            "127.0.0.1:0",
            "--metrics",
            "off",
            "--mdns",
            "false",
            "--public-name",
            "localhost",
        ];
        let mut child = command(&[&usual[..], settings].concat())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = Vec::new();
        for line in BufReader::new(child.stdout.take().unwrap()).lines() {
            lines.push(line.unwrap());
            if lines.last().is_some_and(|line| line.starts_with("key ")) {
                break;
            }
        }
        let pid = rustix::process::Pid::from_child(&child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        child.wait().unwrap();
        lines
    };
    let value = |lines: &[String], key: &str| {
        let line = lines
            .iter()
            .find(|line| line.split(' ').next() == Some(key));
        line.map(|line| line[key.len()..].trim().to_owned())
    };
    let lines = serve(&[]);
    let public = std::fs::read(dir.path().join("authority.crt")).unwrap();
    let root: rustls_pki_types::CertificateDer<'_> =
        rustls_pki_types::pem::PemObject::from_pem_slice(&public).unwrap();
    let print = fingerprint_text(&Sha256::digest(&root));
    assert_eq!(value(&lines, "sha-256"), Some(print.clone()));
    assert!(value(&lines, "trust").unwrap().ends_with("/authority"));
    assert!(value(&lines, "names").unwrap().contains("localhost"));
    assert_eq!(value(&lines, "warning"), None);
    let lines = serve(&["--browser-names", "clocks.example.org"]);
    assert_eq!(value(&lines, "sha-256"), Some(print));
    assert!(
        value(&lines, "warning")
            .unwrap()
            .contains("clocks.example.org")
    );
}
