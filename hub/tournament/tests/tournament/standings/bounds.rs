//! The permitted values of an entry, and the refusals of other values.

use super::life::{paired, refused};
use super::rig::chief;
use tournament::{Bye, Change, Player, PlayerNo, Refusal, RoundNo};

/// All data that may be entered must fit in every report.
#[test]
fn players_that_no_report_can_hold_are_refused() {
    let mut tournament = paired();
    type Fault = fn(&mut Player);
    let faults: [(Fault, &str); 10] = [
        (
            |one| one.no = PlayerNo(10_000),
            "a player needs a name and a number from 1 to 9999",
        ),
        (
            |one| one.rating = Some(10_000),
            "a rating cannot be above 9999: 10000 is too high",
        ),
        (
            |one| one.name = "Alpha\nBeta".to_owned(),
            "a name cannot contain line breaks, tabs or other control characters: \"Alpha\\nBeta\"",
        ),
        (
            |one| one.federation = "NORW".to_owned(),
            "a federation's code has at most three letters, such as NOR, not \"NORW\"",
        ),
        (
            |one| one.federation = "N\t".to_owned(),
            "a federation's code has at most three letters, such as NOR, not \"N\\t\"",
        ),
        (
            |one| one.title = "G.M".to_owned(),
            "a title has at most three letters, such as WGM, not \"G.M\"",
        ),
        (
            |one| one.fide_id = Some(100_000_000_000),
            "a FIDE ID has at most 11 digits, not 100000000000",
        ),
        (|one| one.enters = RoundNo(0), "rounds are numbered from 1"),
        (
            |one| one.byes = [(RoundNo(4), Bye::Half)].into(),
            "there is no round 4: the event has rounds 1 to 3",
        ),
        (
            |one| one.byes = [(RoundNo(0), Bye::Half)].into(),
            "there is no round 0: the event has rounds 1 to 3",
        ),
    ];
    for (fault, why) in faults {
        let mut player = Player::new(PlayerNo(5), "Late, Lea");
        fault(&mut player);
        let change = Change::EnterPlayer(Box::new(player));
        assert_eq!(refused(&mut tournament, &chief(), change).to_string(), why);
    }
}

#[test]
fn teams_that_no_report_can_hold_are_refused() {
    let mut tournament = paired();
    let team = tournament::Team {
        no: tournament::TeamNo(1_000),
        name: "Harbour".to_owned(),
        short_name: String::new(),
        federation: String::new(),
        players: Vec::new(),
    };
    assert_eq!(
        refused(&mut tournament, &chief(), Change::EnterTeam(Box::new(team))).to_string(),
        "a team needs a name and a number from 1 to 999"
    );
}

/// Byes must be in the event's rounds, so the event cannot be shortened while a later round has a bye. The limits on a
/// player's texts also apply to the event's.
#[test]
fn byes_are_limited_to_the_events_rounds() {
    let mut tournament = paired();
    for round in [0, 4] {
        let change = Change::GrantBye(PlayerNo(1), RoundNo(round), Some(Bye::Half));
        let why = format!("there is no round {round}: the event has rounds 1 to 3");
        assert_eq!(refused(&mut tournament, &chief(), change).to_string(), why);
    }
    let mut event = tournament.event().clone();
    event.name = "Harbour\tCup".to_owned();
    let change = Change::SetEvent(Box::new(event));
    assert!(matches!(
        refused(&mut tournament, &chief(), change),
        Refusal::Invalid(_)
    ));
    tournament
        .apply(
            &chief(),
            Change::GrantBye(PlayerNo(1), RoundNo(3), Some(Bye::Half)),
        )
        .unwrap();
    let mut event = tournament.event().clone();
    event.rounds = 2;
    let change = Change::SetEvent(Box::new(event));
    assert_eq!(
        refused(&mut tournament, &chief(), change).to_string(),
        "player 1 has a bye in round 3: remove the bye first"
    );
}
