//! Two halls that differ only in matters for arbiters give spectators, viewers and clocks the same bytes (FIDE 12.6).

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use futures::FutureExt as _;
use hall::{Action, HubEffect, Outcome};
use hub::live::{Audience, HallChange, LiveHall, Message, Subscription};

use crate::world::{Faults, World};

/// The index of the clock that loses its link, and its board's name.
const AWAY: (usize, &str) = (2, "3");

#[test]
fn arbiters_matters_change_no_byte_for_other_audiences() {
    for seed in 300..308 {
        let (quiet, busy) = (played(seed, false), played(seed, true));
        let notes = busy.notes("bad_signature");
        assert!(notes > 5, "seed {seed}: {notes} notes");
        let (quiet, busy) = (Streams::of(&quiet), Streams::of(&busy));
        assert!(quiet.arbiters + 20 < busy.arbiters, "arbiters learn of it");
        assert!(quiet.public.len() > 50, "seed {seed}");
        assert_same(&quiet.public, &busy.public, seed);
        assert_same(&quiet.viewers, &busy.viewers, seed);
        assert_same(&quiet.clocks, &busy.clocks, seed);
    }
}

#[track_caller]
fn assert_same(quiet: &[String], busy: &[String], seed: u64) {
    let differs = quiet.iter().zip(busy).find(|(one, two)| one != two);
    assert_eq!(differs, None, "seed {seed}");
    assert_eq!(quiet.len(), busy.len(), "seed {seed}");
}

/// Plays on three boards, one of which loses its clock. If `busy` is true, notes are raised and acknowledged, and commands stay pending, are
/// withdrawn, or are refused.
fn played(seed: u64, busy: bool) -> World {
    let mut world = World::new(seed, 3, "30m+1s", Faults::NONE);
    world.start_all();
    let mut waiting = None;
    for turn in 0..40 {
        // During a long time without a press, the drift of the clocks' crystals adds up.
        match turn % 4 {
            3 => world.let_pass(20.0),
            _ => world.play(3.0),
        }
        if turn == 8 {
            world.cut(AWAY.0);
            world.let_pass(5.0);
        }
        if !busy {
            continue;
        }
        world.forge_event(0);
        world.command("1", Action::Board("flag white".parse().unwrap()));
        if turn % 3 == 2 {
            world.acknowledge_notes("1");
        }
        match waiting.take() {
            Some(id) => drop(world.command(AWAY.1, Action::Withdraw(id))),
            None if turn > 8 => {
                let id = world.command(AWAY.1, Action::Board("pause".parse().unwrap()));
                assert_eq!(world.outcome(id), Some(Outcome::Pending));
                waiting = Some(id);
            }
            None => (),
        }
    }
    world
}

/// The data about boards and the event that the hub sends, by audience.
#[derive(Default)]
struct Streams {
    public: Vec<String>,
    viewers: Vec<String>,
    clocks: Vec<String>,
    /// Number of changes sent to arbiters.
    arbiters: usize,
}

impl Streams {
    fn of(world: &World) -> Self {
        let now = Arc::new(AtomicI64::new(0));
        let clock = now.clone();
        let live = Arc::new(LiveHall::new(7, 64, move || clock.load(Ordering::Relaxed)));
        let mut public = live.public().subscribe(None);
        let mut viewers = live.subscribe_for(Audience::Viewers, None);
        let mut arbiters = live.subscribe(None);
        let mut streams = Self::default();
        for (at, effect) in &world.carried {
            now.store(*at, Ordering::Relaxed);
            drop(live.update(|update| match effect {
                HubEffect::Publish { boards } => {
                    boards.iter().for_each(|board| update.board(board.clone()));
                }
                HubEffect::PublishEvent { event } => update.event(event.clone()),
                HubEffect::ToAgent { link, frame } => {
                    streams.clocks.push(format!("{at} {link:?} {frame:?}"));
                }
                HubEffect::BoardRemoved { board } => update.gone(board.as_str()),
                HubEffect::CloseLink { .. }
                | HubEffect::Reply { .. }
                | HubEffect::Floor(_)
                | HubEffect::Tournament { .. }
                | HubEffect::NoTournament { .. }
                | HubEffect::Notice(_)
                | HubEffect::Held(_)
                | HubEffect::Count(_) => (),
            }));
            for (_, change) in changes(&mut public) {
                let frame = String::from_utf8(change.frame().to_vec()).unwrap();
                streams.public.push(frame);
            }
            for (seq, change) in changes(&mut viewers) {
                let board = match &change {
                    HallChange::Board(name) => live.board_for(Audience::Viewers, name),
                    HallChange::Gone(_) | HallChange::Event => None,
                };
                streams
                    .viewers
                    .push(format!("{at} {seq} {change:?} {board:?}"));
            }
            streams.arbiters += changes(&mut arbiters).len();
        }
        streams
    }
}

fn changes<T: Clone>(subscription: &mut Subscription<T>) -> Vec<(u64, T)> {
    let next = || subscription.next().now_or_never().flatten();
    let changes = std::iter::from_fn(next).map(|message| match message {
        Message::Change { seq, change } => (seq, change),
        Message::Resync { seq } => panic!("changes up to {seq} were missed"),
    });
    changes.collect()
}
