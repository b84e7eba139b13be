//! The removal of players and teams, together with the abnormal points and accelerations that name them by number.

use proto::log::record::Input;
use tournament::{Acceleration, Change, Contest, Event, PlayerNo, Points, RoundNo, Team, TeamNo};

use crate::event_rig::{bonus, player};
use crate::rig::Rig;

fn acceleration(first: u16, last: u16) -> Acceleration {
    Acceleration {
        points: Some(Points::whole(1)),
        match_points: None,
        rounds: (RoundNo(1), RoundNo(2)),
        participants: (first, last),
    }
}

fn event() -> Event {
    let mut event = Event::new("Harbour Cup", 3);
    event.abnormal_points = vec![bonus(&[5]), bonus(&[2, 5]), bonus(&[]), bonus(&[3])];
    event.accelerations = vec![acceleration(1, 6), acceleration(5, 5), acceleration(5, 8)];
    event
}

fn without_five() -> Event {
    let mut event = event();
    event.abnormal_points = vec![bonus(&[2]), bonus(&[]), bonus(&[3])];
    event.accelerations = vec![acceleration(1, 4), acceleration(6, 6), acceleration(6, 8)];
    event
}

fn with_players() -> Rig {
    let mut rig = Rig::new();
    let mut changes = vec![Change::SetEvent(Box::new(event()))];
    changes.extend((1..=6).map(player));
    rig.chief_changes(changes);
    rig
}

#[test]
fn a_removed_players_points_do_not_apply_to_the_next_player_with_that_number() {
    let mut rig = with_players();
    rig.chief_changes(vec![Change::RemovePlayer(PlayerNo(5))]);
    assert_eq!(*rig.event_now().unwrap().event(), without_five());
    rig.chief_changes(vec![player(5)]);
    assert_eq!(*rig.event_now().unwrap().event(), without_five());
    // The same holds if one request removes a player and gives the number to another.
    rig.chief_changes(vec![Change::RemovePlayer(PlayerNo(3)), player(3)]);
    let event = rig.event_now().unwrap().event().clone();
    assert_eq!(event.abnormal_points, [bonus(&[2]), bonus(&[])]);
    rig.assert_replay_equals_live();
}

#[test]
fn a_removal_that_names_no_points_changes_only_the_players() {
    let mut rig = Rig::with_round();
    rig.chief_changes(vec![player(7)]);
    rig.chief_changes(vec![Change::RemovePlayer(PlayerNo(7))]);
    let Some(Input::EventChanged(changed)) = &rig.log.last().unwrap().input else {
        panic!("{:?}", rig.log.last());
    };
    assert_eq!(changed.changes.len(), 1);
}

#[test]
fn undoing_an_imported_removal_restores_the_points() {
    let mut rig = with_players();
    let before = rig.event_now();
    rig.imports("players.csv", vec![Change::RemovePlayer(PlayerNo(5))]);
    assert_eq!(*rig.event_now().unwrap().event(), without_five());
    assert_eq!(rig.undoes(0), Ok(()));
    assert_eq!(rig.event_now(), before);
    rig.assert_replay_equals_live();
}

#[test]
fn in_a_team_event_the_points_belong_to_teams() {
    let mut rig = Rig::new();
    let of_teams = |event: Event| Event {
        contest: Contest::Teams { boards: 1 },
        ..event
    };
    let team = Team {
        no: TeamNo(5),
        name: "Five".to_owned(),
        short_name: String::new(),
        federation: String::new(),
        players: vec![PlayerNo(5)],
    };
    rig.chief_changes(vec![
        Change::SetEvent(Box::new(of_teams(event()))),
        player(5),
        Change::EnterTeam(Box::new(team)),
    ]);
    rig.chief_changes(vec![Change::RemovePlayer(PlayerNo(5))]);
    assert_eq!(*rig.event_now().unwrap().event(), of_teams(event()));
    rig.chief_changes(vec![Change::RemoveTeam(TeamNo(5))]);
    assert_eq!(*rig.event_now().unwrap().event(), of_teams(without_five()));
    rig.assert_replay_equals_live();
}

#[test]
fn a_log_of_an_older_hub_keeps_the_points_of_a_removed_player() {
    let mut rig = with_players();
    rig.chief_changes(vec![Change::RemovePlayer(PlayerNo(5))]);
    if let Some(Input::EventChanged(changed)) = &mut rig.log.last_mut().unwrap().input {
        changed.changes.truncate(1);
    }
    rig.hall = rig.replayed();
    assert_eq!(*rig.event_now().unwrap().event(), event());
}
