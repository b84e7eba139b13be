//! `flagfall edge`: a real hub's pages and feed served from a different server, while the hub is up and while it is down.

use std::net::SocketAddr;

use hub::web;
use hub::web::edge::{Edge, follow};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::cli_broadcast::{Hall, fetch, head_of, until};
use crate::hall::within;
use crate::program::{expect, flagfall};

struct Served {
    address: SocketAddr,
    over: CancellationToken,
    serving: JoinHandle<()>,
    following: std::thread::JoinHandle<()>,
}

impl Served {
    async fn start(hall: &Hall) -> Self {
        Self::start_from(hall.hub.server.addresses().http).await
    }

    async fn start_from(hub: SocketAddr) -> Self {
        let edge = Edge::new(&format!("http://{hub}"), 16).unwrap();
        let over = CancellationToken::new();
        let (relay, until) = (edge.relay().clone(), over.clone());
        let following = std::thread::spawn(move || follow(&relay, &until));
        let listener = web::bind("127.0.0.1:0".parse().unwrap(), "--http")
            .await
            .unwrap();
        let address = listener.local_addr().unwrap();
        let router = edge.router(over.clone());
        let serving = tokio::spawn(web::serve(listener, router, over.clone().cancelled_owned()));
        Self {
            address,
            over,
            serving,
            following,
        }
    }

    async fn get(&self, path: &str, more: &str) -> (String, String) {
        fetch(self.address, path, more).await
    }

    async fn stop(self) {
        self.over.cancel();
        self.serving.await.unwrap();
        self.following.join().unwrap();
    }
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines().find(|line| line.starts_with(name))
}

/// Reads a stream of server-sent events until one of this kind arrives; returns its data.
async fn event(body: &mut (impl AsyncBufReadExt + Unpin), kind: &str) -> Value {
    let reading = async {
        let (mut of, mut line) = (String::new(), String::new());
        loop {
            line.clear();
            assert!(
                body.read_line(&mut line).await.unwrap() > 0,
                "the stream ended"
            );
            if let Some(kind) = line.strip_prefix("event: ") {
                of = kind.trim().to_owned();
            } else if let (true, Some(data)) = (of == kind, line.strip_prefix("data: ")) {
                return serde_json::from_str(data).unwrap();
            }
        }
    };
    within(reading, kind).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_edge_answers_as_the_hub_does() {
    let hall = Hall::play(1).await;
    let edge = Served::start(&hall).await;
    for path in [
        "/board/1",
        "/assets/board.js",
        "/live/event/rounds/1.json",
        "/live/openapi.json",
    ] {
        let (there, here) = (hall.fetch(path, "").await, edge.get(path, "").await);
        assert_eq!(there.1, here.1, "{path}");
        for name in [
            "etag: ",
            "cache-control: ",
            "content-type: ",
            "content-security-policy: ",
        ] {
            assert_eq!(header(&there.0, name), header(&here.0, name), "{path}");
        }
    }
    let (head, _) = edge.get("/board/1", "").await;
    let tag = &header(&head, "etag: ").unwrap()["etag: ".len()..];
    let known = edge
        .get("/board/1", &format!("if-none-match: {tag}\r\n"))
        .await;
    assert!(known.0.starts_with("HTTP/1.1 304"), "{}", known.0);
    let (head, _) = edge.get("/board/99", "").await;
    assert!(head.starts_with("HTTP/1.1 404"), "{head}");
    let (_, german) = edge.get("/board/1", "accept-language: de\r\n").await;
    assert!(german.contains("lang=\"de\""));
    edge.stop().await;
}

/// Sends a request without a body; returns the whole response.
async fn ask(address: SocketAddr, method: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("{method} {path} HTTP/1.1\r\nhost: edge\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut response = String::new();
    let reading = stream.read_to_string(&mut response);
    within(reading, "the response").await.unwrap();
    response
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_edge_answers_reads_only() {
    let hall = Hall::play(1).await;
    let edge = Served::start(&hall).await;
    let head = ask(edge.address, "HEAD", "/board/1").await;
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert!(head.ends_with("\r\n\r\n"), "{head}");
    let refused = ask(edge.address, "POST", "/board/1").await;
    assert!(refused.starts_with("HTTP/1.1 405"), "{refused}");
    assert_eq!(header(&refused, "allow: "), Some("allow: GET,HEAD"));
    edge.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_edge_relays_the_feed_and_keeps_serving_without_the_hub() {
    let mut hall = Hall::play(2).await;
    let edge = Served::start(&hall).await;
    let (_, before) = edge.get("/board/1", "").await;
    until(async || {
        let (head, _) = head_of(edge.address, "/live/events").await;
        head.starts_with("HTTP/1.1 200")
    })
    .await;
    let (head, mut feed) = head_of(edge.address, "/live/events?board=2").await;
    // This header tells a proxy in front of the edge not to buffer events.
    assert_eq!(
        header(&head, "x-accel-buffering: "),
        Some("x-accel-buffering: no")
    );
    let begun = event(&mut feed, "hub").await;
    hall.make(0).await;
    let told = event(&mut feed, "board").await;
    assert_eq!(told["board"]["board"], "2");
    // Epoch and sequence numbers come from the hub, so that a page may switch between hub and edge.
    let direct: Value = serde_json::from_str(&hall.fetch("/live/boards.json", "").await.1).unwrap();
    assert_eq!(
        (&told["epoch"], &begun["epoch"]),
        (&direct["epoch"], &direct["epoch"])
    );
    assert!(told["seq"].as_u64() <= direct["seq"].as_u64());
    assert_eq!(told["board"]["white"]["name"], json!("Player, 2"));
    // The edge fetched this page before the moves, and still serves the copy while the hub is down.
    let Hall { hub, .. } = hall;
    hub.server.stop().await.unwrap();
    let (head, after) = edge.get("/board/1", "").await;
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert_eq!(before, after);
    let (head, _) = edge.get("/event/players/1", "").await;
    assert!(head.starts_with("HTTP/1.1 503"), "{head}");
    edge.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn spectators_of_an_edge_that_has_not_reached_its_hub_retry_soon() {
    // The port is bound but does not listen, so that no hub can take it.
    let hub = tokio::net::TcpSocket::new_v4().unwrap();
    hub.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let edge = Served::start_from(hub.local_addr().unwrap()).await;
    for path in ["/live/events", "/live/boards.json"] {
        let (head, _) = edge.get(path, "").await;
        assert!(head.starts_with("HTTP/1.1 503"), "{path}: {head}");
        assert_eq!(header(&head, "retry-after: "), Some("retry-after: 1"));
    }
    edge.stop().await;
}

#[test]
fn an_edge_needs_the_address_of_a_hub() {
    for from in [
        "192.0.2.7:8080",
        "ftp://192.0.2.7",
        "http://",
        "http://192.0.2.7/board/1",
    ] {
        let (_, said) = expect(&flagfall(&["edge", "--from", from]), 2);
        assert!(
            said.contains("--from") && said.contains("http://192.0.2.7:8080"),
            "{said}"
        );
    }
}
