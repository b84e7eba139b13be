//! Floods by strangers without a login, for the bench that measures how well the hub still serves clocks and arbiters.
//!
//! Owns the attackers: tasks in a thread with the lowest priority, because real strangers would use separate machines. Must not measure.

use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;

use anyhow::Context as _;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::task::JoinSet;
use tokio_rustls::TlsConnector;
use tokio_util::sync::CancellationToken;

use crate::rig::{
    Addresses, closed, connect_from, connect_tls, http2_opening, status_of, uncertified,
};

/// The number of addresses that the attackers use, from 127.0.0.2 upwards.
const ADDRESSES: u8 = 8;
const ASKERS: u32 = 32;
const SOCKETS: u32 = 9_000;
const CALLERS: u32 = 1_500;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flood {
    /// Requests for the images of boards' QR codes, with host names of the attacker's choice.
    BoardCodes,
    Boards,
    /// Requests for tie-break explanations, for every player after every round.
    Explanations,
    Silent,
    IdleHttp2,
    /// Subscribers of the hub's feed that read no events.
    Watchers,
    /// TLS connections to the arbiters' port that send no request.
    Callers,
    /// TLS handshakes with the arbiters' port, one after another in each task.
    Handshakes,
    /// Requests that the arbiters' port refuses.
    Refused,
}

impl Flood {
    pub const ALL: [Self; 9] = [
        Self::BoardCodes,
        Self::Boards,
        Self::Explanations,
        Self::Silent,
        Self::IdleHttp2,
        Self::Watchers,
        Self::Callers,
        Self::Handshakes,
        Self::Refused,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::BoardCodes => "board codes",
            Self::Boards => "boards' data",
            Self::Explanations => "explanations",
            Self::Silent => "silent sockets",
            Self::IdleHttp2 => "idle HTTP/2",
            Self::Watchers => "deaf watchers",
            Self::Callers => "silent callers",
            Self::Handshakes => "TLS handshakes",
            Self::Refused => "refused requests",
        }
    }

    const fn tasks(self) -> u32 {
        match self {
            Self::BoardCodes
            | Self::Boards
            | Self::Explanations
            | Self::Handshakes
            | Self::Refused => ASKERS,
            Self::Silent | Self::IdleHttp2 | Self::Watchers => SOCKETS,
            Self::Callers => CALLERS,
        }
    }
}

pub struct Attack {
    stop: CancellationToken,
    thread: JoinHandle<()>,
    done: Arc<AtomicU64>,
}

#[derive(Clone)]
struct Target {
    at: Addresses,
    tls: TlsConnector,
    done: Arc<AtomicU64>,
}

impl Attack {
    pub fn start(flood: Flood, at: Addresses, data_dir: &Path) -> anyhow::Result<Self> {
        let (stop, done) = (CancellationToken::new(), Arc::new(AtomicU64::new(0)));
        let target = Target {
            at,
            tls: uncertified(data_dir, &[b"http/1.1"])?,
            done: done.clone(),
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let until = stop.clone();
        let thread = std::thread::Builder::new().name("attack".to_owned());
        let thread = thread.spawn(move || {
            // At normal priority, the attackers would compete with the hub for the processor; attackers on other machines cannot do that.
            let _ = rustix::process::nice(19);
            runtime.block_on(async {
                let mut tasks = JoinSet::new();
                for number in 0..flood.tasks() {
                    tasks.spawn(attack(flood, number, target.clone()));
                }
                until.cancelled().await;
            });
        })?;
        Ok(Self { stop, thread, done })
    }

    /// Returns the number of requests answered so far, or of connections made.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Ends the flood: closes every connection and waits for the attackers' thread.
    pub fn stop(self) -> anyhow::Result<()> {
        self.stop.cancel();
        let ended = self.thread.join();
        ended.map_err(|_| anyhow::anyhow!("the attackers' thread panicked"))
    }
}

/// Runs one attacker, which never stops by itself. It reconnects when the hub refuses or closes a connection, except that a watcher does not notice
/// the end of an open feed.
async fn attack(flood: Flood, number: u32, target: Target) {
    let host = 2 + (number % u32::from(ADDRESSES)) as u8;
    loop {
        let part: Pin<Box<dyn Future<Output = anyhow::Result<()>> + Send>> = match flood {
            Flood::BoardCodes | Flood::Boards | Flood::Explanations => {
                Box::pin(target.ask(flood, host, number))
            }
            Flood::Silent => Box::pin(target.hold(host, Vec::new())),
            Flood::IdleHttp2 => Box::pin(target.hold(host, http2_opening(1 << 16))),
            Flood::Watchers => Box::pin(target.watch(host)),
            Flood::Callers => Box::pin(target.call(host)),
            Flood::Handshakes => Box::pin(target.shake_hands(host)),
            Flood::Refused => Box::pin(target.be_refused(host)),
        };
        if part.await.is_err() {
            tokio::task::yield_now().await;
        }
    }
}

impl Target {
    /// Sends requests over a single connection, as fast as the hub answers.
    async fn ask(&self, flood: Flood, host: u8, number: u32) -> anyhow::Result<()> {
        let mut stream = connect_from(host, self.at.http).await?;
        for count in (number..).step_by(ASKERS as usize) {
            let (path, name) = match flood {
                Flood::BoardCodes => (
                    format!("/board/{}/qr.svg", 1 + count % 60),
                    format!("host{count}.example"),
                ),
                Flood::Boards => (
                    format!("/live/boards/{}.json", 1 + count % 50),
                    "hall".to_owned(),
                ),
                Flood::Explanations
                | Flood::Silent
                | Flood::IdleHttp2
                | Flood::Watchers
                | Flood::Callers
                | Flood::Handshakes
                | Flood::Refused => (
                    format!(
                        "/live/event/why/{}.json?after={}",
                        1 + count % 200,
                        count / 200 % 10
                    ),
                    "hall".to_owned(),
                ),
            };
            let request = format!("GET {path} HTTP/1.1\r\nHost: {name}\r\n\r\n");
            take_answer(&mut stream, &request).await?;
            self.count();
        }
        Ok(())
    }

    async fn hold(&self, host: u8, first: Vec<u8>) -> anyhow::Result<()> {
        let mut stream = connect_from(host, self.at.http).await?;
        stream.write_all(&first).await?;
        self.count();
        closed(stream).await;
        Ok(())
    }

    /// Subscribes to the feed and reads only the head of the response.
    async fn watch(&self, host: u8) -> anyhow::Result<()> {
        let mut stream = connect_from(host, self.at.http).await?;
        let feed = "GET /live/events HTTP/1.1\r\nHost: hall\r\n\r\n";
        anyhow::ensure!(status_of(&mut stream, feed).await? == 200, "feed refused");
        self.count();
        std::future::pending().await
    }

    async fn call(&self, host: u8) -> anyhow::Result<()> {
        let stream = connect_tls(&self.tls, host, self.at.listen).await?;
        self.count();
        closed(stream).await;
        Ok(())
    }

    async fn shake_hands(&self, host: u8) -> anyhow::Result<()> {
        connect_tls(&self.tls, host, self.at.listen).await?;
        self.count();
        Ok(())
    }

    async fn be_refused(&self, host: u8) -> anyhow::Result<()> {
        let mut stream = connect_tls(&self.tls, host, self.at.listen).await?;
        let path = "x".repeat(4_000);
        let request = format!(
            "POST /session/{path} HTTP/1.1\r\nHost: hub.flagfall\r\nOrigin: https://evil.example\r\n\
             Content-Length: 0\r\n\r\n"
        );
        for _ in 0..100 {
            take_answer(&mut stream, &request).await?;
            self.count();
        }
        Ok(())
    }

    fn count(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}

/// Sends a request and reads the whole response, whatever its status.
async fn take_answer<S>(stream: &mut S, request: &str) -> anyhow::Result<()>
where
    S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
{
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::with_capacity(1 << 14);
    let body = loop {
        anyhow::ensure!(stream.read_buf(&mut answer).await? > 0, "closed");
        let head = answer.windows(4).position(|end| end == b"\r\n\r\n");
        if let Some(head) = head {
            let text = String::from_utf8_lossy(&answer[..head]).to_lowercase();
            let length = text.split_once("content-length: ").context("no length")?.1;
            let digits = length.split("\r\n").next().unwrap_or_default();
            break head + 4 + digits.parse::<usize>()?;
        }
    };
    while answer.len() < body {
        anyhow::ensure!(stream.read_buf(&mut answer).await? > 0, "closed");
    }
    Ok(())
}
