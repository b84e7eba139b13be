//! The event as data during a round: immediate updates, missing results, and data that must stay private.

use crate::event::{harbour_cup, json};
use axum::http::StatusCode;
use serde_json::{Value, json};
use tournament::{
    Actor, BoardNo, Bye, Change, GameResult, Outcome, Pairing, Pairings, PlayerNo, ProposalReason,
    RoundNo, Scope, Side,
};

fn last_round() -> Change {
    let pairing =
        |board, white, black| Pairing::new(BoardNo(board), PlayerNo(white), PlayerNo(black));
    let pairings = Pairings {
        boards: vec![pairing(1, 1, 5), pairing(2, 3, 2)],
        byes: vec![(PlayerNo(4), Bye::PairingAllocated)],
        ..Pairings::default()
    };
    Change::PairRound(RoundNo(4), Box::new(pairings))
}

/// The public must not see a clock's proposal or the author and reason of a correction (FIDE 12.6), nor a birth date.
#[tokio::test]
async fn no_data_set_contains_arbiters_data() {
    let site = harbour_cup();
    let chief = Actor::chief("Hidden, Chief");
    site.change(&chief, last_round());
    site.change(&chief, Change::Start(RoundNo(4), Scope::All));
    let proposed = Change::Propose(
        RoundNo(4),
        BoardNo(1),
        GameResult::played(Outcome::Win),
        ProposalReason::Text("flag of the secret".into()),
    );
    site.change(&Actor::clock("hidden clock"), proposed);
    for (outcome, reason) in [(Outcome::Win, ""), (Outcome::Draw, "a secret reason")] {
        let entered = Change::Enter(
            RoundNo(4),
            BoardNo(2),
            GameResult::played(outcome),
            reason.into(),
        );
        site.change(&Actor::floor("Hidden, Floor"), entered);
    }
    let mut paths = vec!["/live/event.json".to_owned()];
    for name in [
        "standings",
        "cross-table",
        "players",
        "rounds/4",
        "rounds/3",
    ] {
        paths.push(format!("/live/event/{name}.json"));
    }
    for no in 1..=5 {
        paths.extend([
            format!("/live/event/players/{no}.json"),
            format!("/live/event/why/{no}.json"),
        ]);
    }
    for path in paths {
        let text = site.get(&path).await.text().await;
        for hidden in [
            "idden", "secret", "1990", "1993/04", "propos", "preset", "reason",
        ] {
            assert!(!text.contains(hidden), "{path} has {hidden:?}: {text}");
        }
    }
    let round = json(&site, "/live/event/rounds/4.json").await;
    assert_eq!(
        (&round["state"], &round["results"]),
        (&json!("playing"), &json!(1))
    );
    assert_eq!(
        (&round["boards"][0]["state"], &round["boards"][0]["result"]),
        (&json!("playing"), &Value::Null)
    );
    assert_eq!(round["boards"][1]["result"]["white"], "½");
}

#[tokio::test]
async fn a_result_is_in_the_next_answer_and_standings_are_marked_while_games_are_open() {
    let site = harbour_cup();
    let before = site
        .get("/live/event/standings.json")
        .await
        .header("etag")
        .to_owned();
    let again = site
        .ask(
            "GET",
            "/live/event/standings.json",
            &[("if-none-match", &before)],
        )
        .await;
    assert_eq!(again.status, StatusCode::NOT_MODIFIED);
    assert_eq!(again.header("cache-control"), "no-cache");
    let chief = Actor::chief("IA Doe");
    site.change(&chief, last_round());
    site.change(&chief, Change::Start(RoundNo(4), Scope::All));
    site.change(
        &chief,
        Change::Enter(
            RoundNo(4),
            BoardNo(1),
            GameResult::forfeit(Side::White),
            String::new(),
        ),
    );
    let news = site
        .ask(
            "GET",
            "/live/event/standings.json",
            &[("if-none-match", &before)],
        )
        .await;
    assert_eq!(news.status, StatusCode::OK);
    let table = news.json().await;
    assert_eq!(
        (&table["after"], &table["open"], &table["provisional"]),
        (&json!(4), &json!(1), &json!(true))
    );
    assert_eq!(
        (&table["rows"][0]["score"], &table["rows"][0]["pending"]),
        (&json!("3.5"), &Value::Null)
    );
    let pending: Vec<_> = table["rows"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["pending"] == true)
        .map(|row| row["no"].clone())
        .collect();
    assert_eq!(pending, [2, 3]);
    site.change(
        &chief,
        Change::Enter(
            RoundNo(4),
            BoardNo(2),
            GameResult::played(Outcome::Draw),
            String::new(),
        ),
    );
    let table = json(&site, "/live/event/standings.json").await;
    assert_eq!(
        (&table["open"], &table["provisional"]),
        (&json!(0), &json!(false)),
        "final"
    );
}
