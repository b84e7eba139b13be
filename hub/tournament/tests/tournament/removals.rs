//! Pairings that a file would remove. Their number is stated, and boards that a table neither names nor takes players from must stay.

use tournament::formats::difference::{Difference, difference};
use tournament::formats::draft::{Draft, DraftRound, Seats};
use tournament::formats::table::pairings;
use tournament::{
    Actor, BoardNo, Bye, Change, Contest, Event, GameResult, Match, MatchNo, Outcome, Player,
    PlayerNo, RoundNo, Scope, Team, TeamNo, Tournament,
};

use crate::files::{folded, imported};
use crate::said;
use crate::trf::TEAM_CUP;

const ONE: RoundNo = RoundNo(1);

/// Returns an event with 41 players. Players 1 to 20 have White against 21 to 40, and player 41 has the bye.
fn open() -> Tournament {
    let mut draft = Draft::of(&Tournament::new(Event::new("Open", 5)));
    for no in 1..=41 {
        let player = Player::new(PlayerNo(no), &format!("Player, {no}"));
        draft.players.insert(PlayerNo(no), player);
    }
    let mut round = DraftRound::default();
    for no in 1..=20 {
        round.boards.insert(BoardNo(no), seats(no, no + 20));
    }
    round.byes.insert(PlayerNo(41), Bye::PairingAllocated);
    draft.rounds.insert(ONE, round);
    folded(&draft)
}

fn seats(white: u16, black: u16) -> Seats {
    Seats {
        white: Some(PlayerNo(white)),
        black: Some(PlayerNo(black)),
        of_match: None,
        result: None,
    }
}

#[track_caller]
fn found(known: &Tournament, text: &str) -> Difference {
    let known = Draft::of(known);
    let table = pairings::read(text.as_bytes(), &known, ONE).unwrap();
    difference(&known, &table.merged(&known), "boards.csv")
}

#[track_caller]
fn apply_difference(known: &mut Tournament, found: &Difference) {
    for change in found.changes() {
        known.apply(&Actor::chief("Doe"), change).unwrap();
    }
}

fn pairs(known: &Tournament) -> Vec<(u16, u16, u16)> {
    let boards = known.rounds()[&ONE].boards.iter();
    let pairs = boards.map(|(no, at)| (no.0, at.white.unwrap().0, at.black.unwrap().0));
    pairs.collect()
}

/// Regression: a table with one row must remove only the board that loses its player, not the other games of the round.
#[test]
fn a_row_removes_only_the_board_that_loses_its_player() {
    let mut known = open();
    let before = pairs(&known);
    // Player 22 moves from board 2 to board 1 and replaces player 21.
    let moved = found(&known, "Board,White,Black\n1,1,22\n");
    assert_eq!(moved.removed_pairings, 1);
    let words = moved.words();
    let lines = [
        "Round 1: 1 pairing removed:\n  2: Player, 2 – Player, 22\n",
        "Round 1 is paired differently:\n  1: Player, 1 – Player, 22\n",
        "2 players have no opponent and no bye: Player, 2; Player, 21",
    ];
    assert!(lines.iter().all(|line| words.contains(line)), "{words}");
    apply_difference(&mut known, &moved);
    let mut expected = before.clone();
    expected[0] = (1, 1, 22);
    expected.remove(1);
    assert_eq!(pairs(&known), expected);
    let bye = Some(Bye::PairingAllocated);
    assert_eq!(known.bye_of(PlayerNo(41), ONE), bye, "byes stay");
}

#[test]
fn boards_that_exchange_players_remove_nothing() {
    let mut known = open();
    let swapped = found(&known, "Board,White,Black\n1,1,22\n2,2,21\n");
    assert_eq!((swapped.removed_pairings, swapped.counts().games), (0, 2));
    apply_difference(&mut known, &swapped);
    assert_eq!(pairs(&known)[..3], [(1, 1, 22), (2, 2, 21), (3, 3, 23)]);
    let result = found(&known, "Board,White,Black,Result\n7,7,27,1-0\n");
    assert_eq!((result.removed_pairings, result.items.len()), (0, 1));
}

#[test]
fn a_player_who_gets_a_bye_leaves_the_board() {
    let mut known = open();
    let bye = found(&known, "White,Black,Result\n5,bye,H\n");
    assert_eq!(bye.removed_pairings, 1);
    apply_difference(&mut known, &bye);
    assert_eq!(pairs(&known).len(), 19);
    assert_eq!(known.bye_of(PlayerNo(5), ONE), Some(Bye::Half));
}

/// Rows without board numbers that seat every paired player make up the whole round, numbered from 1.
#[test]
fn a_table_of_all_boards_replaces_the_round() {
    let known = open();
    let rows: Vec<String> = (1..=20).map(|no| format!("{},{}\n", no + 20, no)).collect();
    let all = found(&known, &format!("White,Black\n{}", rows.concat()));
    assert_eq!(all.removed_pairings, 0);
    let mut after = known.clone();
    apply_difference(&mut after, &all);
    assert_eq!(pairs(&after)[0], (1, 21, 1));
    assert_eq!(after.bye_of(PlayerNo(41), ONE), Some(Bye::PairingAllocated));
}

#[test]
fn a_report_with_fewer_boards_states_the_removals() {
    let mut known = open();
    let clock = Actor::clock("1");
    known
        .apply(&clock, Change::Preset(ONE, BoardNo(1)))
        .unwrap();
    let start = Change::Start(ONE, Scope::Board(BoardNo(1)));
    known.apply(&Actor::chief("Doe"), start).unwrap();
    let mut file = Draft::of(&known);
    let boards = &mut file.rounds.get_mut(&ONE).unwrap().boards;
    boards.retain(|no, _| no.0 == 1);
    let fewer = difference(&Draft::of(&known), &file, "fewer.trf");
    assert_eq!(fewer.removed_pairings, 19);
    apply_difference(&mut known, &fewer);
    assert_eq!(pairs(&known), [(1, 1, 21)]);

    let mut known = open();
    let start = Change::Start(ONE, Scope::Board(BoardNo(9)));
    known.apply(&Actor::chief("Doe"), start).unwrap();
    let mut refused = fewer.changes().into_iter();
    let why = refused.find_map(|change| known.apply(&Actor::chief("Doe"), change).err());
    let why = why.unwrap().to_string();
    assert_eq!(why, "the game on board 9 has begun and stays in the round");
}

#[test]
fn a_round_is_never_left_without_a_board() {
    let mut known = open();
    let all = (1..=20).map(BoardNo).collect();
    let refused = known.apply(&Actor::chief("Doe"), Change::RemoveBoards(ONE, all));
    let why = refused.unwrap_err().to_string();
    assert!(why.contains("remove the round's pairings instead"), "{why}");
    let floor = known.apply(
        &Actor::floor("Ann"),
        Change::RemoveBoards(ONE, vec![BoardNo(1)]),
    );
    assert_eq!(
        floor.unwrap_err().to_string(),
        "only the chief arbiter may do this"
    );
}

#[test]
fn a_row_of_a_team_event_leaves_other_matches() {
    let mut file = imported(TEAM_CUP).draft;
    file.rounds.retain(|no, _| *no == ONE);
    let round = file.rounds.get_mut(&ONE).unwrap();
    for seats in round.boards.values_mut() {
        seats.result = None;
    }
    let mut known = folded(&file);
    let (no, at) = {
        let mut boards = known.rounds()[&ONE].boards.iter();
        let (no, at) = boards
            .find(|(_, at)| at.white.is_some() && at.black.is_some())
            .unwrap();
        (*no, at.clone())
    };
    let (white, black) = (at.white.unwrap(), at.black.unwrap());
    let before = known.rounds()[&ONE].boards.len();
    let row = format!("Board,White,Black,Result\n{no},{white},{black},1-0\n");
    let one = found(&known, &row);
    assert_eq!(
        (one.removed_pairings, one.items.len()),
        (0, 1),
        "{}",
        one.words()
    );
    apply_difference(&mut known, &one);
    let round = &known.rounds()[&ONE];
    assert_eq!(round.boards.len(), before);
    assert_eq!(
        round.boards[&no].result,
        Some(GameResult::played(Outcome::Win))
    );
}

/// Returns an event of four teams on four boards: team 1 meets 3 on boards 1 to 4, and 2 meets 4 on boards 5 to 8. Colours alternate within a match.
fn league() -> Tournament {
    let mut event = Event::new("League", 5);
    event.contest = Contest::Teams { boards: 4 };
    let mut draft = Draft::of(&Tournament::new(event));
    for (team, name) in (1..).zip(["Rooks", "Knights", "Bishops", "Pawns"]) {
        let players: Vec<PlayerNo> = (1..=4).map(|at| PlayerNo(team * 10 + at)).collect();
        for no in &players {
            let player = Player::new(*no, &format!("Player, {no}"));
            draft.players.insert(*no, player);
        }
        let team = Team {
            no: TeamNo(team),
            name: name.to_owned(),
            short_name: String::new(),
            federation: String::new(),
            players,
        };
        draft.teams.insert(team.no, team);
    }
    let mut round = DraftRound::default();
    for (no, home, guest) in [(1, 1, 3), (2, 2, 4)] {
        let paired = Match {
            white: TeamNo(home),
            black: TeamNo(guest),
            forfeit: None,
        };
        round.matches.insert(MatchNo(no), paired);
        for at in 1..=4 {
            let (home, guest) = (home * 10 + at, guest * 10 + at);
            let mut seats = match at % 2 {
                1 => seats(home, guest),
                _ => seats(guest, home),
            };
            seats.of_match = Some((MatchNo(no), at));
            round.boards.insert(BoardNo((no - 1) * 4 + at), seats);
        }
    }
    draft.rounds.insert(ONE, round);
    folded(&draft)
}

#[track_caller]
fn refused(known: &Tournament, rows: &str) -> String {
    let text = format!("Round,Board,White,Black\n{rows}");
    let faults = pairings::read(text.as_bytes(), &Draft::of(known), ONE).unwrap_err();
    let words = faults.to_string();
    assert!(words.contains("list every board of its matches"), "{words}");
    assert!(words.contains("`flagfall event round reseat`"), "{words}");
    words
}

/// Regression: none of these tables of one or two rows may replace a round of eight boards.
#[test]
fn a_row_that_would_break_up_a_match_is_refused() {
    let known = league();
    let expected = [
        (
            "1,1,12,31\n",
            "line 2, column 1: expected a row for board 2 too, since player 12 leaves it",
        ),
        (
            "1,2,32,12\n1,1,11,21\n",
            "line 3, column 1: expected players of Rooks and Bishops, who meet at board 1; \
             to pair round 1 again, list every board of its matches, or change single boards with \
             `flagfall event round reseat`, found players of Rooks and Knights",
        ),
        ("1,1,11,12\n", "found players of Rooks and Rooks"),
        (
            "1,9,31,11\n",
            "expected a board in this round (1, 2, 3, 4, 5, 6, 7, 8)",
        ),
        ("1,,31,11\n", "found no board number"),
    ];
    for (rows, words) in expected {
        let said = refused(&known, rows);
        assert!(said.contains(words), "{words}\n{said}");
    }
}

#[test]
fn rows_that_keep_matches_whole_change_only_their_boards() {
    let mut known = league();
    let before = pairs(&known);
    let rows = "Board,White,Black\n1,12,31\n2,32,11\n5,41,21\n";
    let some = found(&known, rows);
    assert_eq!((some.removed_pairings, some.counts().games), (0, 3));
    apply_difference(&mut known, &some);
    let mut expected = before;
    expected[0] = (1, 12, 31);
    expected[1] = (2, 32, 11);
    expected[4] = (5, 41, 21);
    assert_eq!(pairs(&known), expected);

    // The table seats all players of the round, so the round may be paired again as a whole.
    let cross = |home: u16, guest: u16| {
        (1..=4).map(move |at| format!("{},{}\n", home * 10 + at, guest * 10 + at))
    };
    let rows: String = cross(1, 4).chain(cross(2, 3)).collect();
    let all = found(&known, &format!("White,Black\n{rows}"));
    assert_eq!(all.removed_pairings, 8);
    apply_difference(&mut known, &all);
    assert_eq!(pairs(&known)[4], (5, 21, 31));
    let refused = refused(
        &league(),
        &rows.replace("24,34\n", "").replace('\n', "\n1,,"),
    );
    assert!(refused.contains("line 2"), "{refused}");
}

/// Returns an event with the pairings 1 – 3 on board 1 and 4 – 2 on board 2. Player 5 has the bye, and players 6 and 7 are not paired.
fn small() -> Tournament {
    let mut draft = Draft::of(&Tournament::new(Event::new("Small", 5)));
    for no in 1..=7 {
        let player = Player::new(PlayerNo(no), &format!("Player, {no}"));
        draft.players.insert(PlayerNo(no), player);
    }
    let mut round = DraftRound::default();
    round.boards.insert(BoardNo(1), seats(1, 3));
    round.boards.insert(BoardNo(2), seats(4, 2));
    round.byes.insert(PlayerNo(5), Bye::PairingAllocated);
    draft.rounds.insert(ONE, round);
    folded(&draft)
}

/// Regression: a pairing with a stated board number must not move to the board that its player has left.
#[test]
fn a_stated_board_number_is_kept() {
    let mut known = small();
    let moved = found(&known, "Round,Board,White,Black\n1,3,5,3\n");
    assert_eq!(moved.removed_pairings, 1);
    let words = moved.words();
    let lines = [
        "Round 1: 1 pairing removed:\n  1: Player, 1 – Player, 3\n",
        "Round 1 is paired differently:\n  3: Player, 5 – Player, 3",
        "have no opponent and no bye: Player, 1; Player, 6; Player, 7",
    ];
    assert!(lines.iter().all(|line| words.contains(line)), "{words}");
    apply_difference(&mut known, &moved);
    assert_eq!(pairs(&known), [(2, 4, 2), (3, 5, 3)]);

    let mut known = small();
    let unnumbered = found(&known, "White,Black\n5,3\n");
    assert_eq!(unnumbered.removed_pairings, 0);
    apply_difference(&mut known, &unnumbered);
    assert_eq!(pairs(&known), [(1, 5, 3), (2, 4, 2)]);
}

#[test]
fn a_stated_board_number_displaces_a_pairing() {
    let mut known = small();
    let rows = "Board,White,Black,Result\n1,5,6,\n2,1,3,1-0\n3,4,2,\n";
    let moved = found(&known, rows);
    assert_eq!(moved.removed_pairings, 0);
    apply_difference(&mut known, &moved);
    assert_eq!(pairs(&known), [(1, 5, 6), (2, 1, 3), (3, 4, 2)]);
    let result = known.rounds()[&ONE].boards[&BoardNo(2)].result;
    assert_eq!(result, Some(GameResult::played(Outcome::Win)));
    assert!(found(&known, rows).is_empty());
    // If the table moves a pairing to a number that no board has, there is a remark and the hall's boards stay.
    let draft = Draft::of(&small());
    let table = pairings::read(b"Board,White,Black\n7,1,3\n", &draft, ONE).unwrap();
    let remark = "line 2: the table puts a pairing of round 1 on board 7, but it stays on board 1";
    assert_eq!(said(&table.remarks().collect::<Vec<_>>()), [remark]);
    assert!(difference(&draft, &table.merged(&draft), "x.csv").is_empty());
    let mut one = draft.clone();
    one.rounds.get_mut(&ONE).unwrap().boards.remove(&BoardNo(2));
    let last = found(&folded(&one), "Board,White,Black\n3,5,3\n");
    assert_eq!(last.removed_pairings, 1);
    let words = last.words();
    let lost =
        "Round 1: 1 pairing removed:\n  1: Player, 1 – Player, 3\nRound 1 is paired differently:";
    assert!(words.starts_with(lost), "{words}");
}

/// The round would have as many games as before, but none of its present pairings.
#[test]
fn re_pairing_a_round_counts_the_lost_pairings() {
    let known = open();
    let rows: Vec<String> = (1..=20)
        .map(|no| format!("{},{}\n", no, no % 20 + 21))
        .collect();
    let all = found(&known, &format!("White,Black\n{}", rows.concat()));
    assert_eq!((all.removed_pairings, all.counts().games), (20, 20));
    let words = all.words();
    let said = "\n  20 pairings already in the event would be removed";
    assert!(words.contains(said), "{words}");
}
