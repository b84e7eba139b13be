//! The floods. Each sends at a rate that a single laptop reaches easily, far above any honest use.
//!
//! Owns the sources. Must exhaust the hub rather than this machine: rates are fixed, and sources wait between attempts.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use clock_agent::identity::Keys;
use futures::future::LocalBoxFuture;
use hub::identity::Role;
use proto::chain::{sign_enrolment, sign_watermark};
use proto::frame::{encode, encode_prefixed};
use proto::grpc::{ImportRequest, import_request::Source};
use proto::quic::{ALPN_ENROL, ALPN_SESSION};
use proto::wire::{AgentFrame, EnrolRequest, Watermark};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream, UdpSocket};
use tokio::time::{Interval, MissedTickBehavior, interval};

use super::flood::Attempts;
use super::{Badge, Flooding, Forger, Hall, dial_from, tls};

const UNREAD: Duration = Duration::from_secs(20);

type Start = for<'a> fn(&'a mut Hall) -> LocalBoxFuture<'a, anyhow::Result<Flooding>>;

pub struct Flood {
    /// The flood's name, as printed; `--only` matches a part of it.
    pub name: &'static str,
    pub holds: &'static str,
    pub start: Start,
}

macro_rules! floods {
    ($($name:literal, $holds:literal => $start:path;)*) => {
        &[$(Flood { name: $name, holds: $holds, start: |hall| Box::pin($start(hall)) },)*]
    };
}

pub const FLOODS: &[Flood] = floods![
    "flood of UDP noise", "the address" => udp_noise;
    "flood of half-open QUIC handshakes", "the address" => half_handshakes;
    "flood of clocks without a certificate", "the address" => strange_clocks;
    "flood of guessed codes", "the address" => guesses;
    "flood of silent enrolments", "the address" => silent_enrolments;
    "flood of a stolen clock's presses", "a stolen clock" => presses;
    "flood of a stolen clock's watermarks", "a stolen clock" => watermarks;
    "flood of silent connections to the arbiters' port", "the address" => silent_arbiters;
    "flood of half-open TLS handshakes", "the address" => half_tls;
    "flood of page requests", "the address" => page_requests;
    "flood of QR codes", "the address" => qr_codes;
    "flood of silent connections to the page", "the address" => silent_visitors;
    "flood of watchers that never read", "the address" => deaf_watchers;
    "flood of standings", "a viewer's key file" => standings;
    "flood of unread logs", "a floor arbiter's key file" => unread_logs;
    "flood of large unsigned requests", "a floor arbiter's cookie" => large_requests;
];

fn address(nth: u8) -> IpAddr {
    [127, 0, 7, nth].into()
}

fn paced(per_second: u64) -> Interval {
    let mut ticks = interval(Duration::from_micros(1_000_000 / per_second));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    ticks
}

async fn udp_noise(hall: &mut Hall) -> anyhow::Result<Flooding> {
    let (mut flooding, hub) = (Flooding::new()?, hall.at.listen);
    for nth in 1..=4 {
        let socket = UdpSocket::bind((address(nth), 0)).await?;
        flooding.add(|attempts| async move {
            let mut pace = paced(250);
            loop {
                pace.tick().await;
                let mut packet = [0_u8; 1_200];
                rand::fill(&mut packet[..]);
                // The first byte and the version make this look like a QUIC Initial packet; the rest is noise.
                packet[0] |= 0xc0;
                packet[1..5].copy_from_slice(&1_u32.to_be_bytes());
                for length in [1_200, 40, 7] {
                    // Errors are ignored: the local kernel may refuse some packets.
                    let _ = socket.send_to(&packet[..length], hub).await;
                    attempts.count();
                }
            }
        });
    }
    Ok(flooding)
}

async fn half_handshakes(hall: &mut Hall) -> anyhow::Result<Flooding> {
    let (mut flooding, hub) = (Flooding::new()?, hall.at.listen);
    for nth in 1..=4 {
        flooding.add(|attempts| async move {
            let mut pace = paced(25);
            loop {
                pace.tick().await;
                let dialled = dial_from(address(nth), hub, ALPN_ENROL, None);
                // Give up before the handshake is complete.
                let _ = tokio::time::timeout(Duration::from_millis(1), dialled).await;
                attempts.count();
            }
        });
    }
    Ok(flooding)
}

async fn strange_clocks(hall: &mut Hall) -> anyhow::Result<Flooding> {
    let (mut flooding, hub) = (Flooding::new()?, hall.at.listen);
    for nth in 1..=2 {
        flooding.add(|attempts| async move {
            let mut pace = paced(15);
            loop {
                pace.tick().await;
                if let Ok(connection) = dial_from(address(nth), hub, ALPN_SESSION, None).await {
                    connection.closed().await;
                }
                attempts.count();
            }
        });
    }
    Ok(flooding)
}

async fn guesses(hall: &mut Hall) -> anyhow::Result<Flooding> {
    let (mut flooding, hub) = (Flooding::new()?, hall.at.listen);
    let keys = Keys::generate()?;
    for nth in 1..=2 {
        let keys = keys.clone();
        flooding.add(|attempts| async move {
            let mut pace = paced(15);
            loop {
                pace.tick().await;
                let _ = guess(nth, hub, &keys).await;
                attempts.count();
            }
        });
    }
    Ok(flooding)
}

async fn guess(nth: u8, hub: SocketAddr, keys: &Keys) -> anyhow::Result<()> {
    let token: [u8; 16] = rand::random();
    let exchange_key = keys.exchange_public().to_vec();
    let request = EnrolRequest {
        major: proto::MAJOR,
        minor: proto::MINOR,
        signature: sign_enrolment(&token, &exchange_key, keys.signing_key()),
        token: token.to_vec(),
        signing_key: keys.agent_id().0.to_vec(),
        exchange_key,
        name: "guesser".to_owned(),
        ..EnrolRequest::default()
    };
    let connection = dial_from(address(nth), hub, ALPN_ENROL, None).await?;
    let (mut send, mut receive) = connection.open_bi().await?;
    send.write_all(&encode_prefixed(&request)?).await?;
    receive.read_to_end(4096).await?;
    Ok(())
}

async fn silent_enrolments(hall: &mut Hall) -> anyhow::Result<Flooding> {
    let (mut flooding, hub) = (Flooding::new()?, hall.at.listen);
    for nth in 1..=100 {
        flooding.add(|attempts| async move {
            let mut pace = paced(2);
            loop {
                pace.tick().await;
                if let Ok(connection) = dial_from(address(nth), hub, ALPN_ENROL, None).await {
                    attempts.count();
                    connection.closed().await;
                }
            }
        });
    }
    Ok(flooding)
}

async fn presses(hall: &mut Hall) -> anyhow::Result<Flooding> {
    let clock = hall.stolen_clock().await?;
    let mut forger = Forger::welcomed(hall.at.listen, &clock).await?;
    let mut flooding = Flooding::new()?;
    flooding.add(|attempts| async move {
        let mut pace = paced(300);
        loop {
            pace.tick().await;
            let press = forger.press();
            forger.tell(press).await;
            attempts.count();
        }
    });
    Ok(flooding)
}

async fn watermarks(hall: &mut Hall) -> anyhow::Result<Flooding> {
    let clock = hall.stolen_clock().await?;
    let forger = Forger::welcomed(hall.at.listen, &clock).await?;
    let mut flooding = Flooding::new()?;
    flooding.add(|attempts| async move {
        // The whole session moves into the task. If its stream were dropped here, the hub would end the session before the first watermark.
        let forger = forger;
        let mut at_us = 1_000_000;
        let mut pace = paced(500);
        loop {
            pace.tick().await;
            at_us += 1_000;
            let mark = Watermark {
                at_us,
                seq: 0,
                signature: sign_watermark(at_us, 0, &forger.key),
            };
            if let Ok(bytes) = encode(&AgentFrame::from(mark)) {
                // The connection fails once the hub has closed it.
                if forger.connection.send_datagram(bytes.into()).is_err() {
                    return;
                }
                attempts.count();
            }
        }
    });
    Ok(flooding)
}

async fn connected(nth: u8, to: SocketAddr) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind((address(nth), 0).into())?;
    socket.connect(to).await
}

/// Holds open `count` connections that send `bytes` and nothing else. Reopens a connection that the hub closes without a response.
fn held(flooding: &mut Flooding, to: SocketAddr, count: usize, bytes: &'static [u8]) {
    for nth in 0..count {
        let source = u8::try_from(nth % 250 + 1).unwrap_or(1);
        flooding.add(|attempts| async move {
            let mut pace = paced(2);
            loop {
                pace.tick().await;
                hold(source, to, bytes, &attempts).await;
            }
        });
    }
}

async fn hold(source: u8, to: SocketAddr, bytes: &[u8], attempts: &Attempts) {
    let Ok(mut stream) = connected(source, to).await else {
        return;
    };
    attempts.count();
    if stream.write_all(bytes).await.is_err() {
        return;
    }
    let mut byte = [0];
    if matches!(stream.read(&mut byte).await, Ok(1)) {
        // Leave the rest of the response unread.
        std::future::pending::<()>().await;
    }
}

async fn silent_arbiters(hall: &mut Hall) -> anyhow::Result<Flooding> {
    let mut flooding = Flooding::new()?;
    held(&mut flooding, hall.at.listen, 400, b"");
    Ok(flooding)
}

async fn half_tls(hall: &mut Hall) -> anyhow::Result<Flooding> {
    let (mut flooding, hub) = (Flooding::new()?, hall.at.listen);
    for _ in 0..4 {
        flooding.add(|attempts| async move {
            let mut pace = paced(25);
            loop {
                pace.tick().await;
                let _ = tokio::time::timeout(Duration::from_millis(2), tls(hub, None)).await;
                attempts.count();
            }
        });
    }
    Ok(flooding)
}

/// Requests a path of the public pages at most `rate` times a second, with a new connection for each request. A `#` in the path stands for the
/// number of the request.
fn requested(flooding: &mut Flooding, http: SocketAddr, source: u8, path: &'static str, rate: u64) {
    flooding.add(|attempts| async move {
        let mut count = 0_u64;
        let mut pace = paced(rate);
        loop {
            pace.tick().await;
            count += 1;
            let path = path.replace('#', &count.to_string());
            let _ = fetch(source, http, &path).await;
            attempts.count();
        }
    });
}

async fn fetch(source: u8, http: SocketAddr, path: &str) -> std::io::Result<()> {
    let mut stream = connected(source, http).await?;
    let head = format!("GET {path} HTTP/1.1\r\nhost: {path}\r\nconnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).await?;
    let mut body = Vec::new();
    stream.take(1 << 20).read_to_end(&mut body).await?;
    Ok(())
}

async fn page_requests(hall: &mut Hall) -> anyhow::Result<Flooding> {
    let mut flooding = Flooding::new()?;
    for (source, path) in (1..).zip([
        "/live/boards.json",
        "/live/boards/1.json",
        "/live/event.json",
        "/live/boards/#.json",
    ]) {
        requested(&mut flooding, hall.at.http, source, path, 50);
    }
    Ok(flooding)
}

async fn qr_codes(hall: &mut Hall) -> anyhow::Result<Flooding> {
    let mut flooding = Flooding::new()?;
    for (source, path) in (1..).zip(["/board/1/qr.svg", "/board/#/qr.svg"]) {
        requested(&mut flooding, hall.at.http, source, path, 60);
    }
    Ok(flooding)
}

async fn silent_visitors(hall: &mut Hall) -> anyhow::Result<Flooding> {
    let mut flooding = Flooding::new()?;
    held(&mut flooding, hall.at.http, 300, b"");
    held(&mut flooding, hall.at.http, 200, b"GET / HTTP/1.1\r\nx:");
    held(
        &mut flooding,
        hall.at.http,
        100,
        b"PRI * HTTP/2.0\r\n\r\nSM",
    );
    Ok(flooding)
}

async fn deaf_watchers(hall: &mut Hall) -> anyhow::Result<Flooding> {
    let mut flooding = Flooding::new()?;
    let head = b"GET /live/events HTTP/1.1\r\nhost: hall\r\n\r\n";
    held(&mut flooding, hall.at.http, 300, head);
    Ok(flooding)
}

/// Begins calls over HTTP/1.1 with a key file, one at a time per source, and leaves most of each response unread.
fn called(
    flooding: &mut Flooding,
    hub: SocketAddr,
    badge: &Badge,
    sources: usize,
    (call, message): (&'static str, Vec<u8>),
) -> anyhow::Result<()> {
    let length = u32::try_from(message.len())?.to_be_bytes();
    let body = [&[0], &length[..], &message].concat();
    let head = format!(
        "POST /flagfall.api.v1.{call} HTTP/1.1\r\nhost: hub\r\ncontent-type: application/grpc-web+proto\r\n\
         x-grpc-web: 1\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let bytes = [head.as_bytes(), &body].concat();
    for _ in 0..sources {
        let (bytes, badge) = (bytes.clone(), badge.copied());
        flooding.add(|attempts| async move {
            let mut pace = paced(5);
            loop {
                pace.tick().await;
                let Ok(mut stream) = tls(hub, Some(&badge)).await else {
                    continue;
                };
                attempts.count();
                let mut first = [0; 512];
                let begun = stream.write_all(&bytes).await.is_ok();
                if begun && stream.read(&mut first).await.is_ok() {
                    // Leave the rest of the response unread: the hub must hold it until either end gives up.
                    let unread = std::future::pending::<()>();
                    let _ = tokio::time::timeout(UNREAD, unread).await;
                }
            }
        });
    }
    Ok(())
}

async fn standings(hall: &mut Hall) -> anyhow::Result<Flooding> {
    let sample = crate::tidy::root().join("tests/samples/harbour-cup.trf");
    let request = ImportRequest {
        id: rand::random::<[u8; 16]>().to_vec(),
        file_name: "harbour-cup.trf".to_owned(),
        source: Some(Source::Content(std::fs::read(sample)?)),
        ..ImportRequest::default()
    };
    hall.arbiter.event().import(request).await?;
    let viewer = hall.arbiter_badge(Role::Viewer, "Eve")?;
    let wanted = proto::grpc::GetStandingsRequest {
        tie_breaks: vec!["BH:GP/C1".to_owned(); 40],
        ..proto::grpc::GetStandingsRequest::default()
    };
    let message = prost::Message::encode_to_vec(&wanted);
    let mut flooding = Flooding::new()?;
    let call = ("Tournament/GetStandings", message);
    called(&mut flooding, hall.at.listen, &viewer, 32, call)?;
    Ok(flooding)
}

async fn unread_logs(hall: &mut Hall) -> anyhow::Result<Flooding> {
    let floor = hall.arbiter_badge(Role::Floor, "Eve")?;
    let mut flooding = Flooding::new()?;
    let call = ("Arbiter/ReadLog", Vec::new());
    called(&mut flooding, hall.at.listen, &floor, 40, call)?;
    Ok(flooding)
}

/// Begins requests of 8 MiB with an invalid signature in a stolen session.
async fn large_requests(hall: &mut Hall) -> anyhow::Result<Flooding> {
    const BODY: usize = 8 << 20;
    let floor = hall.browser(Role::Floor, "Eve").await?;
    let (cookie, hub) = (floor.cookie.clone(), hall.at.listen);
    let mut flooding = Flooding::new()?;
    for _ in 0..12 {
        let cookie = cookie.clone();
        flooding.add(|attempts| async move {
            let port = hub.port();
            let head = format!(
                "POST /flagfall.api.v1.Arbiter/Send HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n\
                 origin: https://127.0.0.1:{port}\r\ncookie: {cookie}\r\nx-grpc-web: 1\r\n\
                 content-type: application/grpc-web+proto\r\nflagfall-signature: AAAA\r\ncontent-length: {BODY}\r\n\r\n"
            );
            let mut pace = paced(2);
            loop {
                pace.tick().await;
                let Ok(mut stream) = tls(hub, None).await else {
                    continue;
                };
                attempts.count();
                if stream.write_all(head.as_bytes()).await.is_err() {
                    continue;
                }
                // Send all but the last 64 KiB, then stay silent for two seconds: the hub must hold the bytes that it has received.
                let mut left = BODY - (1 << 16);
                let part = [7; 1 << 14];
                while left > 0 && stream.write_all(&part).await.is_ok() {
                    left = left.saturating_sub(part.len());
                }
                let mut answer = [0; 512];
                let read = stream.read(&mut answer);
                let _ = tokio::time::timeout(Duration::from_secs(2), read).await;
            }
        });
    }
    Ok(flooding)
}
