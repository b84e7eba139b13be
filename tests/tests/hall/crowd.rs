//! A crowd of strangers without credentials, against a real hub: they must neither occupy connections that others need nor fill the log. Also checks
//! that the threads for spectators and arbiters have lower priority than those for clocks.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::collections::BTreeSet;
use std::time::Duration;

use tests::rig::{
    Addresses, Arbiter, HubProcess, answering_pings, closed, connect_from, connect_tls, http2_get,
    http2_opening, program, status_of, uncertified, until,
};
use tokio::io::AsyncWriteExt as _;
use tokio::task::JoinSet;
use tokio::time::timeout;

const PATIENCE: Duration = Duration::from_secs(120);
const PAGE: &str = "GET / HTTP/1.1\r\nHost: hall\r\n\r\n";
const FEED: &str = "GET /live/events HTTP/1.1\r\nHost: hall\r\n\r\n";

struct Hall {
    dir: tempfile::TempDir,
    hub: HubProcess,
    at: Addresses,
}

impl Hall {
    fn open(more: &[&str]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let flagfall = program("flagfall").unwrap();
        let mut hub = HubProcess::start(&flagfall, dir.path(), None, more).unwrap();
        let at = hub.ready(PATIENCE).unwrap();
        Self { dir, hub, at }
    }

    fn open_with_descriptors(count: u32) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let flagfall = program("flagfall").unwrap();
        let mut limited = std::process::Command::new("/bin/sh");
        let script = format!("ulimit -n {count} && exec \"$0\" \"$@\"");
        limited.args(["-c", &script]).arg(flagfall);
        let mut hub = HubProcess::serve(&mut limited, dir.path(), None, &[]).unwrap();
        let at = hub.ready(PATIENCE).unwrap();
        Self { dir, hub, at }
    }
}

async fn within<T>(what: &str, done: impl Future<Output = T>) -> T {
    timeout(PATIENCE, done)
        .await
        .unwrap_or_else(|_| panic!("waited in vain for {what}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn strangers_who_sit_on_the_arbiters_port_keep_no_arbiter_out() {
    let hall = Hall::open(&[]);
    let tls = uncertified(hall.dir.path(), &[b"http/1.1"]).unwrap();
    // More connections than the port accepts, from four addresses. All are silent after the handshake.
    let mut strangers = Vec::new();
    for _ in 0..300 {
        for host in 2..6 {
            let stranger = within("a handshake", connect_tls(&tls, host, hall.at.listen));
            // A connection may fail: the hub may close it immediately.
            strangers.extend(stranger.await);
        }
    }
    let mut arbiter = within(
        "an arbiter",
        Arbiter::connect(hall.at.listen, hall.dir.path()),
    )
    .await
    .unwrap();
    within("the hall", arbiter.hall()).await.unwrap();
    // A browser that has not signed in is a stranger too.
    let browser = async {
        let mut stream = connect_tls(&tls, 1, hall.at.listen).await?;
        status_of(&mut stream, "GET / HTTP/1.1\r\nHost: hub.flagfall\r\n\r\n").await
    };
    assert_eq!(within("a browser", browser).await.unwrap(), 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_that_ask_for_nothing_are_closed() {
    let hall = Hall::open(&[]);
    let firsts = [
        Vec::new(),
        b"GET / HTTP/1.1\r\nHost: ha".to_vec(),
        b"PRI * HTTP/2.0\r\n".to_vec(),
        http2_opening(1 << 16),
    ];
    let mut silent = JoinSet::new();
    for first in firsts {
        let tls = uncertified(hall.dir.path(), &[b"h2", b"http/1.1"]).unwrap();
        let mut page = connect_from(2, hall.at.http).await.unwrap();
        let mut port = connect_tls(&tls, 2, hall.at.listen).await.unwrap();
        page.write_all(&first).await.unwrap();
        port.write_all(&first).await.unwrap();
        silent.spawn(answering_pings(page));
        silent.spawn(answering_pings(port));
    }
    // This connection does not even begin a TLS handshake.
    silent.spawn(closed(connect_from(2, hall.at.listen).await.unwrap()));
    within("the end of silent connections", silent.join_all()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_watcher_who_takes_nothing_is_cut() {
    let hall = Hall::open(&["--watchers", "1"]);
    let mut stream = connect_from(2, hall.at.http).await.unwrap();
    stream.write_all(&http2_opening(0)).await.unwrap();
    let feed = http2_get(1, "/live/events");
    stream.write_all(&feed).await.unwrap();
    let cut = tokio::spawn(answering_pings(stream));
    within("the end of a watcher who takes nothing", cut)
        .await
        .unwrap();
    let mut next = connect_from(2, hall.at.http).await.unwrap();
    assert_eq!(status_of(&mut next, FEED).await.unwrap(), 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_address_cannot_hold_every_seat() {
    let hall = Hall::open(&["--watchers", "8"]);
    let mut greedy = Vec::new();
    for _ in 0..8 {
        let mut watcher = connect_from(2, hall.at.http).await.unwrap();
        assert_eq!(status_of(&mut watcher, FEED).await.unwrap(), 200);
        greedy.push(watcher);
    }
    let mut ninth = connect_from(2, hall.at.http).await.unwrap();
    assert_eq!(status_of(&mut ninth, FEED).await.unwrap(), 503);
    // The hub takes half of the eight places away from the first address and gives them to the second.
    let mut others = Vec::new();
    for _ in 0..4 {
        let mut watcher = connect_from(3, hall.at.http).await.unwrap();
        assert_eq!(status_of(&mut watcher, FEED).await.unwrap(), 200);
        others.push(watcher);
    }
    let mut fifth = connect_from(3, hall.at.http).await.unwrap();
    assert_eq!(status_of(&mut fifth, FEED).await.unwrap(), 503);
    let mut ends = JoinSet::new();
    for watcher in greedy {
        ends.spawn(closed(watcher));
    }
    for _ in 0..4 {
        within("the end of a seat that was given away", ends.join_next()).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crowd_of_silent_sockets_leaves_room_on_the_public_page() {
    let hall = Hall::open_with_descriptors(256);
    let mut silent = Vec::new();
    for _ in 0..400 {
        silent.push(connect_from(2, hall.at.http).await.unwrap());
    }
    let page = async {
        let mut visitor = connect_from(3, hall.at.http).await?;
        status_of(&mut visitor, PAGE).await
    };
    assert_eq!(within("the page", page).await.unwrap(), 200);
    // The silent sockets stay open until the page has been served.
    drop(silent);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn strangers_fill_no_log() {
    let hall = Hall::open(&[]);
    let before = hall.hub.said().len();
    let tls = uncertified(hall.dir.path(), &[b"http/1.1"]).unwrap();
    let long = "x".repeat(4_000);
    for _ in 0..150 {
        for (path, origin, status) in [
            ("/session", "https://evil.example", 403),
            ("/flagfall.api.v1.Arbiter", "https://hub.flagfall", 200),
        ] {
            let request = format!(
                "POST {path}/{long} HTTP/1.1\r\nHost: hub.flagfall\r\nOrigin: {origin}\r\n\
                 Content-Type: application/grpc-web\r\nContent-Length: 0\r\n\r\n"
            );
            let mut stream = connect_tls(&tls, 2, hall.at.listen).await.unwrap();
            assert_eq!(status_of(&mut stream, &request).await.unwrap(), status);
        }
    }
    let written = hall.hub.said().len() - before;
    assert!(written < 16_384, "{written} bytes: {}", hall.hub.said());
}

/// Returns the name and the nice value of each of the hub's threads.
fn threads(hub: &HubProcess) -> BTreeSet<(String, i32)> {
    let tasks = std::fs::read_dir(format!("/proc/{}/task", hub.pid())).unwrap();
    tasks
        .filter_map(|task| {
            let stat = std::fs::read_to_string(task.ok()?.path().join("stat")).ok()?;
            let (head, fields) = stat.rsplit_once(") ")?;
            let name = head.split_once('(')?.1.to_owned();
            // The nice value is field 19 of the line; `fields` begins at field 3.
            Some((name, fields.split(' ').nth(16)?.parse().ok()?))
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn threads_for_spectators_and_arbiters_have_lower_priority_than_clocks() {
    let hall = Hall::open(&[]);
    let expected = |all: &BTreeSet<(String, i32)>| {
        let nice = |name: &str| {
            let found = all.iter().filter(|(of, _)| of == name);
            found.map(|(_, nice)| *nice).collect::<Vec<_>>()
        };
        let ([clocks], [arbiters], [public]) = (
            &nice("flagfall")[..],
            &nice("arbiters")[..],
            &nice("public")[..],
        ) else {
            return false;
        };
        // If the test itself runs at the lowest priority, so do all three threads.
        (clocks < arbiters || *arbiters == 19) && (arbiters < public || *public == 19)
    };
    // A thread lowers its own priority after it has started, so wait for it.
    until(PATIENCE, "threads with their priorities", || {
        expected(&threads(&hall.hub)).then_some(())
    })
    .unwrap_or_else(|why| panic!("{why}: {:?}", threads(&hall.hub)));
}
