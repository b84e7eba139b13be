//! Pairings that a file would take away: never without a count that an arbiter agrees to, and never a board that a table does not name.

use hub::formats::difference::{Difference, difference};
use hub::formats::draft::{Draft, DraftRound, Seats};
use hub::formats::table::pairings;
use hub::tournament::{
    Actor, BoardNo, Bye, Change, Event, GameResult, Outcome, Player, PlayerNo, RoundNo, Scope,
    Tournament,
};

use crate::files::{folded, imported};
use crate::trf::TEAM_CUP;

const ONE: RoundNo = RoundNo(1);

/// Forty players, 1 to 20 with White against 21 to 40, and one with a bye.
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
fn taken(known: &mut Tournament, found: &Difference) {
    for change in found.changes() {
        known.apply(&Actor::chief("Doe"), change).unwrap();
    }
}

fn pairs(known: &Tournament) -> Vec<(u16, u16, u16)> {
    let boards = known.rounds()[&ONE].boards.iter();
    let pairs = boards.map(|(no, at)| (no.0, at.white.unwrap().0, at.black.unwrap().0));
    pairs.collect()
}

/// A table of one board left one game of twenty.
#[test]
fn a_table_of_one_row_takes_away_no_board_but_the_one_that_loses_its_player() {
    let mut known = open();
    let before = pairs(&known);
    // Player 22 leaves board 2 for board 1, where 21 stands up.
    let moved = found(&known, "Board,White,Black\n1,1,22\n");
    assert_eq!(moved.removed_pairings, 1);
    let words = moved.words();
    let lines = [
        "Round 1 loses 1 pairing:\n  2: Player, 2 – Player, 22\n",
        "Round 1 is paired otherwise:\n  1: Player, 1 – Player, 22\n",
        "2 players have no opponent and no bye: Player, 2; Player, 21",
    ];
    assert!(lines.iter().all(|line| words.contains(line)), "{words}");
    taken(&mut known, &moved);
    let mut expected = before.clone();
    expected[0] = (1, 1, 22);
    expected.remove(1);
    assert_eq!(pairs(&known), expected);
    let bye = Some(Bye::PairingAllocated);
    assert_eq!(known.bye_of(PlayerNo(41), ONE), bye, "byes stay");
}

#[test]
fn boards_that_change_players_between_them_take_nothing_away() {
    let mut known = open();
    let swapped = found(&known, "Board,White,Black\n1,1,22\n2,2,21\n");
    assert_eq!((swapped.removed_pairings, swapped.counts().games), (0, 2));
    taken(&mut known, &swapped);
    assert_eq!(pairs(&known)[..3], [(1, 1, 22), (2, 2, 21), (3, 3, 23)]);
    // A result of one board is about that board.
    let result = found(&known, "Board,White,Black,Result\n7,7,27,1-0\n");
    assert_eq!((result.removed_pairings, result.items.len()), (0, 1));
}

#[test]
fn a_player_of_another_board_who_gets_a_bye_leaves_it() {
    let mut known = open();
    let bye = found(&known, "White,Black,Result\n5,bye,H\n");
    assert_eq!(bye.removed_pairings, 1);
    taken(&mut known, &bye);
    assert_eq!(pairs(&known).len(), 19);
    assert_eq!(known.bye_of(PlayerNo(5), ONE), Some(Bye::Half));
}

/// Unnumbered rows that seat everybody are the whole round, under numbers from 1.
#[test]
fn a_table_of_all_boards_is_the_round() {
    let known = open();
    let rows: Vec<String> = (1..=20).map(|no| format!("{},{}\n", no + 20, no)).collect();
    let all = found(&known, &format!("White,Black\n{}", rows.concat()));
    assert_eq!(all.removed_pairings, 0);
    let mut after = known.clone();
    taken(&mut after, &all);
    assert_eq!(pairs(&after)[0], (1, 21, 1));
    assert_eq!(after.bye_of(PlayerNo(41), ONE), Some(Bye::PairingAllocated));
}

/// A report with fewer boards: those it lacks are counted, and the others are not touched.
#[test]
fn a_report_with_fewer_boards_says_how_many_it_takes_away() {
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
    taken(&mut known, &fewer);
    assert_eq!(pairs(&known), [(1, 1, 21)]);

    // A board whose game has begun is never among them.
    let mut known = open();
    let start = Change::Start(ONE, Scope::Board(BoardNo(9)));
    known.apply(&Actor::chief("Doe"), start).unwrap();
    let mut refused = fewer.changes().into_iter();
    let why = refused.find_map(|change| known.apply(&Actor::chief("Doe"), change).err());
    let why = why.unwrap().to_string();
    assert_eq!(why, "board 9 has begun: its game stays in the round");
}

#[test]
fn a_round_is_never_left_without_a_board() {
    let mut known = open();
    let all = (1..=20).map(BoardNo).collect();
    let refused = known.apply(&Actor::chief("Doe"), Change::RemoveBoards(ONE, all));
    let why = refused.unwrap_err().to_string();
    assert!(why.contains("withdraw the round instead"), "{why}");
    let floor = known.apply(
        &Actor::floor("Ann"),
        Change::RemoveBoards(ONE, vec![BoardNo(1)]),
    );
    assert_eq!(
        floor.unwrap_err().to_string(),
        "this is for the chief arbiter"
    );
}

/// One row about a match of teams is about that board of it.
#[test]
fn a_row_about_a_board_of_teams_leaves_the_other_matches() {
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
    taken(&mut known, &one);
    let round = &known.rounds()[&ONE];
    assert_eq!(round.boards.len(), before);
    assert_eq!(
        round.boards[&no].result,
        Some(GameResult::played(Outcome::Win))
    );
}
