//! Watching the hall: a snapshot, then what changes. A slow watcher gets a new snapshot in place of what it missed.

use std::sync::Arc;

use futures::StreamExt;
use futures::stream::BoxStream;
use proto::grpc::{Board, BoardRemoved, Hall, WatchRequest, WatchUpdate, watch_update::Update};
use tokio_util::sync::CancellationToken;
use tonic::Status;

use super::Parts;
use crate::hall::BoardDetail;
use crate::identity::Role;
use crate::live::{BoardOrder, Change, Message};
use crate::to_proto;

/// What a caller may be told beside what everybody sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// All of it.
    Arbiter,
    /// Neither notes nor who has seen them: whoever reads them could tell a player that a press is missing (FIDE 12.6).
    Onlooker,
}

impl Sight {
    /// What a role may be told.
    pub(super) fn of(role: Role) -> Self {
        match role {
            Role::Viewer => Self::Onlooker,
            Role::Floor | Role::Chief => Self::Arbiter,
        }
    }

    fn board(self, parts: &Parts, detail: &BoardDetail, hub_us: i64) -> Board {
        let mut board = to_proto::board(detail, hub_us);
        match self {
            Self::Onlooker => {
                board.note.clear();
                board.notes.clear();
            }
            Self::Arbiter => board.acknowledged = parts.calls.on(detail),
        }
        board
    }
}

/// The whole hall as it stands. Its place in the feed is read first, so that nothing can be missed after it.
pub(super) fn hall(parts: &Parts, sight: Sight) -> Hall {
    let seq = parts.feed.newest();
    let hub_us = parts.feed.hub_us();
    let mirror = parts.hub.mirror();
    let event = mirror.event();
    let mut boards: Vec<_> = mirror
        .boards()
        .iter()
        .map(|board| sight.board(parts, board, hub_us))
        .collect();
    boards.sort_by_cached_key(|board| BoardOrder::of(&board.board));
    Hall {
        epoch: parts.feed.epoch(),
        seq,
        hub_us,
        event_name: event.name.clone(),
        round: event
            .round
            .map(|round| round.to_string())
            .unwrap_or_default(),
        boards,
        log_origin: parts.log_origin.clone(),
        starts_at_us: event.starts_at_us,
    }
}

/// What the watcher gets: from where it left off, if the feed still has that; else a snapshot first.
pub(super) fn follow(
    parts: Arc<Parts>,
    request: &WatchRequest,
    sight: Sight,
    ending: CancellationToken,
) -> BoxStream<'static, Result<WatchUpdate, Status>> {
    // No epoch is 0: a new watcher's place belongs to none, and the feed sends it to a snapshot.
    let after = (request.after_epoch, request.after_seq);
    let feed = parts.feed.clone();
    feed.subscribe(Some(after))
        .into_stream()
        .filter_map(move |message| {
            let update = update(&parts, &message, sight);
            async { update.map(Ok) }
        })
        .take_until(ending.cancelled_owned())
        .boxed()
}

/// `None`: nothing that a watcher of boards is told.
fn update(parts: &Parts, message: &Message, sight: Sight) -> Option<WatchUpdate> {
    match message {
        Message::Resync { .. } => Some(snapshot(parts, sight)),
        Message::Delta(delta) => {
            let update = match &delta.change {
                Change::Board(view) => match parts.hub.mirror().board(&view.board) {
                    Some(board) => Update::Board(sight.board(parts, &board, parts.feed.hub_us())),
                    // Removed since; its removal is on its way.
                    None => removed(&view.board),
                },
                Change::Gone(board) => removed(board),
                Change::Event(_) => return Some(snapshot(parts, sight)),
                Change::Tournament(_) => return None,
            };
            Some(WatchUpdate {
                epoch: parts.feed.epoch(),
                seq: delta.seq,
                hub_us: parts.feed.hub_us(),
                update: Some(update),
            })
        }
    }
}

fn snapshot(parts: &Parts, sight: Sight) -> WatchUpdate {
    let hall = hall(parts, sight);
    WatchUpdate {
        epoch: hall.epoch,
        seq: hall.seq,
        hub_us: hall.hub_us,
        update: Some(Update::Snapshot(hall)),
    }
}

fn removed(board: &str) -> Update {
    Update::Removed(BoardRemoved {
        board: board.to_owned(),
    })
}
