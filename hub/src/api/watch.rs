//! Watching the hall: sends a snapshot, then changes. A slow watcher gets a new snapshot instead of the missed changes.
//!
//! Owns the contents of each update; never waits for a watcher.

use std::sync::Arc;
use std::time::Duration;

use futures::stream::{self, BoxStream};
use futures::{Stream, StreamExt};
use proto::grpc::{
    self, Board, BoardRemoved, Hall, WatchRequest, WatchUpdate, watch_update::Update,
};
use tokio_util::sync::CancellationToken;
use tonic::Result;

use super::roles::Visibility;
use super::{ServiceContext, messages};
use crate::live::{Audience, HallChange, HallSnapshot, Message};
use hall::{BoardDetail, BoardNote, NoteKind};

const MAX_GATHER_MS: u32 = 1000;
const MAX_TOGETHER: usize = 256;

impl Visibility {
    /// Returns the audience whose boards and events the caller sees. Viewers see less than arbiters, because a viewer could tell a player
    /// that a press is missing (FIDE 12.6).
    pub(super) fn audience(self) -> Audience {
        match self {
            Self::Viewer => Audience::Viewers,
            Self::Arbiter => Audience::Arbiters,
        }
    }

    /// Returns the notes about the hub itself. A viewer sees only that recording has stopped, never a path or figure of the machine.
    fn hub_notes(self, notes: &[BoardNote]) -> Vec<grpc::BoardNote> {
        let shown = notes.iter().filter_map(|note| match self {
            Self::Arbiter => Some(messages::note(note)),
            Self::Viewer if note.kind == NoteKind::LogStopped => Some(grpc::BoardNote {
                text: "nothing is recorded any more".to_owned(),
                ..messages::note(note)
            }),
            Self::Viewer => None,
        });
        shown.collect()
    }
}

#[derive(Clone, Copy)]
struct WatcherView {
    visibility: Visibility,
    /// Maximum number of presses to send for a board. The newest ones are sent.
    presses: usize,
}

impl WatcherView {
    fn board(self, parts: &ServiceContext, detail: &BoardDetail, hub_us: i64) -> Board {
        let mut board = messages::board(detail, hub_us);
        if self.visibility == Visibility::Arbiter {
            board.acknowledged = parts.calls.on(detail);
        }
        let older = board.presses.len().saturating_sub(self.presses);
        board.presses.drain(..older);
        board
    }
}

pub(super) fn hall(parts: &ServiceContext, visibility: Visibility) -> Hall {
    let view = WatcherView {
        visibility,
        presses: usize::MAX,
    };
    seen(parts, view)
}

fn seen(parts: &ServiceContext, view: WatcherView) -> Hall {
    let live = parts.hub.live();
    let hub_us = live.hub_us();
    let audience = view.visibility.audience();
    let HallSnapshot { seq, event, boards } = live.snapshot_for(audience);
    let boards = boards.iter();
    let boards = boards.map(|board| view.board(parts, board, hub_us));
    Hall {
        epoch: live.epoch(),
        seq,
        hub_us,
        event_name: event.name.clone(),
        round: messages::text(event.round),
        boards: boards.collect(),
        log_origin: parts.log_origin.clone(),
        starts_at_us: event.starts_at_us,
        wall_ahead_ms: parts.time.wall_ahead_ms(),
        time_zone: event.time_zone.clone().unwrap_or_default(),
        notes: view.visibility.hub_notes(&live.hub_notes()),
    }
}

/// Streams updates to a watcher: from the watcher's position if the feed still has it, else from a snapshot.
pub(super) fn follow(
    parts: Arc<ServiceContext>,
    request: &WatchRequest,
    visibility: Visibility,
    ending: CancellationToken,
) -> BoxStream<'static, Result<WatchUpdate>> {
    // A new watcher sends epoch 0, which no feed has, so the stream begins with a snapshot.
    let after = (request.after_epoch, request.after_seq);
    let view = WatcherView {
        visibility,
        presses: request.presses.map_or(usize::MAX, |asked| {
            usize::try_from(asked).unwrap_or(usize::MAX)
        }),
    };
    let gather = Duration::from_millis(request.gather_ms.min(MAX_GATHER_MS).into());
    let live = parts.hub.live();
    let changes = live.subscribe_for(visibility.audience(), Some(after));
    gathered(changes.into_stream(), gather)
        .map(move |message| Ok(update(&parts, &message, view)))
        .take_until(ending.cancelled_owned())
        .boxed()
}

/// Throttles a stream. An item after a pause passes immediately; items within `gather` after it are held back and pass together. Items that
/// are ready together share one frame, and each frame wakes the watcher once.
fn gathered<T>(items: impl Stream<Item = T>, gather: Duration) -> impl Stream<Item = T> {
    let together = items.ready_chunks(MAX_TOGETHER);
    tokio_stream::StreamExt::throttle(together, gather).flat_map(stream::iter)
}

fn update(parts: &ServiceContext, message: &Message<HallChange>, view: WatcherView) -> WatchUpdate {
    let Message::Change { seq, change } = message else {
        return snapshot(parts, view);
    };
    let live = parts.hub.live();
    let hub_us = live.hub_us();
    let update = match change {
        HallChange::Board(name) => match live.board_for(view.visibility.audience(), name) {
            Some(board) => Update::Board(view.board(parts, &board, hub_us)),
            // The board has been removed since the change; its removal follows in the feed.
            None => removed(name),
        },
        HallChange::Gone(name) => removed(name),
        HallChange::Event => return snapshot(parts, view),
    };
    WatchUpdate {
        epoch: live.epoch(),
        seq: *seq,
        hub_us,
        update: Some(update),
        wall_ahead_ms: parts.time.wall_ahead_ms(),
    }
}

fn snapshot(parts: &ServiceContext, view: WatcherView) -> WatchUpdate {
    let hall = seen(parts, view);
    WatchUpdate {
        epoch: hall.epoch,
        seq: hall.seq,
        hub_us: hall.hub_us,
        wall_ahead_ms: hall.wall_ahead_ms,
        update: Some(Update::Snapshot(hall)),
    }
}

fn removed(board: &str) -> Update {
    Update::Removed(BoardRemoved {
        board: board.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use std::task::Poll;

    use futures::poll;
    use tokio::sync::mpsc;
    use tokio_stream::wrappers::UnboundedReceiverStream;

    use super::*;

    fn fed(gather: Duration) -> (mpsc::UnboundedSender<u32>, impl Stream<Item = u32> + Unpin) {
        let (send, items) = mpsc::unbounded_channel();
        let items = UnboundedReceiverStream::new(items);
        (send, Box::pin(gathered(items, gather)))
    }

    #[tokio::test]
    async fn items_within_the_gather_time_are_held_back() {
        let (send, mut gathered) = fed(Duration::from_secs(3600));
        for item in [1, 2, 3] {
            send.send(item).unwrap();
        }
        for item in [1, 2, 3] {
            assert_eq!(
                poll!(gathered.next()),
                Poll::Ready(Some(item)),
                "they were ready together"
            );
        }
        send.send(4).unwrap();
        assert_eq!(poll!(gathered.next()), Poll::Pending);
    }

    #[tokio::test]
    async fn held_back_items_pass_together() {
        let (send, mut gathered) = fed(Duration::from_millis(20));
        send.send(1).unwrap();
        assert_eq!(poll!(gathered.next()), Poll::Ready(Some(1)));
        send.send(2).unwrap();
        send.send(3).unwrap();
        assert_eq!(gathered.next().await, Some(2));
        assert_eq!(poll!(gathered.next()), Poll::Ready(Some(3)));
    }

    #[tokio::test]
    async fn an_item_after_a_pause_passes_immediately() {
        let gather = Duration::from_millis(20);
        let (send, mut gathered) = fed(gather);
        send.send(1).unwrap();
        assert_eq!(poll!(gathered.next()), Poll::Ready(Some(1)));
        tokio::time::sleep(gather * 2).await;
        send.send(2).unwrap();
        assert_eq!(poll!(gathered.next()), Poll::Ready(Some(2)));
    }

    #[tokio::test]
    async fn zero_gather_holds_nothing_back() {
        let (send, mut gathered) = fed(Duration::ZERO);
        for item in [1, 2] {
            send.send(item).unwrap();
            assert_eq!(poll!(gathered.next()), Poll::Ready(Some(item)));
        }
    }
}
