//! `flagfall event` with a running hub, before and during pairing: numbers, rules, points, teams.

use serde_json::Value;

use crate::program::{Serving, expect};

const FAKE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rigs/fake-bbp.sh");

struct Event {
    hub: Serving,
    dir: tempfile::TempDir,
}

impl Event {
    fn start(settings: &[&str]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let hub = Serving::start_with(dir.path(), settings);
        Self { hub, dir }
    }

    #[track_caller]
    fn done(&self, arguments: &[&str]) -> String {
        expect(&self.hub.event(self.dir.path(), arguments), 0).0
    }

    #[track_caller]
    fn not_done(&self, arguments: &[&str]) -> String {
        expect(&self.hub.event(self.dir.path(), arguments), 1).1
    }

    #[track_caller]
    fn json(&self, arguments: &[&str]) -> Vec<Value> {
        let out = self.done(&[arguments, &["--json"]].concat());
        let lines = out.lines();
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    fn names(&self) -> Vec<String> {
        let players = self.json(&["players"]);
        players
            .iter()
            .map(|player| player["name"].as_str().unwrap().to_owned())
            .collect()
    }

    fn play(&self, round: &str, results: &[&str]) {
        for (result, board) in results.iter().zip(1..) {
            self.done(&["result", &board.to_string(), result, "--round", round]);
        }
    }
}

#[test]
fn pairing_numbers_follow_the_rating_before_the_first_round() {
    let event = Event::start(&["--pairing-program", FAKE]);
    event.done(&["new", "Open", "--rounds", "5", "--first-colour", "white"]);
    for (name, rating) in [
        ("Alpha", "1800"),
        ("Bravo", "2000"),
        ("Charlie", "1900"),
        ("Delta", "1700"),
    ] {
        event.done(&["enter", name, "--rating", rating]);
    }
    let out = event.done(&["status"]);
    assert!(
        out.contains("`flagfall event renumber` puts them in order, until round 4 is paired"),
        "{out}"
    );
    assert_eq!(event.json(&["status"])[0]["numbers_in_order"], false);
    let out = event.done(&["pair", "--yes"]);
    assert!(
        out.starts_with("3 players get new numbers:\n  2 becomes 1: Bravo\n"),
        "{out}"
    );
    assert_eq!(event.names(), ["Bravo", "Charlie", "Alpha", "Delta"]);
    assert_eq!(event.json(&["status"])[0]["numbers_in_order"], true);
    event.play("1", &["1-0", "1-0"]);
    event.done(&["enter", "Echo", "--rating", "2500"]);
    let out = event.done(&["renumber", "--dry-run"]);
    assert!(out.contains("5 becomes 1: Echo"), "{out}");
    assert_eq!(event.names()[4], "Echo", "nothing was changed");
    let said = event.not_done(&["renumber"]);
    assert!(said.contains("confirm with --yes"), "{said}");
    event.done(&["renumber", "--yes"]);
    assert_eq!(event.names()[0], "Echo");
    assert_eq!(
        event.done(&["renumber"]),
        "Every player keeps the current number\n"
    );
    let out = event.done(&["renumber", "--order", "2,1,3,4,5", "--yes"]);
    assert!(out.contains("2 becomes 1: Bravo"), "{out}");
    let said = event.not_done(&["renumber", "--order", "2,1", "--yes"]);
    assert!(
        said.contains("player 3 is missing from the new order"),
        "{said}"
    );
}

#[test]
fn pairs_are_forbidden_and_rounds_accelerated() {
    let event = Event::start(&["--pairing-program", FAKE]);
    event.done(&["new", "Open", "--rounds", "9", "--first-colour", "white"]);
    for name in ["Alpha", "Bravo", "Charlie", "Delta"] {
        event.done(&["enter", name]);
    }
    assert_eq!(event.done(&["forbid"]), "no pair is forbidden\n");
    let out = event.done(&["forbid", "2", "1", "--rounds", "1-5", "--reason", "sisters"]);
    assert_eq!(out, "1 Alpha, 2 Bravo: must not meet in rounds 1 to 5\n");
    event.done(&["forbid", "3", "4"]);
    event.done(&["accelerate", "baku"]);
    let out = event.done(&["status"]);
    for line in [
        "1 Alpha, 2 Bravo: must not meet in rounds 1 to 5\n",
        "3 Charlie, 4 Delta: must not meet\n",
        "Baku acceleration: players 1 to 2, until round 5\n",
    ] {
        assert!(out.contains(line), "{out}");
    }
    let out = event.done(&["export"]);
    for line in [
        "192 FIDE_DUTCH_2025_BAKU\r\n",
        "250       1.0   1   3    1    2\r\n",
        "260   1   5    1    2\r\n",
        "260   1   9    3    4\r\n",
    ] {
        assert!(out.contains(line), "{out}");
    }
    // The stub pairs the forbidden players anyway, so the arbiter gets a warning.
    let (_, said) = expect(&event.hub.event(event.dir.path(), &["pair", "--yes"]), 0);
    assert!(
        said.contains("the event forbids this pairing in rounds 1 to 5"),
        "{said}"
    );
    event.done(&["forbid", "1", "2", "--lift"]);
    assert_eq!(
        event.done(&["forbid"]),
        "3 Charlie, 4 Delta: must not meet\n"
    );
    let said = event.not_done(&["forbid", "1", "2", "--lift"]);
    assert!(said.contains("no pair of these is forbidden"), "{said}");
    let said = event.not_done(&["forbid", "1", "9"]);
    assert!(said.contains("there is no player 9"), "{said}");
    event.done(&["accelerate", "none"]);
    assert_eq!(event.json(&["status"])[0]["acceleration"], Value::Null);
}

#[test]
fn points_are_awarded_by_command() {
    let event = Event::start(&["--pairing-program", FAKE]);
    event.done(&["new", "Open", "--rounds", "3", "--first-colour", "white"]);
    for name in ["Alpha", "Bravo", "Charlie", "Delta"] {
        event.done(&["enter", name]);
    }
    let none = "there are no bonuses and no penalties, and every result has the event's points\n";
    assert_eq!(event.done(&["points"]), none);
    event.done(&["pair", "--yes"]);
    event.play("1", &["1-0", "+:-"]);
    let score = |name: &str| {
        let lines = event.json(&["standings"]);
        let line = lines.iter().find(|line| line["name"] == name).unwrap();
        line["points"].as_str().unwrap().to_owned()
    };
    let before = [score("Alpha"), score("Bravo")];
    let out = event.done(&["points", "1", "--penalty", "1", "--round", "1"]);
    assert_eq!(out, "1 Alpha in round 1: penalty of 1.0 points\n");
    let penalised = score("Alpha");
    event.done(&["points", "1", "--penalty", "0.5", "--round", "1"]);
    assert_ne!(
        score("Alpha"),
        penalised,
        "the later penalty replaces the first"
    );
    event.done(&["points", "2", "--bonus", "0.5", "--round", "1"]);
    event.done(&["points", "--worth", "+=0.5"]);
    let out = event.done(&["status"]);
    for line in [
        "1 Alpha in round 1: penalty of 0.5 points\n",
        "2 Bravo in round 1: bonus of 0.5 points\n",
        "everyone in every round: a forfeit win is 0.5 points\n",
    ] {
        assert!(out.contains(line), "{out}");
    }
    assert_ne!([score("Alpha"), score("Bravo")], before);
    let out = event.done(&["export"]);
    let records = out.lines().filter(|line| line.starts_with("299 "));
    assert_eq!(records.count(), 3, "{out}");
    let said = event.not_done(&["points", "3", "--remove"]);
    assert!(
        said.contains("no entry is for exactly these participants and this round"),
        "{said}"
    );
    let said = event.not_done(&["points", "9", "--bonus", "1", "--round", "1"]);
    assert!(said.contains("there is no player 9"), "{said}");
    let out = event.done(&["points", "1", "--round", "1", "--remove"]);
    assert_eq!(out, "1 Alpha in round 1: as scored\n");
    event.done(&["points", "2", "--round", "1", "--remove"]);
    event.done(&["points", "--worth", "+=1"]);
    assert_eq!([score("Alpha"), score("Bravo")], before);
    for wrong in [
        vec!["points", "1", "--bonus", "1"],
        vec!["points", "--bonus", "1", "--round", "1"],
        vec!["points", "1"],
    ] {
        expect(&event.hub.event(event.dir.path(), &wrong), 2);
    }
}

#[test]
fn a_hub_without_a_program_says_what_to_install_and_set() {
    let event = Event::start(&[]);
    event.done(&["new", "Open", "--rounds", "5"]);
    event.done(&["enter", "Alpha"]);
    event.done(&["enter", "Bravo"]);
    let said = event.not_done(&["pair", "--yes"]);
    assert!(said.contains("install bbpPairings"), "{said}");
    assert!(said.contains("pairing_program = "), "{said}");
}

#[test]
fn an_event_with_fewer_than_two_players_or_teams_says_what_to_enter() {
    let event = Event::start(&["--pairing-program", FAKE]);
    for command in ["pair", "renumber", "players"] {
        let said = event.not_done(&[command]);
        assert!(
            said.contains("begin an event with `flagfall event new NAME`"),
            "{said}"
        );
    }
    event.done(&["new", "Open", "--first-colour", "white"]);
    let said = event.done(&["players"]);
    assert!(
        said.contains("no players yet: enter them with `flagfall event enter"),
        "{said}"
    );
    for command in [
        &["round", "show"][..],
        &["round", "confirm"],
        &["result", "1", "1-0"],
    ] {
        let said = event.not_done(command);
        assert!(
            said.contains("no round is paired yet: use `flagfall event pair`"),
            "{said}"
        );
    }
    let players = "a round needs at least two players, and the event has ";
    let enter = "enter them with `flagfall event enter`";
    let said = event.not_done(&["pair", "--yes"]);
    assert!(said.contains(&format!("{players}none: {enter}")), "{said}");
    event.done(&["set", "--system", "round-robin"]);
    event.done(&["enter", "Alpha"]);
    let said = event.not_done(&["pair", "--yes"]);
    assert!(
        said.contains(&format!("{players}only one: {enter}")),
        "{said}"
    );
    event.done(&["set", "--teams", "1"]);
    let said = event.not_done(&["pair", "--yes"]);
    assert!(
        said.contains(
            "two teams, and the event has none: enter them with `flagfall event team` and `flagfall event enter`"
        ),
        "{said}"
    );
}

/// Enters four teams, each with a player for each of the two boards and a reserve.
fn enter_teams(event: &Event) {
    for (team, no) in ["Bergen", "Oslo", "Moss", "Voss"].iter().zip(1..) {
        event.done(&["team", team, "--short", &team[..2]]);
        for place in 1..=3 {
            let rating = (2600 - 100 * no - 10 * place).to_string();
            let name = format!("{team} {place}");
            event.done(&["enter", &name, "--rating", &rating, "--team", team]);
        }
    }
}

#[test]
fn a_dry_run_names_the_team_that_a_player_would_join() {
    let event = Event::start(&[]);
    event.done(&["new", "Cup", "--teams", "2", "--rounds", "3"]);
    event.done(&["team", "Moss"]);
    let out = event.done(&["enter", "Lie, Liv", "--team", "moss", "--dry-run"]);
    assert_eq!(out, "player 1, Lie, Liv: entered, team Moss (not done)\n");
    let said = event.not_done(&["enter", "Lie, Liv", "--team", "Voss", "--dry-run"]);
    assert!(said.contains("there is no team Voss"), "{said}");
    assert_eq!(event.json(&["teams"])[0]["players"], serde_json::json!([]));
}

#[test]
fn a_team_swiss_runs_from_its_first_command_to_its_standings() {
    let event = Event::start(&["--pairing-program", FAKE]);
    let out = event.done(&[
        "new",
        "Cup",
        "--teams",
        "2",
        "--rounds",
        "3",
        "--first-colour",
        "white",
    ]);
    assert_eq!(
        out,
        "Cup: a new event: `flagfall event team NAME` enters its teams\n"
    );
    enter_teams(&event);
    let teams = event.json(&["teams"]);
    assert_eq!(teams[1]["name"], "Oslo");
    assert_eq!(teams[1]["players"], serde_json::json!([4, 5, 6]));
    let out = event.done(&["teams"]);
    assert!(out.contains("1 Bergen") && out.contains("reserve"), "{out}");
    event.done(&["team", "Oslo", "--players", "5,4,6"]);
    event.done(&[
        "enter", "Oslo 3", "--no", "6", "--team", "Moss", "--board", "1",
    ]);
    assert_eq!(
        event.json(&["teams"])[2]["players"],
        serde_json::json!([6, 7, 8, 9])
    );
    event.done(&["enter", "Oslo 3", "--no", "6", "--team", "2"]);
    event.done(&["team", "Ghost"]);
    event.done(&["remove-team", "Ghost"]);
    let said = event.not_done(&["remove-team", "Ghost"]);
    assert!(said.contains("there is no team Ghost"), "{said}");

    event.done(&["bye", "1", "1", "zero"]);
    event.done(&["pair", "--yes"]);
    let boards = event.json(&["round", "show", "1"]);
    let seats: Vec<String> = boards
        .iter()
        .map(|board| format!("{} {}", board["white"], board["black"]))
        .collect();
    assert_eq!(seats.len(), 4, "{boards:?}");
    event.play("1", &["1-0", "1/2", "0-1", "1/2"]);
    let standings = event.done(&["standings"]);
    assert!(standings.contains("Oslo"), "{standings}");
    event.done(&["round", "confirm", "1"]);
    event.done(&["pair", "--yes"]);
    event.play("2", &["1-0", "1/2", "0-1", "1/2"]);
    let rows = event.json(&["standings"]);
    assert_eq!(rows.len(), 4);
    let out = event.done(&["standings", "--cross"]);
    let moss = "   3     =2   3  Moss    4 2.0 (1.5)  2 0.0 (0.5)     2.0\n";
    assert!(out.contains(moss), "{out}");
    let lines = event.json(&["standings", "--cross"]);
    assert_eq!(lines[0]["cells"][1], "4 2.0 (1.5)");
    let out = event.done(&["export"]);
    assert!(
        out.contains("192 CUSTOM_SWISS\r\n") && out.contains("\n310"),
        "{out}"
    );
    let said = event.not_done(&["remove-team", "Oslo"]);
    assert!(
        said.contains("team 2 is paired in round 1 and cannot be removed"),
        "{said}"
    );
}

#[test]
fn a_team_round_robin_pairs_itself() {
    let event = Event::start(&[]);
    let new = [
        "new",
        "League",
        "--teams",
        "2",
        "--system",
        "round-robin",
        "--rounds",
        "3",
    ];
    event.done(&new);
    enter_teams(&event);
    event.done(&["pair", "--all", "--yes"]);
    for round in ["1", "2", "3"] {
        event.play(round, &["1-0", "1/2", "0-1", "1/2"]);
    }
    let rows = event.json(&["standings"]);
    assert_eq!(rows.len(), 4);
    let out = event.done(&["status"]);
    assert!(
        out.starts_with(
            "League\n4 teams on 2 boards, 12 players, round robin, 3 of 3 rounds paired\n"
        ),
        "{out}"
    );
}

#[test]
fn teams_need_a_team_event() {
    let event = Event::start(&[]);
    event.done(&["new", "Open"]);
    let said = event.not_done(&["team", "Bergen"]);
    assert!(
        said.contains("`flagfall event set --teams BOARDS`"),
        "{said}"
    );
}
