//! Undoing a whole import: what is restored, what remains, what prevents the undo, and how long it is possible.

use std::collections::BTreeSet;

use hall::{HubEffect, Outcome, Purpose};
use tournament::formats::draft::Draft;
use tournament::{
    Actor, BoardNo, BoardPhase, Bye, Change, Event, GameResult, Outcome as Score, Pairing, Player,
    PlayerNo, Reseating, RoundNo, Scope,
};

use crate::event_rig::{apply_all, enter, paired, player, sample};
use crate::rig::Rig;
use crate::round_rig::WON;

const ONE: RoundNo = RoundNo(1);

fn with_imported_round() -> Rig {
    let mut rig = Rig::new();
    let mut changes = vec![Change::SetEvent(Box::new(Event::new("Harbour Cup", 3)))];
    changes.extend((1..=6).map(player));
    rig.chief_changes(changes);
    rig.imports("round1.csv", vec![paired(1, &[(1, 4), (2, 5), (3, 6)])]);
    rig
}

fn named(no: u16, name: &str, rating: u16) -> Change {
    let mut player = Player::new(PlayerNo(no), name);
    player.rating = Some(rating);
    Change::EnterPlayer(Box::new(player))
}

#[test]
fn an_import_is_undone_as_a_whole_live_and_in_a_replay() {
    let mut rig = Rig::with_round();
    let before = rig.event_now();
    let mut file: Vec<Change> = (1..=5)
        .map(|no| named(no, &format!("Other, {no}"), 2000))
        .collect();
    file.push(paired(2, &[(1, 2), (3, 4), (5, 6)]));
    let version = rig.imports("foreign.trf", file);
    assert_eq!(rig.undoable(), ["foreign.trf"]);
    assert_eq!(rig.undoes(version), Ok(()));
    assert_eq!(rig.event_now(), before);
    assert_eq!(rig.version(), version + 1);
    assert_eq!(rig.undoable(), [""; 0]);
    let again = rig.undoes(version).unwrap_err();
    assert!(
        again.contains("no import can be undone that created version 2"),
        "{again}"
    );
    rig.assert_replay_equals_live();
}

#[test]
fn later_changes_survive_the_undo() {
    let mut rig = with_imported_round();
    rig.imports(
        "ratings.trf",
        vec![named(1, "Player, 1", 2100), named(2, "Player, 2", 2000)],
    );
    rig.chief_changes(vec![enter(1, 1, WON, "")]);
    rig.chief_changes(vec![Change::GrantBye(
        PlayerNo(6),
        RoundNo(2),
        Some(Bye::Half),
    )]);
    // An arbiter corrects the name of a player whose rating came from the file.
    let mut event = rig.event_now().unwrap();
    let mut first = event.players()[&PlayerNo(1)].clone();
    first.name = "Player, One".to_owned();
    rig.chief_changes(vec![Change::EnterPlayer(Box::new(first))]);
    event = rig.event_now().unwrap();
    assert_eq!(event.players()[&PlayerNo(1)].rating, Some(2100));
    assert_eq!(rig.undoes(0), Ok(()));
    event = rig.event_now().unwrap();
    let first = &event.players()[&PlayerNo(1)];
    assert_eq!((first.name.as_str(), first.rating), ("Player, One", None));
    assert_eq!(event.players()[&PlayerNo(2)].rating, None);
    assert_eq!(event.rounds()[&ONE].boards[&BoardNo(1)].result, Some(WON));
    assert_eq!(event.bye_of(PlayerNo(6), RoundNo(2)), Some(Bye::Half));
    assert_eq!(rig.undoable(), ["round1.csv"]);
    rig.assert_replay_equals_live();
}

/// Undoing an import applies the later bundles again, and they keep their origin.
#[test]
fn an_imported_change_of_a_result_is_not_an_arbiters_correction() {
    let mut rig = Rig::with_round();
    rig.chief_changes(vec![enter(1, 1, WON, ""), enter(1, 2, WON, "")]);
    rig.imports("ratings.trf", vec![named(1, "Player, 1", 2100)]);
    let drawn = GameResult::played(Score::Draw);
    rig.imports("later.trf", vec![enter(1, 1, drawn, "as in later.trf")]);
    rig.chief_changes(vec![enter(1, 2, drawn, "slip misread")]);
    let corrected = |rig: &Rig| Draft::of(&rig.event_now().unwrap()).corrected;
    let by_arbiter = BTreeSet::from([(ONE, BoardNo(2))]);
    assert_eq!(corrected(&rig), by_arbiter);
    let imports = rig.hall.tournament().unwrap();
    let ratings = imports.imports()[0].version;
    assert_eq!(rig.undoes(ratings), Ok(()));
    assert_eq!(corrected(&rig), by_arbiter);
    rig.assert_replay_equals_live();
}

#[test]
fn a_later_amendment_of_the_event_restores_no_imported_data() {
    let mut rig = Rig::with_round();
    let mut event = Event::new("Harbour Cup", 7);
    rig.imports("open.trf", vec![Change::SetEvent(Box::new(event.clone()))]);
    event.city = "Bergen".to_owned();
    rig.chief_changes(vec![Change::SetEvent(Box::new(event))]);
    assert_eq!(rig.undoes(0), Ok(()));
    let now = rig.event_now().unwrap();
    assert_eq!(
        (now.event().rounds, now.event().city.as_str()),
        (3, "Bergen")
    );
    rig.assert_replay_equals_live();
}

#[test]
fn changes_that_depend_on_an_import_are_named_and_must_be_undone_first() {
    let mut rig = with_imported_round();
    let ann = rig.request_for(Actor::floor("Ann"), vec![enter(1, 3, WON, "")]);
    assert_eq!(rig.change(ann).unwrap().outcome, Outcome::Done);
    let before = rig.event_now();
    let why = rig.undoes(0).unwrap_err();
    assert_eq!(
        why,
        "the import cannot be undone: “round 1, board 3: 1-0”, by Ann, depends on it. Undo that first"
    );
    assert_eq!(rig.event_now(), before);
    let back = Change::RemoveResult(ONE, BoardNo(3), "misread".to_owned());
    rig.chief_changes(vec![back]);
    assert_eq!(rig.undoes(0), Ok(()));
    assert!(rig.event_now().unwrap().rounds().is_empty());
    rig.assert_replay_equals_live();
}

#[test]
fn a_later_import_that_depends_on_it_is_named_by_its_file() {
    let mut rig = with_imported_round();
    let first = rig.version();
    rig.imports("results.csv", vec![enter(1, 1, WON, "")]);
    let why = rig.undoes(first).unwrap_err();
    assert!(
        why.contains("the import of results.csv depends on it"),
        "{why}"
    );
    assert_eq!(rig.undoes(0), Ok(()), "the newest goes first");
    assert_eq!(rig.undoes(0), Ok(()));
    assert!(rig.event_now().unwrap().rounds().is_empty());
    rig.assert_replay_equals_live();
}

#[test]
fn an_amended_player_of_the_import_is_not_partly_restored() {
    let mut rig = Rig::with_round();
    rig.imports("late.trf", vec![named(7, "Late, Lea", 1900)]);
    rig.chief_changes(vec![named(7, "Late, Lea", 1950)]);
    let why = rig.undoes(0).unwrap_err();
    assert!(
        why.contains("“player 7: Late, Lea”, by Chief, depends on it"),
        "{why}"
    );
    rig.chief_changes(vec![Change::RemovePlayer(PlayerNo(7))]);
    assert_eq!(rig.undoes(0), Ok(()));
    rig.assert_replay_equals_live();
}

/// The undo is refused: a result must never pass to players who did not play that game.
#[test]
fn a_result_after_a_change_of_players_prevents_the_undo() {
    let mut rig = Rig::with_round();
    let boards = vec![
        Pairing::new(BoardNo(1), PlayerNo(1), PlayerNo(5)),
        Pairing::new(BoardNo(2), PlayerNo(2), PlayerNo(4)),
    ];
    let restart = false;
    rig.imports(
        "swap.csv",
        vec![Change::Reseat(ONE, Reseating { boards, restart })],
    );
    rig.chief_changes(vec![enter(1, 1, WON, "")]);
    let why = rig.undoes(0).unwrap_err();
    assert!(
        why.contains("the result of board 1 in round 1 depends on it"),
        "{why}"
    );
    let back = Change::RemoveResult(ONE, BoardNo(1), "wrong board".to_owned());
    rig.chief_changes(vec![back]);
    assert_eq!(rig.undoes(0), Ok(()));
    let event = rig.event_now().unwrap();
    assert_eq!(
        event.rounds()[&ONE].boards[&BoardNo(1)].black,
        Some(PlayerNo(4))
    );
}

#[test]
fn the_start_of_the_next_round_ends_the_undo() {
    let mut rig = with_imported_round();
    rig.chief_changes((1..=3).map(|no| enter(1, no, WON, "")).collect());
    rig.imports("round2.csv", vec![paired(2, &[(4, 2), (5, 3), (6, 1)])]);
    assert_eq!(rig.undoable(), ["round1.csv", "round2.csv"]);
    rig.chief_changes(vec![Change::Start(RoundNo(2), Scope::All)]);
    assert_eq!(rig.undoable(), [""; 0]);
    let why = rig.undoes(0).unwrap_err();
    assert_eq!(
        why,
        "no import can be undone: an import can be undone until the next round starts"
    );
    // The undo remains possible when more boards of a round that is already in progress start.
    let results = vec![enter(2, 1, WON, "")];
    rig.imports("results.csv", results);
    rig.chief_changes(vec![Change::Start(RoundNo(2), Scope::Board(BoardNo(2)))]);
    assert_eq!(rig.undoable(), ["results.csv"]);
    assert_eq!(rig.undoes(0), Ok(()));
    assert_eq!(rig.phases(2)[0], BoardPhase::Started);
    rig.assert_replay_equals_live();
}

/// The undo is refused once the game on an imported board has begun, even if the round had already started before that board was imported.
#[test]
fn a_game_that_has_begun_prevents_the_undo() {
    let mut rig = Rig::with_round();
    rig.chief_changes(vec![player(7), player(8)]);
    rig.chief_changes(vec![Change::Start(ONE, Scope::Board(BoardNo(1)))]);
    let late = Change::Reseat(
        ONE,
        Pairing::new(BoardNo(4), PlayerNo(7), PlayerNo(8)).into(),
    );
    rig.imports("late.csv", vec![late]);
    rig.chief_changes(vec![Change::Start(ONE, Scope::All)]);
    let why = rig.undoes(0).unwrap_err();
    assert!(
        why.contains("the game of board 4 in round 1 depends on it"),
        "{why}"
    );
}

#[test]
fn undoing_an_import_that_started_the_event_removes_the_event() {
    let mut rig = Rig::new();
    rig.imports("harbour-cup.trf", sample());
    assert_eq!(rig.event_now(), Some(apply_all(&sample())));
    let mut request = rig.request_for(Actor::chief("Chief"), Vec::new());
    request.purpose = Purpose::Undo { version: 0 };
    let (_, effects) = rig.asked(request);
    let told = effects
        .iter()
        .any(|effect| matches!(effect, HubEffect::NoTournament { version: 2 }));
    assert!(told, "watchers hear that there is none");
    assert_eq!(rig.event_now(), None);
    rig.assert_replay_equals_live();
    // A new event can be created in the same way as the first, even by a sender who has seen no event.
    let mut next = rig.request_for(Actor::chief("Chief"), sample());
    (next.seen, next.purpose) = (
        Some(0),
        Purpose::Import {
            file: "again.trf".to_owned(),
        },
    );
    assert_eq!(rig.change(next).unwrap().outcome, Outcome::Done);
    rig.chief_changes(vec![player(9)]);
    let why = rig.undoes(0).unwrap_err();
    assert!(
        why.contains("“player 9: Player, 9”, by Chief, depends on it"),
        "{why}"
    );
    rig.assert_replay_equals_live();
}

#[test]
fn only_the_chief_undoes_and_every_older_view_becomes_stale() {
    let mut rig = with_imported_round();
    rig.imports("ratings.trf", vec![named(1, "Player, 1", 2100)]);
    let late = rig.request_for(Actor::floor("Bea"), vec![enter(1, 1, WON, "")]);
    let mut floor = rig.request_for(Actor::floor("Ann"), Vec::new());
    floor.purpose = Purpose::Undo { version: 0 };
    assert_eq!(rig.refused(floor), "only the chief arbiter may do this");
    assert_eq!(rig.undoes(0), Ok(()));
    let why = rig.refused(late);
    assert!(why.contains("the event as a whole, by Chief"), "{why}");
}

#[test]
fn clocks_follow_an_undo() {
    let (mut rig, mut clocks) = Rig::with_hall();
    rig.imports("round2.csv", vec![paired(2, &[(4, 2), (5, 3), (6, 1)])]);
    rig.imports("results.csv", vec![enter(1, 1, WON, "")]);
    rig.preset(1, Scope::Board(BoardNo(2)));
    rig.preset(2, Scope::Board(BoardNo(3)));
    rig.all_take(&mut clocks);
    assert_eq!(rig.phases(2)[2], BoardPhase::Preset);
    assert_eq!((rig.undoes(0), rig.undoes(0)), (Ok(()), Ok(())));
    let round = |rig: &Rig, board: &str| rig.view(board).round;
    assert_eq!(round(&rig, "2"), Some(ONE));
    assert_eq!(round(&rig, "3"), None, "its round is no longer paired");
    rig.assert_replay_equals_live();
    rig.restart();
    assert_eq!(rig.phases(1)[1], BoardPhase::Preset);
}

#[test]
fn a_result_on_a_clock_is_removed_with_its_import() {
    let (mut rig, mut clocks) = Rig::with_started();
    rig.imports("results.csv", vec![enter(1, 1, WON, "")]);
    rig.all_take(&mut clocks);
    assert!(rig.hall.tournament().unwrap().imports().len() == 1);
    let over = |rig: &Rig| rig.view("1").view.result.clone();
    let ended = over(&rig);
    assert_eq!(rig.undoes(0), Ok(()));
    rig.all_take(&mut clocks);
    assert_ne!(over(&rig), ended);
    assert_eq!(rig.game(1, 1).result, None);
    rig.assert_replay_equals_live();
}

#[test]
fn the_journal_is_bounded() {
    let mut rig = Rig::with_round();
    rig.imports("first.trf", vec![named(1, "Player, 1", 2100)]);
    rig.imports("second.trf", vec![named(2, "Player, 2", 2100)]);
    for turn in 0..2_050_u16 {
        let result = GameResult::played(if turn % 2 == 0 {
            Score::Win
        } else {
            Score::Draw
        });
        let reason = if turn == 0 { "" } else { "again" };
        rig.chief_changes(vec![enter(1, 1, result, reason)]);
        let request = rig.request_for(
            Actor::chief("Chief"),
            vec![named(6, "Player, 6", turn % 3000)],
        );
        assert_eq!(rig.change(request).unwrap().outcome, Outcome::Done);
    }
    assert_eq!(rig.undoable(), [""; 0]);
    rig.hall = rig.replayed();
    rig.assert_replay_equals_live();
}
