//! `/live/events`: the feed as server-sent events.
//!
//! `id:` is `epoch-seq`, so that a browser's own `Last-Event-ID`, or `?after=`, resumes without a gap. `?board=` restricts the changes to
//! one board and the event's name and round. `?only=event` restricts them to the event: its name and round, and the version of its
//! players, pairings and results (`tournament`).
//!
//! Besides the changes (`board`, `event`, `gone`, `tournament`) there are two events. `hub`, sent immediately and then as keep-alive,
//! carries the hub's time and the position in the feed. `resync` means that changes are missing and a new snapshot is needed.

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::{Extensions, HeaderMap, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures::StreamExt as _;
use serde::Deserialize;
use tokio::time::{Interval, MissedTickBehavior};
use tokio_util::sync::CancellationToken;

use super::serve::{Closing, Visitor};
use super::{Web, error_page, with_cors};
use crate::connections::{Limits, Slot, SlotPool};
use crate::live::{Change, Delta, Message, PublicHall, Subscription};
use crate::metrics;

/// Interval of the keep-alive events. It is shorter than the 30 seconds after which some proxies close an idle connection. The events also let a
/// page notice a dead connection and follow the hub's time.
const KEEP_ALIVE: Duration = Duration::from_secs(10);

/// Maximum number of messages combined into one chunk, and the length in bytes from which a chunk is sent.
const AT_ONCE: (usize, usize) = (64, 8 * 1024);

/// Maximum number of watchers of [`super::router`], equal to the default of the hub's setting. It limits the memory.
pub(super) const WATCHERS: usize = 8192;

/// The seats of all watchers. Once all are taken, a newcomer takes a seat from the address that holds the most. It gets none if its own address
/// would then hold as many as that one did.
#[derive(Clone)]
pub(super) struct Watchers(SlotPool);

/// A watcher's seat. The watcher is counted until the seat is dropped.
pub(super) struct Seat(Slot);

impl Seat {
    /// Waits until the seat is needed for another watcher.
    pub(super) async fn cut(&self) {
        self.0.cut().cancelled().await;
    }
}

impl Watchers {
    pub(super) fn new(limit: usize) -> Self {
        Self(SlotPool::new(Limits::shared(limit)))
    }

    pub(super) fn seat(&self, address: IpAddr) -> Option<Seat> {
        let slot = self.0.take(address)?;
        // A watcher is never idle, so it gives way only to a different address.
        slot.begin();
        metrics::sse_clients(1);
        Some(Seat(slot))
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        metrics::sse_clients(-1);
    }
}

#[derive(Deserialize)]
pub(super) struct StreamOptions {
    after: Option<String>,
    pub(super) board: Option<String>,
    only: Option<String>,
}

impl StreamOptions {
    /// Returns the position in the feed after which the stream resumes.
    pub(super) fn position(&self, headers: &HeaderMap) -> Option<(u64, u64)> {
        let last = headers.get("last-event-id");
        let last = last.and_then(|last| last.to_str().ok());
        last.or(self.after.as_deref()).map(place)
    }
}

#[derive(Debug)]
pub(super) enum About<Board> {
    Board(Board),
    Event,
    Tournament,
}

impl<'a> From<&'a Change> for About<&'a str> {
    fn from(change: &'a Change) -> Self {
        match change {
            Change::Board(board) => Self::Board(&board.board),
            Change::Gone(board) => Self::Board(board),
            Change::Event(_) => Self::Event,
            Change::Tournament(_) => Self::Tournament,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) enum Part {
    All,
    Board(String),
    Event,
}

impl Part {
    pub(super) fn has(&self, about: &About<impl AsRef<str>>) -> bool {
        match (self, about) {
            (Self::All, _) | (_, About::Event) => true,
            (Self::Board(wanted), About::Board(board)) => board.as_ref() == wanted,
            // The data of a board include its result, so a watcher of one board does not need the event's data.
            (Self::Board(_), About::Tournament) => false,
            (Self::Event, About::Tournament) => true,
            (Self::Event, About::Board(_)) => false,
        }
    }
}

impl From<StreamOptions> for Part {
    fn from(wanted: StreamOptions) -> Self {
        match (wanted.board, wanted.only.as_deref()) {
            (Some(board), _) => Self::Board(board),
            (None, Some("event")) => Self::Event,
            (None, Some(_) | None) => Self::All,
        }
    }
}

pub(super) async fn events(
    State(web): State<Web>,
    Query(wanted): Query<StreamOptions>,
    extensions: Extensions,
    headers: HeaderMap,
) -> Response {
    let after = wanted.position(&headers);
    // A watcher that resumes gets no error here: the removal of the board is one of the changes that it receives.
    if let Some(board) = &wanted.board
        && after.is_none()
        && web.hall.board(board).is_none()
    {
        return error_page::no_such_board(board, &headers);
    }
    let Some(seat) = web.watchers.seat(Visitor::of(&extensions)) else {
        return error_page::too_many(&headers);
    };
    let subscription = web.hall.subscribe_to(wanted.board.as_deref(), after);
    let ends = [Closing::of(&extensions), web.over, CancellationToken::new()];
    stream(web.hall, subscription, wanted.into(), ends, seat)
}

/// Streams a feed until one of `ends` is cancelled or the seat is needed for another watcher.
pub(super) fn stream<F: Followed>(
    feed: F,
    subscription: Subscription<F::Change>,
    part: Part,
    ends: [CancellationToken; 3],
    seat: Seat,
) -> Response {
    let mut keep_alive = tokio::time::interval(KEEP_ALIVE);
    keep_alive.set_missed_tick_behavior(MissedTickBehavior::Delay);
    keep_alive.reset();
    let watcher = Watcher {
        feed,
        subscription,
        part,
        keep_alive,
        ends,
        seat,
    };
    // Send the hub's time first, before any change.
    let hub = futures::future::ready(Ok::<_, Infallible>(watcher.hub()));
    let frames = futures::stream::unfold(watcher, |mut watcher| async {
        let frame = watcher.frame().await?;
        Some((Ok(frame), watcher))
    });
    let told = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-store"),
        // Without this header, nginx holds events back until its buffer is full.
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    let frames = Body::from_stream(futures::stream::once(hub).chain(frames));
    with_cors((told, frames).into_response())
}

/// Parses a position. An invalid id gets an unknown epoch, which causes a resync: epochs have 53 bits, so none is `u64::MAX`.
fn place(id: &str) -> (u64, u64) {
    id.split_once('-')
        .and_then(|(epoch, seq)| Some((epoch.parse().ok()?, seq.parse().ok()?)))
        .unwrap_or((u64::MAX, 0))
}

/// Returns an event with a position in the feed, `(epoch, seq)`, and the hub's time.
pub(super) fn hub_event(event: &str, (epoch, seq): (u64, u64), hub_us: i64) -> Bytes {
    let data = format!(r#"{{"epoch":{epoch},"seq":{seq},"hub_us":{hub_us}}}"#);
    format!("id: {epoch}-{seq}\nevent: {event}\ndata: {data}\n\n").into()
}

/// Returns the frames of a message and of messages already waiting, as one chunk within [`AT_ONCE`]; `None` if none of them has a frame.
fn with_those_after<T: Clone>(
    subscription: &mut Subscription<T>,
    first: Message<T>,
    frame: impl Fn(Message<T>) -> Option<Bytes>,
) -> Option<Bytes> {
    let mut frames: Vec<Bytes> = frame(first).into_iter().collect();
    let mut length: usize = frames.iter().map(Bytes::len).sum();
    for _ in 1..AT_ONCE.0 {
        if length >= AT_ONCE.1 {
            break;
        }
        let Some(message) = subscription.ready() else {
            break;
        };
        let next = frame(message);
        length += next.as_ref().map_or(0, Bytes::len);
        frames.extend(next);
    }
    match frames.len() {
        0 | 1 => frames.pop(),
        _ => Some(frames.concat().into()),
    }
}

pub(super) trait Followed: Send + 'static {
    type Change: Clone + Send + Sync + 'static;

    /// Returns the frame of a message; `None` if the message does not concern `part`.
    fn frame(&self, message: Message<Self::Change>, part: &Part) -> Option<Bytes>;

    /// Returns the `hub` event, which carries a position in the feed and the hub's time.
    fn hub(&self, position: u64) -> Bytes;
}

struct Watcher<F: Followed> {
    feed: F,
    subscription: Subscription<F::Change>,
    part: Part,
    keep_alive: Interval,
    ends: [CancellationToken; 3],
    seat: Seat,
}

impl<F: Followed> Watcher<F> {
    async fn frame(&mut self) -> Option<Bytes> {
        loop {
            let [first, second, third] = &self.ends;
            tokio::select! {
                biased;
                () = first.cancelled() => return None,
                () = second.cancelled() => return None,
                () = third.cancelled() => return None,
                // The browser reconnects by itself, and gets a seat once one is free.
                () = self.seat.cut() => return None,
                _ = self.keep_alive.tick() => return Some(self.hub()),
                message = self.subscription.next() => {
                    let frame = |message| self.feed.frame(message, &self.part);
                    let frames = with_those_after(&mut self.subscription, message?, frame);
                    if frames.is_some() {
                        return frames;
                    }
                }
            }
        }
    }

    fn hub(&self) -> Bytes {
        self.feed.hub(self.subscription.position())
    }
}

impl Followed for PublicHall {
    type Change = Arc<Delta>;

    fn frame(&self, message: Message<Arc<Delta>>, part: &Part) -> Option<Bytes> {
        match message {
            Message::Change { change, .. } => {
                let is_wanted = part.has(&About::from(change.change()));
                is_wanted.then(|| change.frame())
            }
            Message::Resync { seq } => {
                metrics::sse_resync();
                Some(hub_event("resync", (self.epoch(), seq), self.hub_us()))
            }
        }
    }

    /// Also adds a comment line, for people who read the raw stream.
    fn hub(&self, position: u64) -> Bytes {
        let mut frame = b": keep-alive\n".to_vec();
        frame.extend_from_slice(&hub_event("hub", (self.epoch(), position), self.hub_us()));
        frame.into()
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;
    use crate::live::LiveHall;

    #[tokio::test]
    async fn a_quiet_hall_still_sends_keep_alives_with_the_position() {
        let hall = Arc::new(LiveHall::new(7, 4, || 99));
        drop(hall.update(|update| update.gone("absent")));
        let hall = hall.public();
        let mut watcher = Watcher {
            subscription: hall.subscribe(None),
            feed: hall,
            part: Part::All,
            keep_alive: tokio::time::interval(Duration::from_millis(1)),
            ends: [(); 3].map(|()| CancellationToken::new()),
            seat: Watchers::new(1).seat(Ipv4Addr::LOCALHOST.into()).unwrap(),
        };
        for _ in 0..3 {
            let frame = watcher.frame().await.unwrap();
            let text = std::str::from_utf8(&frame).unwrap();
            let data = r#"{"epoch":7,"seq":0,"hub_us":99}"#;
            assert_eq!(
                text,
                format!(": keep-alive\nid: 7-0\nevent: hub\ndata: {data}\n\n")
            );
        }
        watcher.ends[0].cancel();
        assert!(watcher.frame().await.is_none());
    }

    #[test]
    fn a_malformed_id_belongs_to_no_epoch() {
        assert_eq!(place("41-7"), (41, 7));
        for foreign in [
            "",
            "-",
            "41",
            "41-",
            "x-1",
            "-1-1",
            "18446744073709551616-1",
        ] {
            assert_eq!(place(foreign), (u64::MAX, 0), "{foreign}");
        }
    }
}
