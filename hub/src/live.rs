//! The published state of the hall: the one place where pages, arbiters and the hub's own tasks read durable state.
//!
//! One task writes, in batches, after the records are durable; any number of readers read. Each of three audiences has its own feed with
//! its own numbers: spectators, viewers and arbiters. An audience's data is computed from what it may see. Spectators and viewers get a change
//! only when their data has changed. Neither its time nor its number therefore reveals anything else (FIDE 12.6).
//! `BoardDetail::for_viewers` and [`tournament::Publication`] decide what an audience may see.
//!
//! A feed keeps its newest changes. A reader that returns within them gets exactly what it missed; one that fell behind is told to resynchronise. A
//! slow reader therefore never delays the writer.
//!
//! Must never decide what a change means. Must never receive anything that is not yet durable, except notes about the hub itself.

mod encode;
mod feed;
mod order;
mod public;
mod update;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use tokio::sync::{Notify, watch};

use crate::metrics;
pub(crate) use feed::Feed;
use hall::view::{BoardView, EventView};
use hall::{BoardDetail, BoardNote, EventNo, FloorPlan, HeldCommand, NoteKind, TournamentNow};
use timing::Instant;
use tournament::Publication;

pub use feed::{Message, Subscription};
pub(crate) use order::BoardOrder;
pub(crate) use public::NewestMoves;
pub use public::{Change, Delta, PublicHall, Snapshot};
pub use update::{Announcement, Update};

/// Default number of changes that a reader may miss and still resume: about 15 s of a thousand blitz boards.
pub const RING: usize = 4096;
/// Number of changes that a viewer may miss and still resume. A viewer who falls further behind reads the whole hall again.
const VIEWERS_RING: usize = 256;

/// Length, per reader, of the pause after a wake-up in which further changes are collected. Hundreds of boards change more often than anyone can see.
const GATHERED_EACH: Duration = Duration::from_micros(5);
/// Maximum pause, however many readers there are.
const LONGEST_GATHERED: Duration = Duration::from_millis(10);
/// Minimum length of the pause; a shorter one is skipped.
const SHORTEST_GATHERED: Duration = Duration::from_millis(1);

/// Largest epoch: epochs travel as JSON numbers, which browsers represent exactly up to 2^53.
const EXACT: u64 = (1 << 53) - 1;

/// Returns the length of the pause after waking this many readers; `None` if the pause is skipped.
fn gathered(readers: usize) -> Option<Duration> {
    let readers = u32::try_from(readers).unwrap_or(u32::MAX);
    let gathered = GATHERED_EACH.saturating_mul(readers).min(LONGEST_GATHERED);
    (gathered >= SHORTEST_GATHERED).then_some(gathered)
}

/// The readers with an enrolled device or a key file, by the data that they may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Arbiters see everything about boards, including notes, calls and pending commands.
    Arbiters,
    /// Viewers see the published data and the newest moves.
    Viewers,
}

/// A change in the data for an audience. Readers fetch the current data from the hall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HallChange {
    /// A board has changed. Arbiters also get this for a change to the messages about a board.
    Board(Arc<str>),
    /// A board has left the hall.
    Gone(Arc<str>),
    /// The event's name, round or similar data has changed. Arbiters also get this for a change to the notes about the hub itself.
    Event,
}

/// The state of every board at one position in the feed of an audience.
#[derive(Clone, Debug)]
pub struct HallSnapshot {
    /// Sequence number of the newest change in the snapshot.
    pub seq: u64,
    pub event: Arc<EventView>,
    /// All boards in board order.
    pub boards: Vec<Arc<BoardDetail>>,
}

pub struct LiveHall {
    epoch: u64,
    hub_now: Box<dyn Fn() -> i64 + Send + Sync>,
    state: RwLock<State>,
    public: Arc<Feed<Arc<Delta>>>,
    arbiters: Arc<Feed<HallChange>>,
    viewers: Arc<Feed<HallChange>>,
    tournament: watch::Sender<Option<TournamentNow>>,
    /// The event as published; its version counts the published states.
    published: watch::Sender<Option<TournamentNow>>,
    floor: watch::Sender<FloorPlan>,
    held: watch::Sender<Vec<HeldCommand>>,
    /// Announces that a game has ended.
    games_over: watch::Sender<()>,
    /// Notifier of the task that wakes many spectators; empty until that task runs.
    waking: OnceLock<Notify>,
}

#[derive(Default)]
struct State {
    boards: BTreeMap<BoardOrder, Published>,
    event: Arc<EventView>,
    /// The version of the published players, pairings and results; `None` before the first.
    tournament: Option<u64>,
    publication: Option<(EventNo, Publication)>,
    /// Number of boards whose clocks are connected.
    online: usize,
    /// Notes about the hub itself, most urgent first; at most one of each kind.
    hub_notes: Vec<BoardNote>,
}

struct Published {
    detail: Arc<BoardDetail>,
    viewers: Arc<BoardDetail>,
    /// The view in the newest change for spectators.
    view: Arc<BoardView>,
}

impl LiveHall {
    /// Creates an empty hall. `epoch` distinguishes this run of the hub from every other; only its low 53 bits are used. `capacity` is the number
    /// of changes that a reader may miss and still resume (see [`RING`]). `hub_now` reads the hub's timeline in microseconds.
    pub fn new(
        epoch: u64,
        capacity: usize,
        hub_now: impl Fn() -> i64 + Send + Sync + 'static,
    ) -> Self {
        let epoch = epoch & EXACT;
        Self {
            epoch,
            hub_now: Box::new(hub_now),
            state: RwLock::default(),
            public: Arc::new(Feed::new(epoch, capacity)),
            arbiters: Arc::new(Feed::new(epoch, capacity)),
            viewers: Arc::new(Feed::new(epoch, capacity.min(VIEWERS_RING))),
            tournament: watch::Sender::default(),
            published: watch::Sender::default(),
            floor: watch::Sender::default(),
            held: watch::Sender::default(),
            games_over: watch::Sender::default(),
            waking: OnceLock::new(),
        }
    }

    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    pub fn hub_us(&self) -> i64 {
        (self.hub_now)()
    }

    /// Publishes a batch of changes: a snapshot contains all of it or nothing. Only one task may publish the hall, after the records behind the batch
    /// are durable. Waiting readers are woken when the announcement is dropped.
    pub fn update(&self, changes: impl FnOnce(&mut Update<'_>)) -> Announcement<'_> {
        update::run(self, changes)
    }

    /// Wakes spectators from now on, unless they are so few that publishers wake them. Changes published during a wake-up, or shortly after it, reach
    /// spectators together. Never returns.
    pub(crate) async fn keep_waking_spectators(&self) {
        let due = self.waking.get_or_init(Notify::new);
        loop {
            if self.wake_spectators()
                && let Some(gathered) = gathered(self.public.readers())
            {
                tokio::time::sleep(gathered).await;
            }
            due.notified().await;
        }
    }

    fn wake_spectators(&self) -> bool {
        let changes = self.public.wake();
        if changes > 0 {
            metrics::live_deltas(changes);
        }
        changes > 0
    }

    /// Announces to arbiters a change to data of a board that this hall does not store.
    pub(crate) fn tell_arbiters(&self, board: &str) {
        self.arbiters.push(|_| HallChange::Board(Arc::from(board)));
        self.arbiters.wake();
    }

    /// Publishes a note about the hub itself, which replaces any note of the same kind. Any task may call this, because these notes are not part of
    /// the hall's state.
    pub(crate) fn note(&self, kind: NoteKind, text: String) {
        let since = Some(Instant::from_micros(self.hub_us()));
        let note = BoardNote {
            since,
            ..BoardNote::new(kind, text)
        };
        drop(self.update(|update| update.hub_note(note)));
    }

    pub(crate) fn end_note(&self, kind: NoteKind) {
        drop(self.update(|update| update.hub_note_over(kind)));
    }

    pub fn public(self: &Arc<Self>) -> PublicHall {
        PublicHall::of(self.clone())
    }

    /// Returns one board, for arbiters.
    pub fn board(&self, board: &str) -> Option<Arc<BoardDetail>> {
        self.board_for(Audience::Arbiters, board)
    }

    pub fn board_for(&self, audience: Audience, board: &str) -> Option<Arc<BoardDetail>> {
        let state = self.read();
        let found = state.boards.get(&BoardOrder::of(board))?;
        Some(found.detail_for(audience).clone())
    }

    /// Returns every board as arbiters see it, in board order.
    pub fn boards(&self) -> Vec<Arc<BoardDetail>> {
        self.read().details_for(Audience::Arbiters)
    }

    pub fn event(&self) -> Arc<EventView> {
        self.read().event.clone()
    }

    /// Returns players, pairings and results as arbiters see them; `None` while the hub has no event.
    pub fn tournament(&self) -> Option<TournamentNow> {
        self.tournament.borrow().clone()
    }

    pub fn tournament_for(&self, audience: Audience) -> Option<TournamentNow> {
        self.tournaments(audience).borrow().clone()
    }

    /// Follows players, pairings and results as an audience sees them. A slow reader sees the newest state, not every intermediate one.
    pub(crate) fn follow_tournament(
        &self,
        audience: Audience,
    ) -> watch::Receiver<Option<TournamentNow>> {
        self.tournaments(audience).subscribe()
    }

    fn tournaments(&self, audience: Audience) -> &watch::Sender<Option<TournamentNow>> {
        match audience {
            Audience::Arbiters => &self.tournament,
            Audience::Viewers => &self.published,
        }
    }

    pub fn floor(&self) -> FloorPlan {
        self.floor.borrow().clone()
    }

    /// Follows the floor plan. A slow reader sees the newest plan.
    pub(crate) fn follow_floor(&self) -> watch::Receiver<FloorPlan> {
        self.floor.subscribe()
    }

    /// Returns the commands that wait for a second arbiter, oldest first.
    pub fn held(&self) -> Vec<HeldCommand> {
        self.held.borrow().clone()
    }

    /// Follows the commands that wait for a second arbiter. A slow reader sees the newest list.
    pub(crate) fn follow_held(&self) -> watch::Receiver<Vec<HeldCommand>> {
        self.held.subscribe()
    }

    /// Follows the ends of games. Games that end together are announced once.
    pub(crate) fn follow_games_over(&self) -> watch::Receiver<()> {
        self.games_over.subscribe()
    }

    /// Returns the number of boards, and the number whose clocks are connected.
    pub fn counts(&self) -> (usize, usize) {
        let state = self.read();
        (state.boards.len(), state.online)
    }

    /// Checks that the log has not stopped.
    ///
    /// # Errors
    /// Returns the text of the note that says why the log has stopped.
    pub fn health(&self) -> Result<(), String> {
        let state = self.read();
        let stopped = |note: &&BoardNote| note.kind == NoteKind::LogStopped;
        let stopped = state.hub_notes.iter().find(stopped);
        stopped.map_or(Ok(()), |note| Err(note.text.clone()))
    }

    /// Returns the notes about the hub itself, most urgent first.
    pub fn hub_notes(&self) -> Vec<BoardNote> {
        self.read().hub_notes.clone()
    }

    /// Returns every board as an audience sees it now, and the position in the audience's feed.
    pub fn snapshot_for(&self, audience: Audience) -> HallSnapshot {
        let state = self.read();
        HallSnapshot {
            // Read before the boards: acknowledgements are announced without the lock, and sending one twice is better than missing it.
            seq: self.feed(audience).newest(),
            event: state.event.clone(),
            boards: state.details_for(audience),
        }
    }

    /// Follows the data for arbiters; see [`Self::subscribe_for`].
    pub fn subscribe(&self, after: Option<(u64, u64)>) -> Subscription<HallChange> {
        self.subscribe_for(Audience::Arbiters, after)
    }

    /// Follows the data for an audience, from just after `after`, an `(epoch, seq)` pair; without `after`, from now on. If the changes in between
    /// have left the feed, or never belonged to this epoch, the first message is [`Message::Resync`].
    pub fn subscribe_for(
        &self,
        audience: Audience,
        after: Option<(u64, u64)>,
    ) -> Subscription<HallChange> {
        self.feed(audience).subscribe(after)
    }

    fn feed(&self, audience: Audience) -> &Arc<Feed<HallChange>> {
        match audience {
            Audience::Arbiters => &self.arbiters,
            Audience::Viewers => &self.viewers,
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, State> {
        // Keep serving readers even if a writer has panicked.
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn details_for(&self, audience: Audience) -> Vec<Arc<BoardDetail>> {
        let details = self.boards.values().map(|board| board.detail_for(audience));
        details.cloned().collect()
    }
}

impl Published {
    fn detail_for(&self, audience: Audience) -> &Arc<BoardDetail> {
        match audience {
            Audience::Arbiters => &self.detail,
            Audience::Viewers => &self.viewers,
        }
    }
}

#[cfg(test)]
mod tests;
