//! The part of the hall that everyone may see: boards as spectators see them, and the changes of these. Owns the public numbering; never
//! gives out what only arbiters may see.

use std::ops::Bound::{Excluded, Unbounded};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;

use super::{BoardOrder, LiveHall, Published, Subscription, encode};
use hall::view::{BoardView, EventView};

/// One numbered change, encoded when the first spectator takes it, and then shared by all.
#[derive(Debug)]
pub struct Delta {
    pub(super) epoch: u64,
    pub(super) seq: u64,
    pub(super) hub_us: i64,
    pub(super) change: Change,
    pub(super) frame: OnceLock<Bytes>,
}

/// What a [`Delta`] is about.
#[derive(Clone, Debug)]
pub enum Change {
    /// A board as it stands now, whole.
    Board(Arc<BoardView>),
    /// The event's name, round and the like.
    Event(Arc<EventView>),
    /// A board that is no longer part of the hall.
    Gone(Arc<str>),
    /// Players, pairings or results of the event are others; the version they have now. What they are is asked for.
    Tournament(u64),
}

impl Delta {
    /// What changed.
    pub fn change(&self) -> &Change {
        &self.change
    }

    /// The change as a server-sent event, ready to be written. Its data is `{"epoch", "seq", "hub_us", …}` with `board`, `event`,
    /// `gone` or `tournament`.
    pub fn frame(&self) -> Bytes {
        self.frame.get_or_init(|| encode::frame(self)).clone()
    }
}

/// Every board at one place in the public feed.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The feed's epoch: sequence numbers of another one mean nothing here.
    pub epoch: u64,
    /// The newest change contained.
    pub seq: u64,
    /// Hub instant the times in hand are given for.
    pub hub_us: i64,
    /// The event.
    pub event: Arc<EventView>,
    /// The version of the event's players, pairings and results; `None` before anything was said of them.
    pub tournament: Option<u64>,
    /// All boards in board order, as they were published.
    pub boards: Vec<Arc<BoardView>>,
}

impl Snapshot {
    /// The body of `/live/boards.json`, with every time in hand as it is at [`Snapshot::hub_us`].
    pub fn to_json(&self) -> Bytes {
        encode::snapshot(self)
    }
}

/// The hall as everyone may see it.
#[derive(Clone)]
pub struct PublicHall(Arc<LiveHall>);

impl PublicHall {
    pub(super) fn of(hall: Arc<LiveHall>) -> Self {
        Self(hall)
    }

    /// The epoch of every identifier of this feed.
    pub fn epoch(&self) -> u64 {
        self.0.epoch()
    }

    /// The hub's time in microseconds.
    pub fn hub_us(&self) -> i64 {
        self.0.hub_us()
    }

    /// Every board as of now.
    pub fn snapshot(&self) -> Snapshot {
        let state = self.0.read();
        Snapshot {
            epoch: self.epoch(),
            seq: self.newest(),
            hub_us: self.hub_us(),
            event: state.event.clone(),
            tournament: state.tournament,
            boards: state
                .boards
                .values()
                .map(|board| board.view.clone())
                .collect(),
        }
    }

    /// The sequence number of the newest public change; 0 before the first.
    pub fn newest(&self) -> u64 {
        self.0.public.newest()
    }

    /// One board, as it was last published.
    pub fn board(&self, board: &str) -> Option<Arc<BoardView>> {
        let state = self.0.read();
        let found = state.boards.get(&BoardOrder::of(board))?;
        Some(found.view.clone())
    }

    /// How many boards there are.
    pub fn board_count(&self) -> usize {
        self.0.counts().0
    }

    /// The boards before and after `board` in board order.
    pub fn neighbours(&self, board: &str) -> (Option<String>, Option<String>) {
        let state = self.0.read();
        let order = BoardOrder::of(board);
        let name = |(_, board): (&BoardOrder, &Published)| board.view.board.clone();
        let before = state.boards.range(..&order).next_back().map(name);
        let after = (Excluded(&order), Unbounded);
        (before, state.boards.range(after).next().map(name))
    }

    /// The event, as it was last published.
    pub fn event(&self) -> Arc<EventView> {
        self.0.event()
    }

    /// Follows what is public: from just after `after`, an `(epoch, seq)` pair, or from now on when there is none. When the
    /// changes in between have left the feed, or never belonged to this epoch, the first message is
    /// [`Message::Resync`](super::Message::Resync).
    pub fn subscribe(&self, after: Option<(u64, u64)>) -> Subscription<Arc<Delta>> {
        self.0.public.subscribe(after)
    }
}
