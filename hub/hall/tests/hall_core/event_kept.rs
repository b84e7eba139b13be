//! Events that are set aside: stored completely, listed, and brought back only by the chief arbiter, who must type the current event's name.

use hall::{EventNo, Outcome, Purpose, Refusal};
use tournament::{Actor, BoardNo, Change, Event, RoundNo, Scope, Tournament};

use crate::event_rig::{enter, paired, player};
use crate::rig::Rig;
use crate::round_rig::WON;

fn winter() -> Vec<Change> {
    let mut changes = vec![Change::SetEvent(Box::new(Event::new("Winter Open", 5)))];
    changes.extend((1..=4).map(player));
    changes.push(paired(1, &[(1, 2), (3, 4)]));
    changes
}

fn opening(typed: &str) -> Purpose {
    Purpose::Open {
        file: "winter.trf".to_owned(),
        set_aside: typed.to_owned(),
    }
}

fn back(to: u32, typed: &str) -> Purpose {
    Purpose::Switch {
        to: EventNo(to),
        set_aside: typed.to_owned(),
    }
}

#[track_caller]
fn why(outcome: Outcome) -> Refusal {
    match outcome {
        Outcome::Refused(why) => why,
        outcome => panic!("not refused: {outcome:?}"),
    }
}

fn aside(rig: &Rig) -> Vec<(u32, Tournament)> {
    let aside = rig.hall.tournament().unwrap().set_aside();
    let aside = aside.into_iter();
    aside.map(|(no, event)| (no.0, (*event).clone())).collect()
}

#[test]
fn a_new_event_is_started_and_the_current_one_is_kept_whole() {
    let mut rig = Rig::with_round();
    rig.chief_changes(vec![enter(1, 1, WON, ""), enter(1, 2, WON, "")]);
    let harbour = rig.event_now().unwrap();
    let wrong = why(rig.for_purpose(opening("harbour cup"), winter()));
    assert_eq!(
        wrong.text(),
        "the current event is called “Harbour Cup”: type exactly that name to set it aside"
    );
    assert_eq!(rig.event_now().unwrap(), harbour);
    assert_eq!(
        rig.for_purpose(opening("Harbour Cup"), winter()),
        Outcome::Done
    );
    assert_eq!(rig.event_now().unwrap().event().name, "Winter Open");
    assert_eq!(rig.hall.tournament().unwrap().number(), EventNo(2));
    assert_eq!(aside(&rig), [(1, harbour.clone())]);
    rig.hall = rig.replayed();
    assert_eq!(aside(&rig), [(1, harbour.clone())]);

    // Each event comes back as it was left.
    rig.chief_changes(vec![enter(1, 2, WON, "")]);
    let winter = rig.event_now().unwrap();
    assert_eq!(
        rig.for_purpose(back(1, "Winter Open"), Vec::new()),
        Outcome::Done
    );
    assert_eq!(rig.event_now().unwrap(), harbour);
    assert_eq!(aside(&rig), [(2, winter.clone())]);
    rig.restart();
    assert_eq!(
        rig.for_purpose(back(2, "Harbour Cup"), Vec::new()),
        Outcome::Done
    );
    assert_eq!(rig.event_now().unwrap(), winter);
    rig.assert_replay_equals_live();
}

#[test]
fn a_floor_arbiter_a_wrong_name_or_an_unknown_number_cannot_switch_events() {
    let mut rig = Rig::with_round();
    for purpose in [opening("Harbour Cup"), back(2, "Harbour Cup")] {
        let mut floor = rig.request_for(Actor::floor("Ann"), winter());
        floor.purpose = purpose;
        assert_eq!(rig.refused(floor), "only the chief arbiter may do this");
    }
    let unknown = why(rig.for_purpose(back(2, "Harbour Cup"), Vec::new()));
    assert!(unknown.text().contains("has no event 2"), "{unknown}");
    assert_eq!(
        rig.for_purpose(opening("Harbour Cup"), winter()),
        Outcome::Done
    );
    let wrong = why(rig.for_purpose(back(1, "Harbour Cup"), Vec::new()));
    assert!(wrong.text().contains("“Winter Open”"), "{wrong}");
    rig.assert_replay_equals_live();
}

#[test]
fn no_event_is_set_aside_while_a_game_is_in_progress() {
    let mut rig = Rig::with_round();
    rig.chief_changes(vec![Change::Start(RoundNo(1), Scope::Board(BoardNo(2)))]);
    let playing = why(rig.for_purpose(opening("Harbour Cup"), winter()));
    assert_eq!(
        playing.text(),
        "the game on board 2 of round 1 is in progress: set the event aside after the round"
    );
    rig.chief_changes(vec![enter(1, 2, WON, "")]);
    assert_eq!(
        rig.for_purpose(opening("Harbour Cup"), winter()),
        Outcome::Done
    );
}

#[test]
fn undoing_a_new_event_brings_back_the_previous_one_with_its_imports() {
    let mut rig = Rig::with_round();
    rig.imports("results.csv", vec![enter(1, 1, WON, "")]);
    let harbour = rig.event_now().unwrap();
    assert_eq!(
        rig.for_purpose(opening("Harbour Cup"), winter()),
        Outcome::Done
    );
    assert_eq!(rig.undoable(), ["winter.trf"]);
    rig.chief_changes(vec![player(5)]);
    let rests = rig.undoes(0).unwrap_err();
    assert!(
        rests.contains("“player 5: Player, 5”, by Chief, depends on it"),
        "{rests}"
    );
    rig.chief_changes(vec![Change::RemovePlayer(tournament::PlayerNo(5))]);
    assert_eq!(rig.undoes(0), Ok(()));
    assert_eq!(rig.event_now().unwrap(), harbour);
    assert_eq!(aside(&rig), []);
    assert_eq!(rig.undoable(), ["results.csv"]);
    assert_eq!(rig.undoes(0), Ok(()));
    // The number of an event is never reused.
    assert_eq!(
        rig.for_purpose(opening("Harbour Cup"), winter()),
        Outcome::Done
    );
    assert_eq!(rig.hall.tournament().unwrap().number(), EventNo(3));
    rig.assert_replay_equals_live();
}

#[test]
fn clocks_leave_the_event_that_is_set_aside() {
    let (mut rig, mut clocks) = Rig::with_preset();
    assert_eq!(rig.view("1").round, Some(RoundNo(1)));
    assert_eq!(
        rig.for_purpose(opening("Harbour Cup"), winter()),
        Outcome::Done
    );
    assert_eq!(rig.view("1").round, None);
    rig.preset(1, Scope::All);
    rig.all_take(&mut clocks);
    assert_eq!(rig.view("1").view.black.name, "Player, 2");
    rig.assert_replay_equals_live();
}
