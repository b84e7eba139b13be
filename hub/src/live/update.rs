//! Writes one batch of changes: compares it with the spectators' state, and announces it to the readers that it concerns.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock, PoisonError};

use super::{BoardOrder, Change, Delta, HallChange, LiveHall, Published, State};
use hall::view::{BoardState, EventView};
use hall::{BoardDetail, BoardNote, FloorPlan, HeldCommand, NoteKind, TournamentNow};
use tournament::Publication;

/// Maximum number of spectators that the publisher wakes itself, so that they see a change without a detour through another task.
pub(super) const FEW_READERS: usize = 4;

/// A batch of changes being written. If it contains several states of a board, readers get only the newest.
pub struct Update<'a> {
    hall: &'a LiveHall,
    state: &'a mut State,
    hub_us: i64,
    boards: BTreeMap<BoardOrder, Arc<BoardDetail>>,
}

#[must_use = "readers are woken when it is dropped"]
pub struct Announcement<'a>(&'a LiveHall);

impl Drop for Announcement<'_> {
    fn drop(&mut self) {
        self.0.arbiters.wake();
        self.0.viewers.wake();
        match self.0.waking.get() {
            Some(due) if self.0.public.has_more_readers_than(FEW_READERS) => due.notify_one(),
            // Waking a few readers takes no longer than notifying the task.
            _ => drop(self.0.wake_spectators()),
        }
    }
}

pub(super) fn run<'a>(
    hall: &'a LiveHall,
    changes: impl FnOnce(&mut Update<'_>),
) -> Announcement<'a> {
    let mut state = hall.state.write().unwrap_or_else(PoisonError::into_inner);
    let mut update = Update {
        hub_us: hall.hub_us(),
        boards: BTreeMap::new(),
        hall,
        state: &mut state,
    };
    changes(&mut update);
    for (order, detail) in std::mem::take(&mut update.boards) {
        update.publish(order, detail);
    }
    Announcement(hall)
}

impl Update<'_> {
    pub fn board(&mut self, detail: Arc<BoardDetail>) {
        let order = BoardOrder::of(&detail.view.board);
        self.boards.insert(order, detail);
    }

    /// Removes a board from the hall.
    pub fn gone(&mut self, board: &str) {
        let order = BoardOrder::of(board);
        self.boards.remove(&order);
        let Some(old) = self.state.boards.remove(&order) else {
            return;
        };
        self.state.online -= usize::from(old.detail.view.online);
        let name: Arc<str> = board.into();
        self.tell_arbiters(HallChange::Gone(name.clone()));
        self.tell_viewers(HallChange::Gone(name.clone()));
        self.tell_everyone(Change::Gone(name));
    }

    pub fn event(&mut self, event: EventView) {
        if *self.state.event == event {
            return;
        }
        let event = Arc::new(event);
        self.state.event = event.clone();
        self.tell_arbiters(HallChange::Event);
        self.tell_viewers(HallChange::Event);
        self.tell_everyone(Change::Event(event));
    }

    /// Publishes players, pairings and results; `None` if the hub has no event.
    pub fn tournament(&mut self, now: Option<TournamentNow>) {
        let before = self.state.publication.take();
        let published = now.as_ref().map(|now| {
            let before = before.as_ref().map(|(_, before)| before);
            (now.number(), Publication::of(&now.tournament, before))
        });
        self.hall.tournament.send_replace(now);
        let same = match (&before, &published) {
            (Some((before, old)), Some((number, new))) => {
                before == number && Arc::ptr_eq(old.shown(), new.shown())
            }
            (None, None) => self.state.tournament.is_some(),
            (Some(_), None) | (None, Some(_)) => false,
        };
        self.state.publication = published;
        if same {
            return;
        }
        let newest = self.state.tournament;
        let version = newest.map_or_else(|| first_version(self.hall.epoch), |newest| newest + 1);
        let published = self.state.publication.as_ref();
        let published = published.map(|(number, publication)| {
            TournamentNow::published(version, publication.shown().clone(), *number)
        });
        self.hall.published.send_replace(published);
        self.state.tournament = Some(version);
        self.tell_everyone(Change::Tournament(version));
    }

    /// Publishes a note about the hub itself, which replaces any note of the same kind.
    pub fn hub_note(&mut self, note: BoardNote) {
        let stopped = note.kind == NoteKind::LogStopped;
        let notes = &mut self.state.hub_notes;
        notes.retain(|known| known.kind != note.kind);
        notes.push(note);
        notes.sort_by_key(|note| urgency(note.kind));
        match stopped {
            true => {
                let event = EventView::clone(&self.state.event);
                self.event(EventView {
                    recording_stopped: true,
                    ..event
                });
            }
            false => self.tell_arbiters(HallChange::Event),
        }
    }

    pub fn hub_note_over(&mut self, kind: NoteKind) {
        let notes = &mut self.state.hub_notes;
        let before = notes.len();
        notes.retain(|known| known.kind != kind);
        if notes.len() < before {
            self.tell_arbiters(HallChange::Event);
        }
    }

    pub fn floor(&mut self, plan: FloorPlan) {
        self.hall.floor.send_replace(plan);
    }

    /// Publishes the commands that wait for a second arbiter.
    pub fn held(&mut self, commands: Vec<HeldCommand>) {
        self.hall.held.send_replace(commands);
    }

    fn publish(&mut self, order: BoardOrder, detail: Arc<BoardDetail>) {
        let old = self.state.boards.get(&order);
        let was_online = old.is_some_and(|old| old.detail.view.online);
        let is_over = |detail: &BoardDetail| detail.view.state == BoardState::Over;
        if is_over(&detail) && old.is_some_and(|old| !is_over(&old.detail)) {
            self.hall.games_over.send_replace(());
        }
        let unchanged = old.filter(|old| old.view.looks_like(&detail.published, self.hub_us));
        let unchanged = unchanged.map(|old| old.view.clone());
        self.state.online += usize::from(detail.view.online);
        self.state.online -= usize::from(was_online);
        let name: Arc<str> = detail.view.board.as_str().into();
        self.tell_arbiters(HallChange::Board(name.clone()));
        let view = unchanged.unwrap_or_else(|| {
            self.tell_everyone(Change::Board(detail.published.clone()));
            detail.published.clone()
        });
        let viewers = detail.for_viewers(view.clone());
        let old = self.state.boards.get(&order);
        let known = old.map(|old| old.viewers.clone());
        let known = known.filter(|known| **known == viewers);
        let viewers = known.unwrap_or_else(|| {
            self.tell_viewers(HallChange::Board(name));
            Arc::new(viewers)
        });
        let published = Published {
            detail,
            viewers,
            view,
        };
        self.state.boards.insert(order, published);
    }

    fn tell_arbiters(&self, change: HallChange) {
        self.hall.arbiters.push(|_| change);
    }

    fn tell_viewers(&self, change: HallChange) {
        self.hall.viewers.push(|_| change);
    }

    fn tell_everyone(&self, change: Change) {
        let (epoch, hub_us) = (self.hall.epoch, self.hub_us);
        let board = match &change {
            Change::Board(board) => Some(board.board.clone()),
            Change::Gone(board) => Some(board.to_string()),
            Change::Event(_) | Change::Tournament(_) => None,
        };
        self.hall.public.push_about(board.as_deref(), |seq| {
            Arc::new(Delta {
                epoch,
                seq,
                hub_us,
                change,
                frame: OnceLock::new(),
            })
        });
    }
}

/// The most urgent notes about the hub itself, in order. They precede all others.
const URGENT: [NoteKind; 4] = [
    NoteKind::LogStopped,
    NoteKind::SpaceCritical,
    NoteKind::LogContradicted,
    NoteKind::LowSpace,
];

fn urgency(kind: NoteKind) -> usize {
    let place = URGENT.iter().position(|urgent| *urgent == kind);
    place.unwrap_or(URGENT.len())
}

/// Returns the version of the first published state of the event in a run. Versions of different runs usually differ, so that a reader does not
/// mistake a new version for one of an earlier run. A version does not reveal how many versions the arbiters have seen.
fn first_version(epoch: u64) -> u64 {
    /// Number of versions after which those of two runs may coincide.
    const RUN: u64 = 1 << 20;
    // Every version stays below 2^53, up to which browsers represent integers exactly.
    (epoch % (1 << 32)) * RUN + 1
}
