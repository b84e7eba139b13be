//! gRPC-web on the same port as gRPC: the bytes that a browser without HTTP/2 sends over HTTP/1.1.

use hub::identity::Role;
use prost::Message;
use proto::grpc::Hall;

use crate::browser::{Answer, Browser};
use crate::hall::TestHub;

async fn ask(browser: &Browser) -> Answer {
    let headers = [
        ("content-type", "application/grpc-web+proto"),
        ("x-grpc-web", "1"),
    ];
    // An empty message: no compression, length 0.
    let path = "/flagfall.api.v1.Arbiter/GetHall";
    let answer = browser.ask("POST", path, &headers, &[0; 5]).await;
    answer.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_browser_with_a_certificate_reads_the_hall() {
    let hub = TestHub::start().await;
    hub.add_board("1", "5m").await;
    let answer = ask(&Browser::certified(&hub, Role::Viewer)).await;
    assert_eq!(answer.status, 200, "{}", answer.head);
    let kind = answer.header("content-type").unwrap();
    assert!(kind.contains("application/grpc-web+proto"), "{kind}");
    let body = answer.body;
    let length = u32::from_be_bytes(body[1..5].try_into().unwrap()) as usize;
    let hall = Hall::decode(&body[5..5 + length]).unwrap();
    assert_eq!(hall.boards[0].board, "1");
    let trailers = String::from_utf8_lossy(&body[5 + length..]).to_lowercase();
    assert!(trailers.contains("grpc-status:0"), "{trailers}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_browser_without_a_certificate_is_told_so() {
    let hub = TestHub::start().await;
    let answer = ask(&Browser::new(&hub)).await;
    let said = answer.head.to_lowercase() + &answer.text().to_lowercase();
    assert!(
        said.contains("grpc-status:16") || said.contains("grpc-status: 16"),
        "{said}"
    );
}
