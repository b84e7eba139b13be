//! gRPC-web on the same port: what a browser speaks, byte by byte.

use std::sync::Arc;

use hub::identity::{Credentials, Role, arbiter_client_config};
use prost::Message;
use proto::grpc::Hall;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::arbiter::{nobody, open};
use crate::hall::{TestHub, within};

/// Asks for the hall over HTTP/1.1, as a browser without HTTP/2 would; returns the answer's head and body.
async fn ask(hub: &TestHub, mut tls: rustls::ClientConfig) -> (String, Vec<u8>) {
    tls.alpn_protocols = vec![b"http/1.1".to_vec()];
    let mut stream = open(hub.server.addresses().listen, Arc::new(tls))
        .await
        .unwrap();
    // An empty message: no compression, length 0.
    let request = b"POST /flagfall.api.v1.Arbiter/GetHall HTTP/1.1\r\nHost: hub.flagfall\r\nConnection: close\r\n\
        Content-Type: application/grpc-web+proto\r\nX-Grpc-Web: 1\r\nContent-Length: 5\r\n\r\n\0\0\0\0\0";
    stream.write_all(request).await.unwrap();
    let mut answer = Vec::new();
    within(stream.read_to_end(&mut answer), "an answer")
        .await
        .unwrap();
    let end = answer
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .unwrap();
    let head = String::from_utf8(answer[..end].to_vec())
        .unwrap()
        .to_lowercase();
    (head, answer[end + 4..].to_vec())
}

/// The pieces of a chunked body, joined.
fn joined(mut chunked: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = chunked.windows(2).position(|two| two == b"\r\n") {
        let size = std::str::from_utf8(&chunked[..end]).unwrap();
        let size = usize::from_str_radix(size, 16).unwrap();
        body.extend_from_slice(&chunked[end + 2..end + 2 + size]);
        chunked = &chunked[end + 4 + size..];
        if size == 0 {
            break;
        }
    }
    body
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_browser_with_a_certificate_reads_the_hall() {
    let hub = TestHub::start().await;
    hub.add_board("1", "5m").await;
    let authority = hub.server.identity().authority();
    let credentials = Credentials::issue(authority, Role::Viewer, "screen").unwrap();
    let (head, body) = ask(&hub, arbiter_client_config(&credentials).unwrap()).await;
    assert!(head.starts_with("http/1.1 200"), "{head}");
    assert!(head.contains("application/grpc-web+proto"), "{head}");
    let body = if head.contains("chunked") {
        joined(&body)
    } else {
        body
    };
    let length = u32::from_be_bytes(body[1..5].try_into().unwrap()) as usize;
    let hall = Hall::decode(&body[5..5 + length]).unwrap();
    assert_eq!(hall.boards[0].board, "1");
    let trailers = String::from_utf8_lossy(&body[5 + length..]).to_lowercase();
    assert!(trailers.contains("grpc-status:0"), "{trailers}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_browser_without_one_is_told_so() {
    let hub = TestHub::start().await;
    let (head, body) = ask(&hub, nobody(&hub)).await;
    let said = head + &String::from_utf8_lossy(&body).to_lowercase();
    assert!(
        said.contains("grpc-status:16") || said.contains("grpc-status: 16"),
        "{said}"
    );
}
