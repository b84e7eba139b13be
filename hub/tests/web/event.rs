//! The event as data: the samples' tables, rounds and cards, whose values are known.

use crate::fixture::Site;
use axum::http::StatusCode;
use serde_json::{Value, json};
use tournament::formats::draft::import_file;
use tournament::{Actor, Event, Tournament};

const HARBOUR_CUP: &[u8] = include_bytes!("../../../tests/samples/harbour-cup.trf");
const TEAM_CUP: &[u8] = include_bytes!("../../../tests/samples/team-cup.trf");

pub(crate) fn event_of(file: &[u8]) -> Tournament {
    let mut tournament = Tournament::new(Event::new("", 1));
    for change in import_file(file).unwrap().draft.changes("the file") {
        tournament.apply(&Actor::program("import"), change).unwrap();
    }
    tournament
}

pub(crate) fn harbour_cup() -> Site {
    Site::with_event(event_of(HARBOUR_CUP))
}

pub(crate) fn team_cup() -> Site {
    Site::with_event(event_of(TEAM_CUP))
}

pub(crate) async fn json(site: &Site, path: &str) -> Value {
    let answer = site.get(path).await;
    assert_eq!(answer.status, StatusCode::OK, "{path}");
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(answer.header("access-control-allow-origin"), "*");
    answer.json().await
}

#[tokio::test]
async fn the_samples_table_has_the_verified_numbers() {
    let site = harbour_cup();
    let table = json(&site, "/live/event/standings.json").await;
    assert_eq!((&table["after"], &table["rounds"]), (&json!(3), &json!(4)));
    assert_eq!(
        (&table["provisional"], &table["open"]),
        (&json!(false), &json!(0))
    );
    let rows = table["rows"].as_array().unwrap();
    let line = |row: &Value| {
        let values: Vec<_> = row["values"]
            .as_array()
            .unwrap()
            .iter()
            .map(|value| value.as_str().unwrap())
            .collect();
        format!(
            "{} {} {} | {}",
            row["rank"],
            row["name"].as_str().unwrap(),
            row["score"].as_str().unwrap(),
            values.join(" ")
        )
    };
    let lines: Vec<_> = rows.iter().map(line).collect();
    assert_eq!(
        lines,
        [
            "1 Alpha, Anna 2.5 | 3.0 4.0 3.00 0",
            "2 Bravo, Bea 2.0 | 3.5 5.0 3.00 0",
            "3 Delta, Dan 1.0 | 4.5 5.5 1.00 0",
            "4 Charlie, Cid 1.0 | 3.5 4.5 1.00 0",
            "5 Echo, Eve 1.0 | 2.0 3.0 1.00 0",
        ]
    );
    assert_eq!(
        table["tie_breaks"][0],
        json!({ "code": "BH/C1", "title": "Buchholz without the lowest" })
    );
}

#[tokio::test]
async fn standings_after_a_round_ignore_later_rounds() {
    let site = harbour_cup();
    let table = json(&site, "/live/event/standings.json?after=1").await;
    assert_eq!(table["after"], 1);
    let scores: Vec<_> = table["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["score"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(scores, ["1.0", "1.0", "0.0", "0.0", "0.0"]);
    let beyond = site.get("/live/event/standings.json?after=4").await;
    assert_eq!(
        beyond.status,
        StatusCode::NOT_FOUND,
        "round 4 has not begun"
    );
}

/// The explanation of each number except the direct encounter lists terms whose sum is that number. The term for the dummy opponent of a half-point
/// bye names the articles that limit and exclude it.
#[tokio::test]
async fn each_number_explains_itself() {
    let site = harbour_cup();
    let hundredths = |value: &Value| {
        tournament::Points::parse(value.as_str().unwrap())
            .unwrap()
            .hundredths()
    };
    for no in 1..=5 {
        let why = json(&site, &format!("/live/event/why/{no}.json")).await;
        let codes: Vec<_> = why["numbers"]
            .as_array()
            .unwrap()
            .iter()
            .map(|number| number["code"].as_str().unwrap())
            .collect();
        assert_eq!(codes, ["PTS", "BH/C1", "BH", "SB", "DE"]);
        for number in &why["numbers"].as_array().unwrap()[..4] {
            let terms = number["terms"].as_array().unwrap();
            assert_eq!(terms.len(), 3, "one for each round");
            let sum: i64 = terms
                .iter()
                .filter(|term| term["cut"].is_null())
                .map(|term| hundredths(&term["adds"]))
                .sum();
            assert_eq!(sum, hundredths(&number["value"]), "{no} {number}");
        }
    }
    let why = json(&site, "/live/event/why/2.json").await;
    let bye = &why["numbers"][1]["terms"][2];
    assert_eq!(bye["kind"], "half-point bye");
    assert_eq!(bye["kind_code"], "half");
    assert_eq!(bye["from_code"], "dummy_draws");
    assert_eq!(bye["cut_code"], "voluntary");
    assert_eq!(
        bye["from"],
        "dummy opponent, capped at a draw in every round (16.4.2)"
    );
    assert_eq!(bye["cut"], "voluntary unplayed round, left out (16.5)");
    assert_eq!(why["numbers"][1]["words"][0], "BH/C1 of Bravo, Bea: 3.5");
}

#[tokio::test]
async fn a_round_lists_its_boards_results_and_byes() {
    let site = harbour_cup();
    let round = json(&site, "/live/event/rounds/2.json").await;
    assert_eq!(
        (&round["state"], &round["results"]),
        (&json!("finished"), &json!(2))
    );
    let first = &round["boards"][0];
    assert_eq!(first["white"]["name"], "Bravo, Bea");
    assert_eq!(first["white"]["score"], "1.0", "points before the round");
    assert_eq!(first["result"], json!({ "white": "½", "black": "½" }));
    let forfeit = &round["boards"][1];
    assert_eq!(forfeit["result"], json!({ "white": "+", "black": "–" }));
    assert_eq!(round["byes"][0]["name"], "Delta, Dan");
    assert_eq!(
        (&round["byes"][0]["bye"], &round["byes"][0]["points"]),
        (&json!("bye"), &json!("1.0"))
    );
}

#[tokio::test]
async fn a_player_card_lists_every_round() {
    let site = harbour_cup();
    let card = json(&site, "/live/event/players/2.json").await;
    assert_eq!(
        (&card["rank"], &card["score"], &card["performance"]),
        (&json!(2), &json!("2.0"), &Value::Null)
    );
    let games = card["games"].as_array().unwrap();
    assert_eq!(games[0]["opponent"]["name"], "Delta, Dan");
    assert_eq!(
        (
            &games[0]["colour"],
            &games[0]["mark"],
            &games[0]["opponent_rank"]
        ),
        (&json!("black"), &json!("1"), &json!(3))
    );
    assert_eq!(
        games[2],
        json!({ "round": 3, "bye": "half-point bye", "bye_code": "half", "points": "0.5" })
    );
    let table = json(&site, "/live/event/cross-table.json").await;
    let line = &table["rows"][1];
    assert_eq!(
        line["cells"][0],
        json!({ "opponent": 4, "line": 3, "colour": "black", "board": 2, "mark": "1", "points": "1.0" })
    );
    assert_eq!(line["cells"][3], Value::Null, "round 4 is not paired");
    assert_eq!((&line["line"], &line["rank"]), (&json!(2), &json!(2)));
}

#[tokio::test]
async fn a_team_event_has_matches_and_both_scores() {
    let site = team_cup();
    let round = json(&site, "/live/event/rounds/1.json").await;
    let first = &round["matches"][0];
    let shown = |side: &str| {
        format!(
            "{} {}",
            first[side]["name"].as_str().unwrap(),
            first[side]["game_points"].as_str().unwrap()
        )
    };
    assert_eq!(
        (shown("white"), shown("black")),
        ("Norway 1.5".to_owned(), "Denmark 0.5".to_owned())
    );
    let table = json(&site, "/live/event/standings.json").await;
    assert_eq!(table["scores"], json!(["MP", "GP"]));
    assert_eq!(
        (&table["rows"][0]["name"], &table["rows"][0]["score"]),
        (&json!("Norway"), &json!("3.0"))
    );
    assert_eq!(table["rows"][0]["second_score"], "2.5");
    let card = json(&site, "/live/event/teams/1.json").await;
    assert_eq!(card["matches"][0]["opponent"]["name"], "Denmark");
    assert_eq!(
        (&card["matches"][0]["points"], &card["matches"][0]["second"]),
        (&json!("2.0"), &json!("1.5"))
    );
    let player = json(&site, "/live/event/players/1.json").await;
    assert_eq!(
        (&player["team"]["name"], &player["score"], &player["rank"]),
        (&json!("Norway"), &json!("2.0"), &Value::Null)
    );
    assert_eq!(
        json(&site, "/live/event/teams.json").await["teams"]
            .as_array()
            .unwrap()
            .len(),
        4
    );
}

#[tokio::test]
async fn the_overview_has_the_feed_position_and_the_progress_of_each_round() {
    let site = harbour_cup();
    let event = json(&site, "/live/event.json").await;
    assert_eq!(
        (&event["epoch"], &event["seq"], &event["version"]),
        (&json!(41), &json!(4), &json!(1))
    );
    assert_eq!(
        (&event["name"], &event["city"], &event["starts"]),
        (
            &json!("Harbour Cup 2026"),
            &json!("Bergen"),
            &json!("2026-11-20")
        )
    );
    assert_eq!(
        (&event["after"], &event["rounds"], &event["boards"]),
        (&json!(3), &json!(4), &json!(3))
    );
    assert_eq!(
        event["paired"][1],
        json!({ "round": 2, "date": "2026-11-20", "state": "finished", "boards": 2, "results": 2 })
    );
}
