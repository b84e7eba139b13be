//! Bundles of changes that are longer than a record: split, joined, and never applied in part.

use hall::{Hall, Input, Outcome};
use prost::Message;
use proto::log::Record;
use proto::log::record::Input as Logged;
use tournament::{Actor, Change, Event};

use crate::event_rig::{apply_all, id_of, large, player};
use crate::rig::{Rig, start_up};

fn parts(log: &[Record]) -> Vec<usize> {
    let places = log.iter().enumerate().filter_map(|(place, record)| {
        let part = matches!(record.input, Some(Logged::EventChanged(_)));
        part.then_some(place)
    });
    places.collect()
}

#[test]
fn five_hundred_players_and_eleven_rounds_fit_in_one_bundle_of_small_records() {
    let mut rig = Rig::new();
    let changes = large(500, 11);
    // The rig checks that every record is within 4 KiB.
    assert_eq!(rig.chief_changes(changes.clone()), 1);
    let parts = parts(&rig.log);
    assert!(parts.len() > 10, "{} records", parts.len());
    let largest = rig.log.iter().map(Message::encoded_len).max();
    assert!(largest > Some(3_000), "records are filled: {largest:?}");
    let event = rig.event_now().unwrap();
    assert_eq!(event, apply_all(&changes));
    assert_eq!((event.players().len(), event.rounds().len()), (500, 11));
    rig.assert_replay_equals_live();
}

#[test]
fn a_change_longer_than_a_record_is_restored_whole() {
    let mut rig = Rig::new();
    let mut event = Event::new("Open", 9);
    event.kept_lines = (0..100)
        .map(|line| format!("{line} {}", "ö".repeat(60)))
        .collect();
    let mut long = event.clone();
    long.kept_lines.extend(vec!["x".repeat(20_000)]);
    let changes = vec![
        Change::SetEvent(Box::new(event)),
        player(1),
        Change::SetEvent(Box::new(long)),
        player(2),
        player(3),
    ];
    rig.chief_changes(changes.clone());
    assert!(parts(&rig.log).len() > 8);
    assert_eq!(rig.event_now(), Some(apply_all(&changes)));
    rig.assert_replay_equals_live();
}

#[test]
fn a_record_with_the_longest_name_and_reason_still_fits() {
    let mut rig = Rig::new();
    let chief = Actor::chief(&"n".repeat(240));
    let mut request = rig.request_for(chief, large(40, 3));
    request.reason = "r".repeat(300);
    assert_eq!(rig.change(request).unwrap().outcome, Outcome::Done);
    let mut event = Event::new("Open", 3);
    event.kept_lines = vec!["x".repeat(9_000)];
    let mut request = rig.request_for(
        Actor::chief(&"n".repeat(240)),
        vec![Change::SetEvent(Box::new(event))],
    );
    request.reason = "r".repeat(300);
    assert_eq!(rig.change(request).unwrap().outcome, Outcome::Done);
    rig.assert_replay_equals_live();
}

#[test]
fn a_hub_that_stops_between_parts_restarts_without_any_of_them() {
    let mut rig = Rig::new();
    let mut first = rig.request_for(Actor::chief("Chief"), large(240, 4));
    first.id = id_of(9);
    rig.change(first.clone()).unwrap();
    let parts = parts(&rig.log);
    assert!(parts.len() > 2, "{parts:?}");
    let log = rig.log.clone();
    for cut in &parts[1..] {
        rig.log = log[..*cut].to_vec();
        rig.hall = rig.replayed();
        assert_eq!(rig.event_now(), None, "half a bundle is none");
        rig.input(Input::StartUp(Box::new(start_up(None))));
        assert_eq!(rig.event_now(), None);
        // A sender who got no answer repeats the request, which then applies.
        let answer = rig.change(first.clone()).unwrap();
        assert_eq!((answer.outcome, answer.version), (Outcome::Done, 1));
        assert_eq!(rig.event_now(), Some(apply_all(&first.changes)));
        rig.assert_replay_equals_live();
    }
}

#[test]
fn a_bundle_of_many_parts_and_a_change_in_pieces_replay() {
    let mut rig = Rig::new();
    rig.chief_changes(large(240, 4));
    let mut event = Event::new("Renamed", 5);
    event.kept_lines = vec!["x".repeat(9_000)];
    rig.chief_changes(vec![player(61), Change::SetEvent(Box::new(event))]);
    rig.assert_replay_equals_live();
}

#[test]
fn a_log_with_parts_out_of_order_is_refused() {
    let mut rig = Rig::new();
    rig.chief_changes(large(240, 4));
    let parts = parts(&rig.log);
    let folded = |log: Vec<Record>| {
        let mut hall = Hall::new();
        let mut applied = log.into_iter().map(|record| hall.apply(record));
        applied.find_map(Result::err).map(|error| error.to_string())
    };
    assert_eq!(folded(rig.log.clone()), None);
    let mut missing = rig.log.clone();
    missing.remove(parts[1]);
    let mut swapped = rig.log.clone();
    swapped.swap(parts[0], parts[1]);
    let mut foreign = rig.log.clone();
    if let Some(Logged::EventChanged(part)) = &mut foreign[parts[1]].input {
        part.id = vec![7; 16];
    }
    for log in [missing, swapped, foreign] {
        let error = folded(log).unwrap();
        assert!(error.contains("does not follow"), "{error}");
    }
}
