//! The replay of a game: its timeline matches the hall's own trace, and a supposition changes only what depends on it.

use std::collections::BTreeMap;

use hall::replay::{
    Added, Comparison, MomentDetail, MoveName, RecordIndex, ReplayError, Supposition, Timeline,
    game, suppose,
};
use hall::{Action, GameCursor, GamePlace, view};
use proptest::prelude::*;
use proto::Side;
use proto::ids::EventSeq;
use proto::log::{MoveMade, Record};
use timing::Button;

use crate::mill::{Mill, mill_action};
use crate::rig::{HandClock, Rig, id};

type Records = Vec<(u64, Record)>;

fn indexed(log: &[Record]) -> RecordIndex {
    let mut index = RecordIndex::default();
    for (at, record) in log.iter().enumerate() {
        index.add(at as u64, record);
    }
    index
}

fn needed(log: &[Record], index: &RecordIndex, board: &str, place: GamePlace) -> Records {
    let needed = index.needed(&id(board), place);
    let records = needed.into_iter();
    records
        .map(|at| (at, log[usize::try_from(at).unwrap()].clone()))
        .collect()
}

fn newest(rig: &Rig) -> (Records, Timeline) {
    let index = indexed(&rig.log);
    let place = index.find(&id("1"), 0, 0).unwrap();
    let records = needed(&rig.log, &index, "1", place);
    let timeline = game(&records, &id("1"), place.game).unwrap();
    (records, timeline)
}

fn what_if(rig: &Rig, supposition: &Supposition) -> Result<Comparison, ReplayError> {
    let (records, was) = newest(rig);
    suppose(&records, was, supposition)
}

/// Returns the moves of each game on each board, as the hall traced them when it applied the records.
fn traced(log: &[Record]) -> BTreeMap<(String, u32), Vec<(u64, MoveMade)>> {
    let mut cursor = GameCursor::default();
    let mut traced: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (at, record) in log.iter().enumerate() {
        let place = cursor.place(record);
        let of = traced
            .entry((record.board.clone(), place.game))
            .or_default();
        let moves = record.changed.iter().flat_map(|changed| &changed.moves);
        of.extend(moves.map(|made| (at as u64, *made)));
    }
    traced
}

fn moves_of(timeline: &Timeline) -> Vec<(u64, Side, u32, i64, i64)> {
    let moves = timeline.moments.iter().filter_map(|moment| {
        let MomentDetail::Move {
            side,
            number,
            used_us,
            ..
        } = moment.what
        else {
            return None;
        };
        let (side, left) = match side {
            view::Side::White => (Side::White, moment.clocks.white.us),
            view::Side::Black => (Side::Black, moment.clocks.black.us),
        };
        Some((moment.record, side, number, used_us, left))
    });
    moves.collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]
    #[test]
    fn every_game_replays_as_the_hall_traced_it(actions in prop::collection::vec(mill_action(), 1..120)) {
        let mill = Mill::after(actions);
        let log = &mill.rig.log;
        let (index, traced) = (indexed(log), traced(log));
        for ((board, number), moves) in traced {
            if board.is_empty() || number == 0 {
                continue;
            }
            let place = index.find(&id(&board), number, 0).unwrap();
            let records = needed(log, &index, &board, place);
            let timeline = game(&records, &id(&board), number).unwrap();
            let expected: Vec<_> = moves
                .iter()
                .map(|(at, made)| (*at, made.side(), made.r#move, made.used_us, made.left_us))
                .collect();
            prop_assert_eq!(moves_of(&timeline), expected, "board {} game {}", board, number);
            for moment in &timeline.moments {
                // An absurd stamp may be before the start of the game.
                let within = moment.at_us >= timeline.start_us();
                prop_assert!(timeline.at(moment.at_us).is_some() || !within);
            }
            let same = suppose(&records, timeline.clone(), &Supposition::default()).unwrap();
            prop_assert!(same.is_same());
            prop_assert_eq!(same.would, timeline);
        }
    }
}

/// Plays two moves by each side, in 2 s, 1 s, 3 s and 4 s, at five minutes for each player. An arbiter gives Black two minutes during the game.
fn game_with_two_minutes() -> (Rig, HandClock) {
    let (mut rig, mut clock) = Rig::running("5m");
    rig.pass(2.0);
    clock.press(&mut rig, Button::Left);
    rig.pass(1.0);
    clock.press(&mut rig, Button::Right);
    rig.pass(1.0);
    rig.ask("1", "add black 2m");
    clock.hear(&mut rig);
    clock.take_orders(&mut rig);
    rig.pass(2.0);
    clock.press(&mut rig, Button::Left);
    rig.pass(4.0);
    clock.press(&mut rig, Button::Right);
    (rig, clock)
}

fn added_record(timeline: &Timeline) -> u64 {
    let action = timeline
        .moments
        .iter()
        .find_map(|moment| match &moment.what {
            MomentDetail::Action { asked, .. } if moment.clocks.black.us > 300_000_000 => *asked,
            _ => None,
        });
    action.unwrap()
}

#[test]
fn a_game_without_the_two_minutes_has_two_minutes_less() {
    let (rig, _) = game_with_two_minutes();
    let (_, was) = newest(&rig);
    let without = Supposition {
        without: vec![added_record(&was)],
        ..Supposition::default()
    };
    let compared = what_if(&rig, &without).unwrap();
    let changed: Vec<_> = compared
        .moves
        .iter()
        .map(|change| {
            let (was, would) = (change.was.unwrap(), change.would.unwrap());
            assert_eq!((was.white_us, was.used_us), (would.white_us, would.used_us));
            (change.number, change.side, was.black_us, would.black_us)
        })
        .collect();
    assert_eq!(
        changed,
        [
            (2, view::Side::White, 419_000_000, 299_000_000),
            (2, view::Side::Black, 415_000_000, 295_000_000),
        ]
    );
    assert_eq!(compared.flags, []);
    let added: Added = "black +2m before 2b".parse().unwrap();
    let again = Supposition {
        add: vec![added],
        ..without
    };
    let compared = what_if(&rig, &again).unwrap();
    let [only] = &compared.moves[..] else {
        panic!("{:?}", compared.moves);
    };
    assert_eq!((only.number, only.side), (2, view::Side::White));
}

#[test]
fn a_restore_puts_the_supposed_clock_back_before_the_same_press() {
    let (mut rig, mut clock) = game_with_two_minutes();
    rig.ask("1", "pause");
    clock.hear(&mut rig);
    clock.take_orders(&mut rig);
    let (_, played) = newest(&rig);
    let press = played
        .moments
        .iter()
        .rev()
        .find_map(|moment| match &moment.what {
            MomentDetail::Move { basis, .. } => basis.as_ref().map(|basis| EventSeq(basis.event)),
            _ => None,
        });
    let last = press.unwrap();
    let restore = rig.chief("1", Action::RestoreBefore(last));
    assert!(rig.send(restore).is_none());
    clock.hear(&mut rig);
    clock.take_orders(&mut rig);
    let (_, was) = newest(&rig);
    let without = Supposition {
        without: vec![added_record(&was)],
        ..Supposition::default()
    };
    let compared = what_if(&rig, &without).unwrap();
    let end = |timeline: &Timeline| {
        let clocks = &timeline.moments.last().unwrap().clocks;
        (clocks.white.us, clocks.black.us)
    };
    let (white_us, black_us) = end(&compared.was);
    assert_eq!(end(&compared.would), (white_us, black_us - 120_000_000));
}

#[test]
fn a_flag_that_would_have_fallen_is_named() {
    let (rig, _) = game_with_two_minutes();
    let shorter = Supposition {
        control: Some("4s".parse().unwrap()),
        ..Supposition::default()
    };
    let compared = what_if(&rig, &shorter).unwrap();
    let [flag] = compared.flags[..] else {
        panic!("{:?}", compared.flags);
    };
    // White used 2 s for move 1, so with 4 s in total the flag falls 2 s into move 2, which took 3 s. Black had used 1 s and received
    // two minutes.
    assert_eq!(
        (flag.side, flag.was_us, flag.during),
        (view::Side::White, None, 2)
    );
    let second = compared.was.moments.iter().find(|moment| {
        matches!(
            moment.what,
            MomentDetail::Move {
                side: view::Side::White,
                number: 2,
                ..
            }
        )
    });
    let pressed = second.unwrap().at_us;
    assert_eq!(pressed - flag.would_us.unwrap(), 1_000_000);
}

#[test]
fn the_state_at_a_move_has_the_clocks_before_and_after_the_press() {
    let (mut rig, mut clock) = Rig::running("5m+10s");
    rig.pass(7.0);
    clock.press(&mut rig, Button::Left);
    let (_, timeline) = newest(&rig);
    let name: MoveName = "1w".parse().unwrap();
    let standing = timeline.at_move(name).unwrap();
    // The first increment is already on the clock at the start.
    assert_eq!(standing.pressed.clocks.white.us, 303_000_000);
    assert_eq!(standing.after.clocks.white.us, 313_000_000);
    assert_eq!(standing.after.depends_on.len(), 1);
    assert!(timeline.at_move("2w".parse().unwrap()).is_none());
}

#[test]
fn the_state_at_an_instant_counts_down_to_it() {
    let (rig, _) = game_with_two_minutes();
    let (_, timeline) = newest(&rig);
    let first = timeline.at_move("1w".parse().unwrap()).unwrap();
    let half = timeline.at(first.after.at_us + 500_000).unwrap();
    assert_eq!(half.clocks.black.us, 299_500_000);
    assert_eq!(half.clocks.white.us, 298_000_000);
    assert_eq!(half.clocks.turn, Some(view::Side::Black));
    assert!(timeline.at(timeline.start_us() - 1).is_none());
}

#[test]
fn a_command_is_pending_until_the_clock_carries_it_out() {
    let (mut rig, mut clock) = Rig::running("5m");
    clock.hear(&mut rig);
    rig.pass(1.0);
    rig.ask("1", "pause");
    let asked = rig.now.as_micros();
    rig.pass(1.0);
    clock.hear(&mut rig);
    clock.take_orders(&mut rig);
    let (_, timeline) = newest(&rig);
    let waiting = timeline.at(asked + 500_000).unwrap();
    let [pending] = &waiting.pending[..] else {
        panic!("{:?}", waiting.pending);
    };
    assert_eq!(
        (pending.command.as_str(), pending.since_us),
        ("pause", asked)
    );
    let done = timeline.at(rig.now.as_micros()).unwrap();
    assert_eq!(done.pending, []);
    assert_eq!(done.clocks.state, view::BoardState::Paused);
}

#[test]
fn a_supposition_that_does_not_fit_is_refused() {
    let (rig, _) = game_with_two_minutes();
    let without = Supposition {
        without: vec![0],
        ..Supposition::default()
    };
    assert_eq!(what_if(&rig, &without), Err(ReplayError::NoAction(0)));
    let never = Supposition {
        add: vec!["white +1m before 40w".parse().unwrap()],
        ..Supposition::default()
    };
    let refused = what_if(&rig, &never);
    assert!(
        matches!(refused, Err(ReplayError::NeverDue(_))),
        "{refused:?}"
    );
}

#[test]
fn an_earlier_game_is_found_by_its_number() {
    let (mut rig, mut clock) = game_with_two_minutes();
    for command in ["end draw", "prepare left arbiter 3m+2s"] {
        rig.ask("1", command);
        clock.hear(&mut rig);
        clock.take_orders(&mut rig);
    }
    let index = indexed(&rig.log);
    assert_eq!(index.games(&id("1")).len(), 2);
    let place = index.find(&id("1"), 1, 0).unwrap();
    let records = needed(&rig.log, &index, "1", place);
    let first = game(&records, &id("1"), 1).unwrap();
    assert_eq!((first.control.as_str(), moves_of(&first).len()), ("5m", 4));
    let (_, second) = newest(&rig);
    assert_eq!((second.game, second.control.as_str()), (2, "3m+2s"));
    let missing = index.find(&id("1"), 0, 7).unwrap_err();
    assert!(missing.to_string().contains("game 1, game 2"), "{missing}");
}

#[test]
fn the_chart_has_a_bar_for_each_move() {
    let (rig, _) = game_with_two_minutes();
    let (_, timeline) = newest(&rig);
    let svg = hall::replay::chart(&timeline);
    assert_eq!(svg.matches("<rect").count(), 4);
    assert_eq!(svg.matches("<polyline").count(), 2);
}
