//! Copies the hub's feed over one connection for all spectators of the edge, and keeps the hub's sequence numbers.

use std::io::{BufRead as _, BufReader, Read as _};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use axum::extract::Request;
use axum::http::HeaderMap;
use axum::response::Response;
use bytes::Bytes;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;
use ureq::Agent;

use super::super::error_page;
use super::super::events::{About, Followed, Part, StreamOptions, Watchers, hub_event, stream};
use super::super::serve::{Closing, Visitor};
use crate::live::{Feed, Message, RING};
use crate::lock::lock;
use crate::time_source::wall_now;

/// Time after which a connection to the hub is replaced, so that a dead connection is noticed. The new one resumes where the old one stopped.
const CONNECTION: Duration = Duration::from_secs(60);
const AGAIN: Duration = Duration::from_secs(1);
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// Maximum length of a line, in bytes: more than a board with all its data needs.
const MAX_LINE: u64 = 1024 * 1024;

#[derive(Debug)]
struct Frame {
    bytes: Bytes,
    about: About<String>,
}

pub struct Relay {
    from: String,
    agent: Agent,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    feed: Option<Arc<Feed<Arc<Frame>>>>,
    /// Cancelled to end the streams of the current feed.
    over: CancellationToken,
    /// The lead of the hub's timeline over this machine's clock, in microseconds.
    lead_us: i64,
}

#[derive(Default)]
struct Event {
    id: String,
    kind: String,
    data: String,
}

#[derive(Deserialize)]
struct FeedMessage {
    epoch: u64,
    seq: u64,
    #[serde(default)]
    hub_us: i64,
    board: Option<Named>,
    gone: Option<String>,
}

#[derive(Deserialize)]
struct Named {
    board: String,
}

#[derive(Debug, thiserror::Error)]
enum RelayError {
    #[error("{0}")]
    Http(#[from] ureq::Error),
    #[error("the hub answered with status {0}")]
    Status(u16),
    #[error("the connection broke: {0}")]
    Read(#[from] std::io::Error),
    #[error("not a feed of a hub: {0}")]
    Form(String),
}

impl Relay {
    pub(super) fn new(from: &str) -> Self {
        Self {
            from: from.to_owned(),
            agent: super::agent(Some(CONNECTION)),
            state: Mutex::default(),
        }
    }

    /// Follows the feed over one connection until it ends or `over` is cancelled.
    fn connect(&self, over: &CancellationToken) -> Result<(), RelayError> {
        let known = lock(&self.state).feed.clone();
        let after = known.map(|feed| format!("?after={}-{}", feed.epoch(), feed.newest()));
        let url = format!("{}/live/events{}", self.from, after.unwrap_or_default());
        let request = self.agent.get(url).header("accept", "text/event-stream");
        let response = request.call()?;
        if response.status().as_u16() != 200 {
            return Err(RelayError::Status(response.status().as_u16()));
        }
        let mut lines = BufReader::new(response.into_body().into_reader());
        let mut event = Event::default();
        let mut line = String::new();
        while !over.is_cancelled() {
            line.clear();
            if lines.by_ref().take(MAX_LINE).read_line(&mut line)? == 0 {
                break;
            }
            if line.len() as u64 == MAX_LINE {
                return Err(RelayError::Form("a line is too long".to_owned()));
            }
            match line.trim_end().split_once(':') {
                Some(("id", id)) => event.id = id.trim().to_owned(),
                Some(("event", kind)) => event.kind = kind.trim().to_owned(),
                Some(("data", data)) => event.data = data.trim().to_owned(),
                Some(_) => (),
                None if !event.kind.is_empty() => {
                    let taken = self.take(&std::mem::take(&mut event));
                    // Events that arrived together are passed on together.
                    let is_last = !lines.buffer().windows(2).any(|two| two == b"\n\n");
                    if is_last || taken.is_err() {
                        self.wake();
                    }
                    taken?;
                }
                None => (),
            }
        }
        Ok(())
    }

    fn take(&self, event: &Event) -> Result<(), RelayError> {
        let told: FeedMessage = serde_json::from_str(&event.data)
            .map_err(|error| RelayError::Form(error.to_string()))?;
        let mut state = lock(&self.state);
        let known = state.feed.as_ref();
        let known = known.filter(|feed| feed.epoch() == told.epoch);
        let newest = known.map(|feed| feed.newest());
        let about = match event.kind.as_str() {
            "hub" => {
                state.lead_us = told.hub_us - wall_now().unix_us();
                if newest != Some(told.seq) {
                    state.begin(told.epoch, told.seq);
                }
                return Ok(());
            }
            "board" => About::Board(told.board.map(|named| named.board).unwrap_or_default()),
            "gone" => About::Board(told.gone.unwrap_or_default()),
            "tournament" => About::Tournament,
            "event" => About::Event,
            // `resync`, and events that only newer hubs send.
            _ => {
                state.begin(told.epoch, told.seq);
                return Ok(());
            }
        };
        let follows = newest.is_some_and(|newest| newest + 1 == told.seq);
        let Some(feed) = known.filter(|_| follows) else {
            state.begin(told.epoch, told.seq);
            return Ok(());
        };
        let bytes = format!(
            "id: {}\nevent: {}\ndata: {}\n\n",
            event.id, event.kind, event.data
        );
        let board = match &about {
            About::Board(board) => Some(board.clone()),
            About::Event | About::Tournament => None,
        };
        feed.push_about(board.as_deref(), |_| {
            Arc::new(Frame {
                bytes: bytes.into(),
                about,
            })
        });
        Ok(())
    }

    fn wake(&self) {
        let feed = lock(&self.state).feed.clone();
        if let Some(feed) = feed {
            feed.wake();
        }
    }

    fn hub_us(&self) -> i64 {
        wall_now().unix_us() + lock(&self.state).lead_us
    }

    pub(super) fn stream(
        self: &Arc<Self>,
        wanted: StreamOptions,
        headers: &HeaderMap,
        watchers: &Watchers,
        request: &Request,
        over: CancellationToken,
    ) -> Response {
        let (feed, ends) = {
            let state = lock(&self.state);
            (state.feed.clone(), state.over.clone())
        };
        let Some(feed) = feed else {
            return error_page::not_yet(headers);
        };
        let Some(seat) = watchers.seat(Visitor::of(request.extensions())) else {
            return error_page::too_many(headers);
        };
        let after = wanted.position(headers);
        let subscription = feed.subscribe_to(wanted.board.as_deref(), after);
        let ends = [ends, over, Closing::of(request.extensions())];
        let relay = self.clone();
        stream(
            Copied { relay, feed },
            subscription,
            wanted.into(),
            ends,
            seat,
        )
    }
}

impl State {
    /// Begins a new copy of the feed at a position. Spectators of the previous copy reconnect.
    fn begin(&mut self, epoch: u64, seq: u64) {
        self.feed = Some(Arc::new(Feed::after(epoch, RING, seq)));
        std::mem::take(&mut self.over).cancel();
    }
}

struct Copied {
    relay: Arc<Relay>,
    feed: Arc<Feed<Arc<Frame>>>,
}

impl Followed for Copied {
    type Change = Arc<Frame>;

    fn frame(&self, message: Message<Arc<Frame>>, part: &Part) -> Option<Bytes> {
        let resync = |seq| hub_event("resync", (self.feed.epoch(), seq), self.relay.hub_us());
        match message {
            Message::Change { change, .. } => part.has(&change.about).then(|| change.bytes.clone()),
            Message::Resync { seq } => Some(resync(seq)),
        }
    }

    fn hub(&self, position: u64) -> Bytes {
        hub_event("hub", (self.feed.epoch(), position), self.relay.hub_us())
    }
}

/// Follows a hub's feed on the caller's thread until `over` is cancelled.
pub fn follow(relay: &Relay, over: &CancellationToken) {
    let mut told = String::new();
    while !over.is_cancelled() {
        let failed = relay.connect(over).err();
        let error = failed.map_or_else(String::new, |error| error.to_string());
        if !error.is_empty() && error != told {
            tracing::warn!("the hub’s feed: {error}");
        }
        told = error;
        let mut waited = Duration::ZERO;
        while waited < AGAIN && !over.is_cancelled() {
            thread::sleep(LOOK_EVERY);
            waited += LOOK_EVERY;
        }
    }
}
