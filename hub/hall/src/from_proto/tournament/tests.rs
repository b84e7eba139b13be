//! Tests that changes and whole events survive encoding and decoding, and that malformed messages give the right
//! errors.

use proptest::prelude::*;
use prost::Message;

use super::*;
use crate::to_proto;
use tournament::formats::draft::import_file;
use tournament::player::Sex;
use tournament::{
    AbnormalPoints, Acceleration, Contest, Event, Forbidden, Game, Participant, Player, Points,
    ResultKind, Sector, StatedRow, StatedStandings, System, Team, TieBreak, Tournament,
};

fn event() -> Event {
    let mut event = Event::new("Harbour Cup", 9);
    event.city = "Marseille".to_owned();
    event.starts = Date::new(2026, 11, 20);
    event.deputies = vec!["Bea".to_owned(), String::new()];
    event.system = System::RoundRobin { cycles: 2 };
    event.contest = Contest::Teams { boards: 4 };
    event.game = Game::Othello;
    event.round_dates = [(RoundNo(2), Date::new(2026, 11, 21).unwrap())].into();
    event.initial_colour = Some(Side::Black);
    event.scoring.draw = Points::from_hundredths(33);
    event.match_scoring.forfeit_loss = Points::from_hundredths(-100);
    let list = [
        "BH:GP/C1",
        "KS/L+1",
        "KS/L-0.5",
        "KS/L40",
        "ARO/U1400",
        "SSSC/K3",
        "TPN/R",
        "SB/M2/P/F",
    ];
    event.tie_breaks = list.map(|text| TieBreak::parse(text).unwrap()).to_vec();
    event.unrated_as = Some(1400);
    event.team_bye_points = Some(Points::whole(2));
    let with_control = Sector {
        control: "25m+10s".to_owned(),
        ..Sector::new(BoardNo(21), BoardNo(30))
    };
    event.sectors = [
        ("A".to_owned(), Sector::new(BoardNo(1), BoardNo(20))),
        ("B".to_owned(), with_control),
    ]
    .into();
    event.kept_lines = vec!["XXA 1".to_owned()];
    event.forbidden = vec![Forbidden {
        rounds: (RoundNo(1), RoundNo(5)),
        participants: vec![3, 9, 12],
    }];
    event.abnormal_points = abnormal_points();
    event.accelerations = vec![Acceleration {
        points: Some(Points::whole(1)),
        match_points: Some(Points::ZERO),
        rounds: (RoundNo(1), RoundNo(2)),
        participants: (1, 20),
    }];
    event
}

fn abnormal_points() -> Vec<AbnormalPoints> {
    let penalty = AbnormalPoints {
        replaces: None,
        match_points: None,
        points: Some(-Points::HALF),
        round: Some(RoundNo(2)),
        participants: vec![4, 7],
    };
    let kinds = [
        ResultKind::Win,
        ResultKind::Draw,
        ResultKind::Loss,
        ResultKind::ForfeitWin,
        ResultKind::ForfeitLoss,
        ResultKind::FullBye,
        ResultKind::HalfBye,
        ResultKind::ZeroBye,
    ];
    let replacing = kinds.map(|kind| AbnormalPoints {
        replaces: Some(kind),
        match_points: Some(Points::ONE),
        points: Some(Points::ZERO),
        round: None,
        participants: Vec::new(),
    });
    [vec![penalty], replacing.to_vec()].concat()
}

fn player() -> Player {
    let mut player = Player::new(PlayerNo(7), "Østergård, Maja");
    player.sex = Some(Sex::Female);
    player.title = "WIM".to_owned();
    player.rating = Some(2201);
    player.fide_id = Some(1_503_014);
    player.birth = "1990".to_owned();
    player.enters = RoundNo(2);
    player.leaves = Some(RoundNo(0));
    player.byes = Bye::ALL
        .into_iter()
        .zip(1..)
        .map(|(bye, round)| (RoundNo(round), bye))
        .collect();
    player.kept_lines = vec!["NAT 7".to_owned()];
    player
}

fn pairings() -> Pairings {
    let side = Match {
        white: TeamNo(1),
        black: TeamNo(2),
        forfeit: Some(Some(Side::Black)),
    };
    Pairings {
        boards: vec![
            Pairing::new(BoardNo(1), PlayerNo(1), PlayerNo(2)),
            Pairing {
                board: BoardNo(u16::MAX),
                white: None,
                black: Some(PlayerNo(9)),
                of_match: Some((MatchNo(1), 2)),
            },
        ],
        byes: vec![(PlayerNo(3), Bye::PairingAllocated)],
        matches: vec![(MatchNo(1), side)],
        team_byes: vec![(TeamNo(3), Bye::Half)],
    }
}

fn results() -> [GameResult; 7] {
    [
        GameResult::played(Outcome::Win),
        GameResult::unrated(Outcome::Draw),
        GameResult::counted(Tally {
            white: 20,
            black: 44,
        }),
        GameResult::Played {
            white: Outcome::Draw,
            black: Outcome::Loss,
            rated: true,
            tally: None,
        },
        GameResult::forfeit(Side::Black),
        GameResult::DOUBLE_FORFEIT,
        GameResult::Adjourned,
    ]
}

fn changes() -> Vec<Change> {
    let (p, r, b, m) = (PlayerNo(7), RoundNo(3), BoardNo(12), MatchNo(2));
    let words = || "because".to_owned();
    let team = Team {
        no: TeamNo(1),
        name: "Harbour".to_owned(),
        short_name: "HAR".to_owned(),
        federation: "FRA".to_owned(),
        players: vec![PlayerNo(7), PlayerNo(1)],
    };
    let mut changes = vec![
        Change::SetEvent(Box::new(event())),
        Change::SetEvent(Box::new(Event::new("Open", 1))),
        Change::EnterPlayer(Box::new(player())),
        Change::EnterPlayer(Box::new(Player::new(PlayerNo(1), "Ann"))),
        Change::RemovePlayer(p),
        Change::Withdraw(p, RoundNo(0)),
        Change::ReturnPlayer(p),
        Change::GrantBye(p, r, None),
        Change::Renumber(Box::new(Renumbering {
            order: vec![PlayerNo(2), PlayerNo(1)],
            kept_lines: vec!["record NOR    1".to_owned()],
        })),
        Change::EnterTeam(Box::new(team)),
        Change::RemoveTeam(TeamNo(1)),
        Change::PairRound(r, Box::new(pairings())),
        Change::Unpair(r),
        Change::Reseat(r, Pairing::new(b, PlayerNo(1), p).into()),
        Change::Reseat(
            r,
            Reseating {
                boards: vec![
                    Pairing::new(b, PlayerNo(1), p),
                    Pairing::new(BoardNo(1), PlayerNo(4), PlayerNo(3)),
                ],
                restart: true,
            },
        ),
        Change::RemoveBoards(r, vec![b, BoardNo(2)]),
        Change::Preset(r, b),
        Change::Start(r, Scope::All),
        Change::Start(r, Scope::Sector("A".to_owned())),
        Change::Start(r, Scope::Board(b)),
        Change::FirstPress(r, b),
        Change::RemoveResult(r, b, words()),
        Change::ForfeitMatch(r, m, None),
        Change::ForfeitMatch(r, m, Some(None)),
        Change::ForfeitMatch(r, m, Some(Some(Side::White))),
        Change::StateStandings(None),
        Change::StateStandings(Some(Box::new(stated()))),
        Change::Confirm(r),
        Change::Reopen(r, words()),
    ];
    changes.extend(Bye::ALL.map(|bye| Change::GrantBye(p, r, Some(bye))));
    changes.extend(results().map(|result| Change::Enter(r, b, result, words())));
    let reasons = [
        ProposalReason::FlagCalled(Side::White),
        ProposalReason::FlagCalled(Side::Black),
        ProposalReason::Rules,
        ProposalReason::Clock,
        ProposalReason::Text(words()),
    ];
    for result in results() {
        let each = reasons.iter().cloned();
        changes.extend(each.map(|why| Change::Propose(r, b, result, why)));
    }
    changes
}

fn stated() -> StatedStandings {
    let row = |rank, match_points, points| StatedRow {
        rank,
        match_points,
        points,
    };
    let half = Some(Points::HALF);
    let rows = [
        (Participant::Player(PlayerNo(2)), row(Some(1), None, None)),
        (Participant::Player(PlayerNo(1)), row(Some(2), None, half)),
        (
            Participant::Team(TeamNo(1)),
            row(None, Some(Points::ONE), half),
        ),
    ];
    StatedStandings {
        file: "open.trf".to_owned(),
        after: 3,
        rows: rows.into_iter().collect(),
    }
}

#[test]
fn every_change_round_trips() {
    for change in changes() {
        let bytes = to_proto::tournament::change(&change).encode_to_vec();
        let read = wire::Change::decode(bytes.as_slice()).unwrap();
        assert_eq!(super::change(read), Ok(change));
    }
}

#[track_caller]
fn assert_round_trip(tournament: &Tournament) {
    let bytes = to_proto::tournament::tournament(tournament).encode_to_vec();
    let read = wire::Tournament::decode(bytes.as_slice()).unwrap();
    assert_eq!(super::tournament(read).as_ref(), Ok(tournament));
}

#[test]
fn whole_events_round_trip() {
    let files: [&[u8]; 3] = [
        include_bytes!("../../../../../tests/samples/harbour-cup.trf"),
        include_bytes!("../../../../../tests/samples/team-cup.trf"),
        include_bytes!("../../../../../tests/samples/extended-open.trf"),
    ];
    for file in files {
        let draft = import_file(file).unwrap().draft;
        let mut tournament = Tournament::new(draft.event.clone());
        for change in draft.changes("sample") {
            tournament.apply(&Actor::chief("Ann"), change).unwrap();
        }
        let (round, board) = (RoundNo(1), BoardNo(1));
        let drawn = GameResult::played(Outcome::Draw);
        let corrected = Change::Enter(round, board, drawn, "slip misread".to_owned());
        tournament.apply(&Actor::floor("Bea"), corrected).unwrap();
        assert_round_trip(&tournament);
        let open = Change::RemoveResult(round, board, "still playing".to_owned());
        tournament.apply(&Actor::floor("Bea"), open).unwrap();
        let proposed =
            Change::Propose(round, board, drawn, ProposalReason::Text("flag".to_owned()));
        tournament.apply(&Actor::clock("1"), proposed).unwrap();
        assert_round_trip(&tournament);
        let change = Change::StateStandings(Some(Box::new(stated())));
        tournament.apply(&Actor::chief("Ann"), change).unwrap();
        assert_round_trip(&tournament);
        let entered = Change::Enter(round, board, drawn, String::new());
        tournament.apply(&Actor::floor("Bea"), entered).unwrap();
        assert_round_trip(&tournament);
    }
}

#[track_caller]
fn refused(what: wire::change::What, expected: &str) {
    let said = change(wire::Change { what: Some(what) });
    let error = said.unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn malformed_changes_give_an_error_that_names_the_fault() {
    use wire::change::What;
    assert!(change(wire::Change { what: None }).is_err());
    refused(
        What::RemovePlayer(65_536),
        "65536 cannot be the number of a player",
    );
    let event = wire::Event {
        rounds: 9,
        tie_breaks: vec!["BH/C1".to_owned(), "XYZ".to_owned()],
        ..wire::Event::default()
    };
    refused(What::SetEvent(event.clone()), "XYZ");
    let event = wire::Event {
        tie_breaks: Vec::new(),
        starts: "2026/02/30".to_owned(),
        ..event
    };
    refused(What::SetEvent(event), "is not a date");
    let mut entered = wire::BoardResult {
        round: 1,
        board: 1,
        ..wire::BoardResult::default()
    };
    refused(What::Enter(entered.clone()), "no result");
    entered.result = Some(wire::Result { kind: None });
    refused(What::Enter(entered.clone()), "without a kind");
    let played = wire::Played::default();
    entered.result = Some(wire::Result {
        kind: Some(wire::result::Kind::Played(played)),
    });
    refused(What::Enter(entered.clone()), "an outcome is missing");
    let forfeit = wire::Forfeit { winner: 7 };
    entered.result = Some(wire::Result {
        kind: Some(wire::result::Kind::Forfeit(forfeit)),
    });
    refused(
        What::Enter(entered),
        "a side of a kind this version does not know",
    );
}

proptest! {
    #[test]
    fn arbitrary_bytes_give_a_change_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        if let Ok(read) = wire::Change::decode(bytes.as_slice()) {
            let _ = change(read);
        }
        if let Ok(read) = wire::Tournament::decode(bytes.as_slice()) {
            let _ = tournament(read);
        }
    }
}
