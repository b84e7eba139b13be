//! Importing the report of any team event creates the same event again.

use proptest::collection::vec;
use proptest::prelude::*;
use tournament::formats::difference::difference;
use tournament::formats::draft::{Draft, export, import_file};
use tournament::formats::trf::Edition;
use tournament::{
    Actor, BoardNo, Bye, Change, Contest, Event, GameResult, Match, MatchNo, Outcome, Pairing,
    Pairings, Player, PlayerNo, RoundNo, Side, Team, TeamNo, Tournament,
};

#[derive(Clone, Debug)]
struct Parts {
    teams: u16,
    boards: u16,
    reserves: u16,
    /// For each round, the rotation of the teams, and the outcomes of the games in order.
    rounds: Vec<(u16, Vec<u8>)>,
    long_names: bool,
}

prop_compose! {
    fn parts()(
        teams in 2u16..8,
        boards in 1u16..5,
        reserves in 0u16..2,
        rounds in vec((0u16..8, vec(0u8..6, 16)), 0..4),
        long_names: bool,
    ) -> Parts {
        Parts { teams, boards, reserves, rounds, long_names }
    }
}

fn result(kind: u8) -> Option<GameResult> {
    match kind {
        0 => Some(GameResult::played(Outcome::Win)),
        1 => Some(GameResult::played(Outcome::Draw)),
        2 => Some(GameResult::played(Outcome::Loss)),
        3 => Some(GameResult::forfeit(Side::White)),
        4 => Some(GameResult::DOUBLE_FORFEIT),
        _ => None,
    }
}

#[track_caller]
fn apply(tournament: &mut Tournament, change: Change) {
    let words = format!("{change:?}");
    let applied = tournament.apply(&Actor::chief("Doe"), change);
    assert_eq!(applied, Ok(()), "{words}");
}

fn event_of(parts: &Parts) -> Tournament {
    let mut event = Event::new("Team Cup", 5);
    event.contest = Contest::Teams {
        boards: parts.boards,
    };
    let mut tournament = Tournament::new(event);
    let members = parts.boards + parts.reserves;
    let tail = if parts.long_names {
        " of a town with a name that is long"
    } else {
        ""
    };
    for team in 1..=parts.teams {
        let first = (team - 1) * members + 1;
        let players: Vec<PlayerNo> = (first..first + members).map(PlayerNo).collect();
        for player in &players {
            let entered = Player::new(*player, &format!("Player, No {player}{tail}"));
            apply(&mut tournament, Change::EnterPlayer(Box::new(entered)));
        }
        let team = Team {
            no: TeamNo(team),
            name: format!("Team {team}{tail}"),
            short_name: format!("T{team}"),
            federation: String::new(),
            players,
        };
        apply(&mut tournament, Change::EnterTeam(Box::new(team)));
    }
    for (no, (turned, results)) in (1..).zip(&parts.rounds) {
        play(&mut tournament, parts, RoundNo(no), *turned, results);
    }
    tournament
}

fn play(tournament: &mut Tournament, parts: &Parts, round: RoundNo, turned: u16, results: &[u8]) {
    let members = parts.boards + parts.reserves;
    let team = |place: u16| (place + turned) % parts.teams + 1;
    let mut pairings = Pairings::default();
    for no in 0..parts.teams / 2 {
        let (white, black) = (team(no), team(parts.teams - 1 - no));
        let paired = Match {
            white: TeamNo(white),
            black: TeamNo(black),
            forfeit: None,
        };
        pairings.matches.push((MatchNo(no + 1), paired));
        for place in 1..=parts.boards {
            let seat = |team: u16| PlayerNo((team - 1) * members + place);
            let (one, other) = match place % 2 {
                1 => (seat(white), seat(black)),
                _ => (seat(black), seat(white)),
            };
            let board = BoardNo(no * parts.boards + place);
            let mut pairing = Pairing::new(board, one, other);
            pairing.of_match = Some((MatchNo(no + 1), place));
            pairings.boards.push(pairing);
        }
    }
    if parts.teams % 2 == 1 {
        let left = TeamNo(team(parts.teams / 2));
        pairings.team_byes.push((left, Bye::PairingAllocated));
    }
    let boards: Vec<BoardNo> = pairings
        .boards
        .iter()
        .map(|pairing| pairing.board)
        .collect();
    apply(tournament, Change::PairRound(round, Box::new(pairings)));
    for (board, kind) in boards.into_iter().zip(results) {
        if let Some(result) = result(*kind) {
            let change = Change::Enter(round, board, result, String::new());
            apply(tournament, change);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 100,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn team_reports_round_trip(parts in parts()) {
        let before = event_of(&parts);
        let written = export(&before, Edition::Trf26);
        let read = match import_file(written.text.as_bytes()) {
            Ok(imported) => imported.draft,
            Err(faults) => return Err(TestCaseError::fail(format!("{faults}\n{}", written.text))),
        };
        let known = Draft::of(&before);
        prop_assert_eq!(&read.rounds, &known.rounds, "{}", written.text);
        if !parts.long_names {
            let same = (&read.players, &read.teams) == (&known.players, &known.teams);
            prop_assert!(same, "{}", written.text);
        }
        let found = difference(&known, &read, "a file");
        prop_assert_eq!(found.words(), "", "{}", written.text);
    }
}

#[test]
fn a_changed_short_name_of_a_team_is_named() {
    let mut known = Draft::of(&event_of(&Parts {
        teams: 2,
        boards: 1,
        reserves: 0,
        rounds: Vec::new(),
        long_names: false,
    }));
    let mut file = known.clone();
    file.teams.get_mut(&TeamNo(1)).unwrap().short_name = "One".to_owned();
    assert_eq!(
        difference(&known, &file, "file").words(),
        "Team 1, Team 1: the short name T1 is now One"
    );
    known.teams.get_mut(&TeamNo(1)).unwrap().short_name = String::new();
    assert_eq!(
        difference(&known, &file, "file").words(),
        "Team 1, Team 1: the short name is now One"
    );
}
