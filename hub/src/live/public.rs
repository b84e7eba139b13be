//! The public part of the hall: boards, event and results as spectators see them, and their changes. Owns the public numbering; never reveals
//! data meant only for arbiters.

use std::ops::Bound::{Excluded, Unbounded};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;

use super::{Audience, BoardOrder, LiveHall, Published, Subscription, encode};
use hall::view::{BoardView, EventView, PressLine};
use hall::{BoardDetail, TournamentNow};

/// One numbered change, encoded when the first spectator takes it and then shared by all.
#[derive(Debug)]
pub struct Delta {
    pub(super) epoch: u64,
    pub(super) seq: u64,
    pub(super) hub_us: i64,
    pub(super) change: Change,
    pub(super) frame: OnceLock<Bytes>,
}

#[derive(Clone, Debug)]
pub enum Change {
    /// The full current state of a board.
    Board(Arc<BoardView>),
    Event(Arc<EventView>),
    /// A board that has left the hall.
    Gone(Arc<str>),
    /// The players, pairings or results have changed; this is their new version number. Readers request the data separately.
    Tournament(u64),
}

impl Delta {
    pub fn change(&self) -> &Change {
        &self.change
    }

    /// Returns the change as a server-sent event, ready to be written. Its data is `{"epoch", "seq", "hub_us", …}` and one of `board`, `event`,
    /// `gone` and `tournament`.
    pub fn frame(&self) -> Bytes {
        self.frame.get_or_init(|| encode::frame(self)).clone()
    }

    /// Returns the data of the server-sent event: one JSON object.
    pub(crate) fn data(&self) -> Bytes {
        let frame = self.frame();
        let start = memchr::memmem::find(&frame, encode::DATA).map(|at| at + encode::DATA.len());
        let end = frame.len().saturating_sub(encode::END.len());
        frame.slice(start.unwrap_or(end).min(end)..end)
    }
}

/// Every board at one position in the public feed.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The feed's epoch. Sequence numbers of a different epoch are meaningless here.
    pub epoch: u64,
    /// Sequence number of the newest change in the snapshot.
    pub seq: u64,
    /// The hub instant of the snapshot, in microseconds.
    pub hub_us: i64,
    pub event: Arc<EventView>,
    /// The version of the event's players, pairings and results; `None` before the first.
    pub tournament: Option<u64>,
    /// All boards in board order, as they were published.
    pub boards: Vec<Arc<BoardView>>,
}

impl Snapshot {
    /// Returns the body of `/live/boards.json`, with every time in hand at [`Snapshot::hub_us`].
    pub(crate) fn to_json(&self) -> Bytes {
        encode::snapshot(self)
    }
}

/// The newest moves of a game, from one published state of its board.
#[derive(Clone)]
pub(crate) struct NewestMoves(Arc<BoardDetail>);

impl NewestMoves {
    /// Returns the moves, oldest first.
    pub(crate) fn lines(&self) -> &[PressLine] {
        &self.0.presses
    }

    /// Returns true if both belong to the same published state of a board.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The hall as spectators see it.
#[derive(Clone)]
pub struct PublicHall(Arc<LiveHall>);

impl PublicHall {
    pub(super) fn of(hall: Arc<LiveHall>) -> Self {
        Self(hall)
    }

    pub fn epoch(&self) -> u64 {
        self.0.epoch()
    }

    pub fn hub_us(&self) -> i64 {
        self.0.hub_us()
    }

    pub fn snapshot(&self) -> Snapshot {
        let state = self.0.read();
        let boards = state.boards.values();
        Snapshot {
            epoch: self.epoch(),
            seq: self.newest(),
            hub_us: self.hub_us(),
            event: state.event.clone(),
            tournament: state.tournament,
            boards: boards.map(|board| board.view.clone()).collect(),
        }
    }

    /// Returns the sequence number of the newest public change; 0 before the first.
    pub fn newest(&self) -> u64 {
        self.0.public.newest()
    }

    pub fn board(&self, board: &str) -> Option<Arc<BoardView>> {
        let state = self.0.read();
        let found = state.boards.get(&BoardOrder::of(board))?;
        Some(found.view.clone())
    }

    /// Returns the newest moves of the game on `board`, as they were last published.
    pub(crate) fn moves_of(&self, board: &str) -> Option<NewestMoves> {
        let newest = self.0.board_for(Audience::Viewers, board)?;
        Some(NewestMoves(newest))
    }

    pub fn board_count(&self) -> usize {
        self.0.counts().0
    }

    /// Returns the names of the boards before and after `board` in board order.
    pub fn neighbours(&self, board: &str) -> (Option<String>, Option<String>) {
        let state = self.0.read();
        let order = BoardOrder::of(board);
        let name = |(_, board): (&BoardOrder, &Published)| board.view.board.clone();
        let before = state.boards.range(..&order).next_back().map(name);
        let after = (Excluded(&order), Unbounded);
        (before, state.boards.range(after).next().map(name))
    }

    /// Returns the published players, pairings and results, with their version; `None` while there is no event.
    pub fn tournament(&self) -> Option<TournamentNow> {
        self.0.tournament_for(Audience::Viewers)
    }

    pub fn event(&self) -> Arc<EventView> {
        self.0.event()
    }

    /// Returns the changes after `seq`, at most `limit` of them, oldest first. Returns `None` if some are no longer kept or `seq` was never
    /// assigned.
    pub(crate) fn changes(&self, seq: u64, limit: usize) -> Option<Vec<Arc<Delta>>> {
        self.0.public.changes(seq, limit)
    }

    /// Follows the public data, from just after `after`, an `(epoch, seq)` pair; without `after`, from now on. If the changes in between have left
    /// the feed, or never belonged to this epoch, the first message is [`Message::Resync`](super::Message::Resync).
    pub fn subscribe(&self, after: Option<(u64, u64)>) -> Subscription<Arc<Delta>> {
        self.0.public.subscribe(after)
    }

    /// Like [`PublicHall::subscribe`], but if `board` is given, the reader gets no changes about other boards.
    pub(crate) fn subscribe_to(
        &self,
        board: Option<&str>,
        after: Option<(u64, u64)>,
    ) -> Subscription<Arc<Delta>> {
        self.0.public.subscribe_to(board, after)
    }
}
