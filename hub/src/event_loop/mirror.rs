//! The hall as far as it is durable, for readers that must not disturb the event loop. Written by the event loop alone; a reader
//! holds a lock for as long as it takes to clone an `Arc`.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use tokio::sync::watch;

use hall::view::EventView;
use hall::{BoardDetail, BoardId, FloorPlan, TournamentNow};

/// Every board as it was last published.
#[derive(Debug, Default)]
pub struct HallMirror {
    state: RwLock<State>,
    tournament: watch::Sender<Option<TournamentNow>>,
    floor: watch::Sender<FloorPlan>,
}

#[derive(Debug, Default)]
struct State {
    boards: BTreeMap<BoardId, Arc<BoardDetail>>,
    event: EventView,
    online: usize,
    trouble: Option<String>,
}

impl HallMirror {
    /// One board.
    pub fn board(&self, board: &str) -> Option<Arc<BoardDetail>> {
        self.read().boards.get(board).cloned()
    }

    /// Every board, in the order of their names as text.
    pub fn boards(&self) -> Vec<Arc<BoardDetail>> {
        self.read().boards.values().cloned().collect()
    }

    /// The event.
    pub fn event(&self) -> EventView {
        self.read().event.clone()
    }

    /// Players, pairings and results; `None` while the hub has no event.
    pub fn tournament(&self) -> Option<TournamentNow> {
        self.tournament.borrow().clone()
    }

    /// Follows them: whoever is slow sees the newest, not every one in between.
    pub fn follow_tournament(&self) -> watch::Receiver<Option<TournamentNow>> {
        self.tournament.subscribe()
    }

    /// Where the boards stand.
    pub fn floor(&self) -> FloorPlan {
        self.floor.borrow().clone()
    }

    /// Follows that: whoever is slow sees the newest plan.
    pub fn follow_floor(&self) -> watch::Receiver<FloorPlan> {
        self.floor.subscribe()
    }

    /// How many boards there are, and how many of their clocks are connected.
    pub fn counts(&self) -> (usize, usize) {
        let state = self.read();
        (state.boards.len(), state.online)
    }

    /// Whether the hub does its whole job.
    ///
    /// # Errors
    /// What it does not do, in a sentence.
    pub fn health(&self) -> Result<(), String> {
        self.read().trouble.clone().map_or(Ok(()), Err)
    }

    pub(super) fn set_board(&self, id: BoardId, detail: Arc<BoardDetail>) {
        let mut state = self.write();
        state.online += usize::from(detail.view.online);
        if let Some(old) = state.boards.insert(id, detail) {
            state.online -= usize::from(old.view.online);
        }
    }

    pub(super) fn remove_board(&self, id: &BoardId) {
        let mut state = self.write();
        if let Some(old) = state.boards.remove(id) {
            state.online -= usize::from(old.view.online);
        }
    }

    pub(super) fn set_event(&self, event: EventView) {
        self.write().event = event;
    }

    pub(super) fn set_tournament(&self, now: Option<TournamentNow>) {
        self.tournament.send_replace(now);
    }

    pub(super) fn set_floor(&self, plan: FloorPlan) {
        self.floor.send_replace(plan);
    }

    pub(super) fn set_trouble(&self, trouble: String) {
        self.write().trouble = Some(trouble);
    }

    // A thread that panicked while it held the lock left every field whole: each is replaced in one assignment.
    fn read(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, State> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }
}
