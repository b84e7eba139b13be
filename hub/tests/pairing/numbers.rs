//! Pairing numbers: FIDE's initial order before the first round, renumbering on request, and the data that stay with each player.

use expect_test::expect;
use hub::pairing::{Numbers, PairingDesk, RoundsToPair, numbering};
use tournament::formats::draft::{export, import_file};
use tournament::formats::trf::Edition;
use tournament::{
    Actor, BoardNo, Bye, Change, Event, GameResult, Outcome, Pairing, Pairings, Player, PlayerNo,
    Refusal, Renumbering, RoundNo, System, Team, TeamNo, Tournament,
};

use crate::program::{FAKE, desk};
use crate::rig::{apply, open};

/// Returns an event with these players (name, title, rating), in order of entry.
fn entered(players: &[(&str, &str, u16)]) -> Tournament {
    let mut event = Event::new("Open", 9);
    event.initial_colour = Some(tournament::Side::White);
    let mut tournament = Tournament::new(event);
    for ((name, title, rating), no) in players.iter().zip(1..) {
        let mut player = Player::new(PlayerNo(no), name);
        player.title = (*title).to_owned();
        player.rating = Some(*rating).filter(|rating| *rating > 0);
        apply(&mut tournament, Change::EnterPlayer(Box::new(player)));
    }
    tournament
}

fn renumber(tournament: &mut Tournament) {
    let new = numbering::requested(tournament, &[]).unwrap();
    apply(tournament, Change::Renumber(Box::new(new)));
}

fn named(tournament: &Tournament) -> Vec<(u16, &str)> {
    let players = tournament.players().iter();
    players
        .map(|(no, player)| (no.0, player.name.as_str()))
        .collect()
}

/// Pairs adjacent numbers in a round and lets White win every game.
fn play(tournament: &mut Tournament, round: u16) {
    let numbers: Vec<PlayerNo> = tournament.players().keys().copied().collect();
    let pairs = numbers.chunks(2).zip((1..).map(BoardNo));
    let boards = pairs.map(|(pair, board)| Pairing::new(board, pair[0], pair[1]));
    let pairings = Pairings {
        boards: boards.collect(),
        ..Pairings::default()
    };
    apply(
        tournament,
        Change::PairRound(RoundNo(round), Box::new(pairings.clone())),
    );
    for pairing in pairings.boards {
        let result = GameResult::played(Outcome::Win);
        apply(
            tournament,
            Change::Enter(RoundNo(round), pairing.board, result, String::new()),
        );
    }
}

// FIDE C.04.2: rating, then title (GM, IM, WGM, FM, WIM, CM, WFM, WCM, none), then name.
#[test]
fn the_initial_order_is_rating_title_and_name() {
    let mut tournament = entered(&[
        ("Zulu", "", 2000),
        ("Alpha", "WCM", 2000),
        ("Bravo", "WGM", 2000),
        ("Charlie", "IM", 2000),
        ("Delta", "GM", 2000),
        ("Echo", "FM", 2000),
        ("Foxtrot", "WIM", 2000),
        ("Golf", "CM", 2000),
        ("Hotel", "WFM", 2000),
        ("India", "", 2001),
        ("Łukasz", "", 0),
        ("kilo", "GM", 0),
        ("Lima", "", 0),
        ("Älg", "", 2000),
    ]);
    renumber(&mut tournament);
    let order: Vec<&str> = named(&tournament)
        .into_iter()
        .map(|(_, name)| name)
        .collect();
    let expected = [
        "India", "Delta", "Charlie", "Bravo", "Echo", "Foxtrot", "Golf", "Hotel", "Alpha", "Älg",
        "Zulu", "kilo", "Lima", "Łukasz",
    ];
    assert_eq!(order, expected);
    assert_eq!(tournament.better_numbering(), None);
}

#[tokio::test]
async fn the_first_round_is_paired_with_the_initial_order() {
    let players = [
        ("Alpha", "", 1800),
        ("Bravo", "", 2000),
        ("Charlie", "", 1900),
        ("Delta", "", 1700),
    ];
    let mut tournament = entered(&players);
    let desk = desk(FAKE, "1m");
    let kept = desk
        .propose(&tournament, RoundsToPair::Next, Numbers::Unchanged)
        .await
        .unwrap();
    assert_eq!(kept.changes.len(), 1);
    assert!(
        kept.remarks[0]
            .to_string()
            .contains("`flagfall event renumber`"),
        "{:?}",
        kept.remarks[0]
    );
    let proposal = desk
        .propose(&tournament, RoundsToPair::Next, Numbers::ByRank)
        .await
        .unwrap();
    expect![[r#"
        3 players get new numbers:
          2 becomes 1: Bravo
          3 becomes 2: Charlie
          1 becomes 3: Alpha
        Round 1 is paired: 2 boards
          1: Charlie – Bravo
          2: Delta – Alpha"#]]
    .assert_eq(&proposal.words);
    for change in proposal.changes {
        apply(&mut tournament, change);
    }
    assert_eq!(named(&tournament)[0], (1, "Bravo"));
    for board in [1, 2] {
        let result = GameResult::played(Outcome::Win);
        apply(
            &mut tournament,
            Change::Enter(RoundNo(1), BoardNo(board), result, String::new()),
        );
    }
    // A late entry does not renumber the other players unless an arbiter requests it.
    let mut late = Player::new(PlayerNo(5), "Echo");
    late.rating = Some(2100);
    late.enters = RoundNo(2);
    apply(&mut tournament, Change::EnterPlayer(Box::new(late)));
    let next = desk
        .propose(&tournament, RoundsToPair::Next, Numbers::ByRank)
        .await
        .unwrap();
    assert_eq!(next.changes.len(), 1, "only the round");
    assert!(
        next.remarks[0]
            .to_string()
            .contains("until round 4 is paired"),
        "{:?}",
        next.remarks[0]
    );
    renumber(&mut tournament);
    assert_eq!(named(&tournament)[0], (1, "Echo"));
    let next = desk
        .propose(&tournament, RoundsToPair::Next, Numbers::ByRank)
        .await
        .unwrap();
    assert_eq!(next.remarks, []);
}

#[test]
fn games_and_byes_stay_with_the_player() {
    let mut tournament = entered(&[
        ("Alpha", "", 1800),
        ("Bravo", "", 2000),
        ("Charlie", "", 1900),
        ("Delta", "", 1700),
    ]);
    let mut event = tournament.event().clone();
    event.forbidden = vec![tournament::Forbidden {
        rounds: (RoundNo(1), RoundNo(3)),
        participants: vec![1, 4],
    }];
    event.kept_lines =
        vec!["record NOR    1                                        1850".to_owned()];
    apply(&mut tournament, Change::SetEvent(Box::new(event)));
    play(&mut tournament, 1);
    apply(
        &mut tournament,
        Change::GrantBye(PlayerNo(1), RoundNo(3), Some(Bye::Half)),
    );
    apply(&mut tournament, Change::Withdraw(PlayerNo(4), RoundNo(1)));
    let points = |event: &Tournament| -> Vec<(String, String)> {
        let rows = event.standings(None).rows.into_iter();
        let mut all: Vec<_> = rows
            .map(|row| {
                (
                    event.players()[&PlayerNo(row.who.number())].name.clone(),
                    row.score.to_string(),
                )
            })
            .collect();
        all.sort();
        all
    };
    let before = points(&tournament);
    renumber(&mut tournament);
    assert_eq!(
        named(&tournament),
        [(1, "Bravo"), (2, "Charlie"), (3, "Alpha"), (4, "Delta")]
    );
    assert_eq!(points(&tournament), before);
    let board = &tournament.rounds()[&RoundNo(1)].boards[&BoardNo(1)];
    assert_eq!(
        (board.white, board.black),
        (Some(PlayerNo(3)), Some(PlayerNo(1)))
    );
    let alpha = &tournament.players()[&PlayerNo(3)];
    assert_eq!(
        (alpha.no, alpha.bye_in(RoundNo(3))),
        (PlayerNo(3), Some(Bye::Half))
    );
    assert_eq!(tournament.players()[&PlayerNo(4)].leaves, Some(RoundNo(1)));
    assert_eq!(tournament.event().forbidden[0].participants, [3, 4]);
    let line = &tournament.event().kept_lines[0];
    assert!(line.starts_with("record NOR    3"), "{line}");
    let text = export(&tournament, Edition::Trf26).text;
    assert!(text.contains("260   1   3    3    4"), "{text}");
    import_file(text.as_bytes()).unwrap();
}

#[test]
fn an_order_names_each_player_once() {
    let mut tournament = open("Open", 3);
    let chief = Actor::chief("Doe");
    let mut refused = |order: &[u16]| {
        let order = order.iter().copied().map(PlayerNo).collect();
        let kept_lines = Vec::new();
        let change = Change::Renumber(Box::new(Renumbering { order, kept_lines }));
        tournament.apply(&chief, change).unwrap_err().to_string()
    };
    assert_eq!(refused(&[1, 2]), "player 3 is missing from the new order");
    assert_eq!(
        refused(&[1, 2, 2]),
        "player 2 is named twice in the new order"
    );
    assert_eq!(refused(&[1, 2, 3, 4]), "there is no player 4");
    let floor = Actor::floor("Ann");
    let change = Change::Renumber(Box::default());
    assert_eq!(tournament.apply(&floor, change), Err(Refusal::ChiefOnly));
}

#[test]
fn numbers_are_fixed_once_the_fourth_round_is_paired() {
    let mut tournament = entered(&[("Alpha", "", 1800), ("Bravo", "", 2000)]);
    (1..=3).for_each(|round| play(&mut tournament, round));
    assert!(numbering::remark(&tournament).is_some());
    assert!(numbering::requested(&tournament, &[]).is_ok());
    play(&mut tournament, 4);
    assert_eq!(numbering::remark(&tournament), None);
    let fixed = Refusal::NumbersFixed(RoundNo(4));
    assert_eq!(numbering::requested(&tournament, &[]), Err(fixed.clone()));
    let order = vec![PlayerNo(2), PlayerNo(1)];
    let kept_lines = Vec::new();
    let change = Change::Renumber(Box::new(Renumbering { order, kept_lines }));
    assert_eq!(tournament.apply(&Actor::chief("Doe"), change), Err(fixed));
}

#[tokio::test]
async fn the_numbers_of_a_round_robin_are_drawn() {
    let mut tournament = entered(&[("Alpha", "", 1800), ("Bravo", "", 2000)]);
    let mut event = tournament.event().clone();
    event.system = System::RoundRobin { cycles: 1 };
    event.rounds = 1;
    apply(&mut tournament, Change::SetEvent(Box::new(event)));
    assert_eq!(numbering::remark(&tournament), None);
    let refused = numbering::requested(&tournament, &[])
        .unwrap_err()
        .to_string();
    assert!(refused.contains("drawn by lot"), "{refused}");
    let desk = PairingDesk::default();
    let proposal = desk
        .propose(&tournament, RoundsToPair::Next, Numbers::ByRank)
        .await
        .unwrap();
    assert_eq!(proposal.changes.len(), 1, "only the round");
    let drawn = numbering::requested(&tournament, &[PlayerNo(2), PlayerNo(1)]).unwrap();
    apply(&mut tournament, Change::Renumber(Box::new(drawn)));
    assert_eq!(named(&tournament)[0], (1, "Bravo"));
    for change in proposal.changes {
        apply(&mut tournament, change);
    }
    let refused = numbering::requested(&tournament, &[PlayerNo(2), PlayerNo(1)]).unwrap_err();
    assert_eq!(refused, Refusal::NumbersFixed(RoundNo(1)));
}

#[test]
fn teams_keep_their_players() {
    let mut tournament = open("Cup", 3);
    let team = Team {
        no: TeamNo(1),
        name: "Bergen".to_owned(),
        short_name: String::new(),
        federation: String::new(),
        players: vec![PlayerNo(3), PlayerNo(1)],
    };
    apply(&mut tournament, Change::EnterTeam(Box::new(team)));
    let order = [2, 3, 1].map(PlayerNo);
    let new = numbering::requested(&tournament, &order).unwrap();
    apply(&mut tournament, Change::Renumber(Box::new(new)));
    assert_eq!(
        tournament.teams()[&TeamNo(1)].players,
        [PlayerNo(2), PlayerNo(3)]
    );
}
