//! An arbiter's device that misbehaves, against a hub in a separate process. The device must not delay other devices, its own revocation or the
//! hub's shutdown.

use std::path::Path;
use std::time::Duration;

use hub::sessions::ArbiterCode;
use proto::grpc::arbiter_client::ArbiterClient;
use proto::grpc::{LogLine, ReadLogRequest};
use proto::quic::SERVER_NAME;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::interceptor::InterceptedService;
use tonic::transport::Channel;
use tonic::{Code, Request, Status, Streaming};

use crate::arbiter::channel;
use crate::browser::Browser;
use crate::hall::within;
use crate::program::{Serving, expect, flagfall};

/// The streams of these connections outnumber the 512 threads in tokio's pool for blocking work.
const CONNECTIONS: usize = 20;
const STREAMS: usize = 32;
/// The time limit for a hub that should need only a fraction of a second.
const PATIENCE: Duration = Duration::from_secs(20);

const APPLY: &str = "/flagfall.api.v1.Tournament/Apply";
const RESOURCE_EXHAUSTED: &str = "grpc-status: 8";

struct Hall {
    hub: Serving,
    dir: TempDir,
}

impl Hall {
    /// Starts a hub whose log is longer than any buffer between hub and client.
    fn start() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let hub = Serving::start(dir.path());
        expect(&hub.ctl(dir.path(), &["add", "1-400", "90m+30s"]), 0);
        Self { hub, dir }
    }

    async fn enrolled(&self, name: &str, role: &str) -> Browser {
        let dir = self.dir.path().to_str().unwrap();
        let hub = ["enrol", "--hub", &self.hub.listen, "--data-dir", dir];
        let who = ["--arbiter", name, "--role", role, "--json"];
        let (out, _) = expect(&flagfall(&[&hub[..], &who].concat()), 0);
        let made: serde_json::Value = serde_json::from_str(&out).unwrap();
        let code = ArbiterCode(made["uri"].as_str().unwrap().parse().unwrap());
        let mut browser = Browser::at_process(self.dir.path(), self.hub.listen.parse().unwrap());
        assert_eq!(browser.enrol(&code).await.status, 200);
        browser
    }

    async fn ctl(&self, arguments: &[&str]) -> String {
        let dir = self.dir.path().to_str().unwrap();
        let hub = ["ctl", "--hub", &self.hub.listen, "--data-dir", dir];
        let all = [&hub[..], arguments].concat();
        let all: Vec<String> = all.into_iter().map(str::to_owned).collect();
        let run = tokio::task::spawn_blocking(move || {
            flagfall(&all.iter().map(String::as_str).collect::<Vec<_>>())
        });
        let output = tokio::time::timeout(PATIENCE, run).await;
        expect(&output.expect("an answer in time").unwrap(), 0).0
    }
}

/// Opens [`STREAMS`] streams of the log on each connection, except those that the hub refuses, and reads none of them.
async fn unread_logs(hall: &Hall, browser: &Browser) -> Vec<Streaming<LogLine>> {
    let cookie: MetadataValue<Ascii> = browser.cookie.as_ref().unwrap().parse().unwrap();
    let origin: MetadataValue<Ascii> = format!("https://{SERVER_NAME}").parse().unwrap();
    let mut open = Vec::new();
    for _ in 0..CONNECTIONS {
        let address = hall.hub.listen.parse().unwrap();
        let channel = channel(address, tls(hall.dir.path())).await.unwrap();
        let (cookie, origin) = (cookie.clone(), origin.clone());
        let signed_in = move |mut request: Request<()>| -> Result<Request<()>, Status> {
            request.metadata_mut().insert("cookie", cookie.clone());
            request.metadata_mut().insert("origin", origin.clone());
            Ok(request)
        };
        let mut client: ArbiterClient<InterceptedService<Channel, _>> =
            ArbiterClient::with_interceptor(channel, signed_in);
        for _ in 0..STREAMS {
            match within(client.read_log(ReadLogRequest::default()), "a stream").await {
                Ok(stream) => open.push(stream.into_inner()),
                Err(status) => assert_eq!(status.code(), Code::ResourceExhausted, "{status}"),
            }
        }
    }
    assert!(!open.is_empty());
    open
}

fn tls(dir: &Path) -> rustls::ClientConfig {
    let identity = hub::identity::Identity::open(dir).unwrap();
    crate::arbiter::without_certificate(&identity)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unread_streams_of_the_log_hold_up_neither_a_revocation_nor_the_end() {
    let hall = Hall::start();
    let bad = hall.enrolled("Per Lind", "floor").await;
    let unread = unread_logs(&hall, &bad).await;

    // The hub still serves other arbiters and the public page.
    let addresses = hub::server::addresses_in(hall.dir.path()).unwrap().unwrap();
    let page = within(page(addresses.http), "the page").await;
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    assert_eq!(hall.ctl(&["list", "--json"]).await.lines().count(), 400);

    let device = bad.who["device"].as_str().unwrap();
    let said = hall.ctl(&["revoke", device]).await;
    assert!(said.contains("is revoked"), "{said}");
    for mut stream in unread {
        // Data already in transit still arrives; then the stream ends.
        while let Ok(Some(_)) = within(stream.message(), "the end of a stream").await {}
    }
    assert_eq!(bad.get("/session").await.status, 401);

    let other = hall.enrolled("Eva Holm", "floor").await;
    let unread = unread_logs(&hall, &other).await;
    let Hall { hub, dir } = hall;
    let stopped = tokio::task::spawn_blocking(move || hub.stop());
    let code = tokio::time::timeout(PATIENCE, stopped).await;
    assert_eq!(code.expect("an end in time").unwrap(), Some(0));
    drop((unread, dir));
}

async fn page(address: std::net::SocketAddr) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET / HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_body_is_refused_before_it_is_buffered() {
    let hall = Hall::start();
    let bad = hall.enrolled("Per Lind", "floor").await;
    let signature = bad.signature(APPLY, b"");
    // This call announces a larger body than the hub accepts, but sends none of it.
    let announced = bad.head(APPLY, &signature, "content-length: 8388608").await;
    let answer = within(refusal(announced), "an answer to the head").await;
    assert!(answer.contains(RESOURCE_EXHAUSTED), "{answer}");
    // This call does not announce a length, and its body never ends.
    let mut endless = bad
        .head(APPLY, &signature, "transfer-encoding: chunked")
        .await;
    let piece = [b"10000\r\n", &[0; 65_536][..], b"\r\n"].concat();
    for _ in 0..20 {
        // Errors are ignored: the hub may refuse and close before everything is written.
        let _ = within(endless.write_all(&piece), "the hub to read").await;
    }
    let answer = within(refusal(endless), "an answer before the end of the body").await;
    assert!(answer.contains(RESOURCE_EXHAUSTED), "{answer}");
}

async fn refusal(mut stream: impl tokio::io::AsyncRead + Unpin) -> String {
    let mut answer = Vec::new();
    let mut piece = [0; 4096];
    while let Ok(length @ 1..) = stream.read(&mut piece).await {
        answer.extend_from_slice(&piece[..length]);
        if answer.windows(4).any(|four| four == b"\r\n\r\n") {
            break;
        }
    }
    String::from_utf8_lossy(&answer).to_lowercase()
}
