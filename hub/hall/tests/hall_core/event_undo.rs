//! Consecutive undos of imports, and what depends on an import indirectly, such as pairings and clocks that were set.

use tournament::{
    BoardPhase, Change, Event, Participant, PlaceSource, Player, PlayerNo, RoundNo, Scope,
    StatedRow, StatedStandings,
};

use crate::event_rig::{enter, paired, player};
use crate::rig::Rig;
use crate::round_rig::WON;

const ONE: RoundNo = RoundNo(1);

fn rated(no: u16, rating: u16) -> Change {
    let mut player = Player::new(PlayerNo(no), &format!("Player, {no}"));
    player.rating = Some(rating);
    Change::EnterPlayer(Box::new(player))
}

fn named(no: u16, name: &str) -> Change {
    Change::EnterPlayer(Box::new(Player::new(PlayerNo(no), name)))
}

#[test]
fn a_second_undo_restores_nothing_that_the_first_one_removed() {
    let mut rig = Rig::with_round();
    let oldest = rig.imports("round2.csv", vec![paired(2, &[(4, 2), (5, 3), (6, 1)])]);
    let mut event = Event::new("Harbour Cup", 3);
    event.city = "Importville".to_owned();
    rig.imports(
        "open.trf",
        vec![Change::SetEvent(Box::new(event.clone())), rated(1, 999)],
    );
    event.federation = "DEN".to_owned();
    let mut first = rig.event_now().unwrap().players()[&PlayerNo(1)].clone();
    first.fide_id = Some(777);
    rig.chief_changes(vec![
        Change::SetEvent(Box::new(event)),
        Change::EnterPlayer(Box::new(first)),
    ]);
    assert_eq!(rig.undoes(0), Ok(()));
    rig.imports("result.csv", vec![enter(1, 1, WON, "")]);
    for version in [0, oldest] {
        assert_eq!(rig.undoes(version), Ok(()));
        let now = rig.event_now().unwrap();
        let first = &now.players()[&PlayerNo(1)];
        assert_eq!(
            (now.event().city.as_str(), now.event().federation.as_str()),
            ("", "DEN")
        );
        assert_eq!((first.rating, first.fide_id), (None, Some(777)));
    }
    rig.assert_replay_equals_live();
}

#[test]
fn no_player_gets_the_game_of_another_when_numbers_are_restored() {
    let mut rig = Rig::new();
    let mut changes = vec![Change::SetEvent(Box::new(Event::new("Harbour Cup", 3)))];
    changes.extend((1..=4).map(player));
    rig.chief_changes(changes);
    let swap = vec![
        Change::RemovePlayer(PlayerNo(1)),
        Change::RemovePlayer(PlayerNo(2)),
        named(1, "Player, 2"),
        named(2, "Player, 1"),
    ];
    rig.imports("swap.trf", swap);
    rig.chief_changes(vec![paired(1, &[(2, 3), (1, 4)])]);
    let why = rig.undoes(0).unwrap_err();
    assert!(why.contains("depends on it"), "{why}");
    rig.chief_changes(vec![Change::Unpair(ONE)]);
    assert_eq!(rig.undoes(0), Ok(()));
    let event = rig.event_now().unwrap();
    assert_eq!(event.players()[&PlayerNo(1)].name, "Player, 1");
    rig.assert_replay_equals_live();
}

#[test]
fn a_swiss_pairing_depends_on_the_results_before_it() {
    let mut rig = Rig::with_round();
    let results: Vec<Change> = (1..=3).map(|no| enter(1, no, WON, "")).collect();
    rig.imports("results.csv", results);
    rig.chief_changes(vec![paired(2, &[(4, 2), (5, 3), (6, 1)])]);
    let why = rig.undoes(0).unwrap_err();
    assert!(
        why.contains("the pairing of round 2 depends on it"),
        "{why}"
    );
    rig.chief_changes(vec![Change::Unpair(RoundNo(2))]);
    assert_eq!(rig.undoes(0), Ok(()));
    assert!(!rig.event_now().unwrap().rounds()[&ONE].has_results());
    rig.assert_replay_equals_live();
}

/// In a hall without clocks, no board is started, so the first result of the next round ends the undo.
#[test]
fn the_first_result_of_the_next_round_ends_the_undo() {
    let mut rig = Rig::with_round();
    let results: Vec<Change> = (1..=3).map(|no| enter(1, no, WON, "")).collect();
    rig.imports("results.csv", results);
    rig.chief_changes(vec![paired(2, &[(4, 2), (5, 3), (6, 1)])]);
    assert_eq!(rig.undoable(), ["results.csv"]);
    rig.chief_changes(vec![enter(2, 1, WON, "")]);
    assert_eq!(rig.undoable(), [""; 0]);
    rig.assert_replay_equals_live();
}

#[test]
fn clocks_set_for_other_players_do_not_count_as_set_after_an_undo() {
    let (mut rig, mut clocks) = Rig::with_hall();
    rig.preset(1, Scope::All);
    rig.all_take(&mut clocks);
    assert_eq!(rig.phases(1), [BoardPhase::Preset; 3]);
    rig.imports(
        "other.trf",
        vec![Change::Unpair(ONE), paired(1, &[(1, 5), (2, 4), (3, 6)])],
    );
    assert_eq!(rig.undoes(0), Ok(()));
    // A clock that was set for other players does not count as set for these, and board 3 lost its setting when its round was removed.
    assert_eq!(rig.phases(1), [BoardPhase::Paired; 3]);
    rig.preset(1, Scope::All);
    rig.all_take(&mut clocks);
    assert_eq!(rig.phases(1), [BoardPhase::Preset; 3]);
    rig.assert_replay_equals_live();
}

#[test]
fn the_places_of_a_file_go_with_its_import_and_return_when_a_later_one_is_undone() {
    let mut rig = Rig::with_round();
    let stated = |places: [u16; 6]| {
        let row = |(no, rank)| {
            let row = StatedRow {
                rank: Some(rank),
                ..StatedRow::default()
            };
            (Participant::Player(PlayerNo(no)), row)
        };
        Change::StateStandings(Some(Box::new(StatedStandings {
            file: "open.trf".to_owned(),
            after: 1,
            rows: (1..).zip(places).map(row).collect(),
        })))
    };
    let source = |rig: &Rig| rig.event_now().unwrap().standings(None).source;
    rig.imports(
        "open.trf",
        vec![enter(1, 1, WON, ""), stated([1, 6, 5, 4, 3, 2])],
    );
    let held = rig.event_now();
    assert_eq!(source(&rig), PlaceSource::File("open.trf".to_owned()));
    rig.assert_replay_equals_live();
    rig.imports("result.csv", vec![enter(1, 2, WON, "")]);
    assert_eq!(source(&rig), PlaceSource::SinceFile("open.trf".to_owned()));
    assert_eq!(rig.undoes(0), Ok(()));
    assert_eq!(rig.event_now(), held);
    // Undoing the latest import must restore the places of the earlier file; after the earlier import is undone too, places
    // are computed.
    rig.imports("places.trf", vec![stated([6, 5, 4, 3, 2, 1])]);
    let first = rig.undoable().len();
    assert_eq!(first, 2);
    assert_eq!(rig.undoes(0), Ok(()));
    assert_eq!(rig.event_now(), held);
    assert_eq!(rig.undoes(0), Ok(()));
    assert_eq!(source(&rig), PlaceSource::Computed);
    rig.assert_replay_equals_live();
}
