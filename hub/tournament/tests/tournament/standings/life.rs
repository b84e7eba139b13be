//! The life of a round and its results: who may do what, and in which order. A refusal changes nothing. Also live standings and the cross table.

use super::rig::{build, chief, swiss};
use tournament::{
    Actor, BoardNo, BoardPhase, Bye, Change, Conflict, Event, GameResult, Outcome, Pairing,
    Pairings, Player, PlayerNo, ProposalReason, Refusal, RoundNo, RoundPhase, Scope, Sector, Side,
    Tournament,
};

pub(crate) const ONE: RoundNo = RoundNo(1);

/// Returns an event with four players and round 1 paired on boards 1 and 2. Its sectors are `east` (board 1) and `west`
/// (boards 2 to 9).
pub(crate) fn paired() -> Tournament {
    let mut event = Event::new("Life", 3);
    event
        .sectors
        .insert("east".to_owned(), Sector::new(BoardNo(1), BoardNo(1)));
    event
        .sectors
        .insert("west".to_owned(), Sector::new(BoardNo(2), BoardNo(9)));
    build(event, &["0: 2w?", "0: 1b?", "0: 4w?", "0: 3b?"])
}

pub(crate) fn phase(tournament: &Tournament) -> RoundPhase {
    tournament.rounds()[&ONE].phase()
}

#[track_caller]
pub(crate) fn refused(tournament: &mut Tournament, actor: &Actor, change: Change) -> Refusal {
    let before = tournament.clone();
    let refusal = tournament.apply(actor, change).unwrap_err();
    assert_eq!(*tournament, before, "a refusal changes nothing");
    refusal
}

pub(crate) fn enter(board: u16, result: GameResult, reason: &str) -> Change {
    Change::Enter(ONE, BoardNo(board), result, reason.to_owned())
}

#[test]
fn a_round_goes_from_paired_to_confirmed() {
    let mut tournament = paired();
    let mut step = |actor: &Actor, change: Change, after: RoundPhase| {
        tournament.apply(actor, change).unwrap();
        assert_eq!(phase(&tournament), after);
    };
    let clock = Actor::clock("board 1");
    let floor = Actor::floor("Roe");
    step(&clock, Change::Preset(ONE, BoardNo(1)), RoundPhase::Paired);
    step(&clock, Change::Preset(ONE, BoardNo(2)), RoundPhase::Preset);
    step(
        &floor,
        Change::Start(ONE, Scope::Sector("west".to_owned())),
        RoundPhase::Started,
    );
    step(
        &floor,
        Change::Start(ONE, Scope::Board(BoardNo(1))),
        RoundPhase::Started,
    );
    step(
        &clock,
        Change::FirstPress(ONE, BoardNo(1)),
        RoundPhase::Running,
    );
    step(
        &floor,
        enter(1, GameResult::played(Outcome::Draw), ""),
        RoundPhase::Running,
    );
    step(
        &floor,
        enter(2, GameResult::forfeit(Side::Black), ""),
        RoundPhase::Finished,
    );
    step(&chief(), Change::Confirm(ONE), RoundPhase::Confirmed);
    step(
        &chief(),
        Change::Reopen(ONE, "wrong score sheet".to_owned()),
        RoundPhase::Finished,
    );
}

#[test]
fn starting_all_boards_twice_has_no_further_effect() {
    let mut tournament = paired();
    for _ in 0..2 {
        tournament
            .apply(&chief(), Change::Start(ONE, Scope::All))
            .unwrap();
    }
    assert!(
        tournament.rounds()[&ONE]
            .boards
            .values()
            .all(|board| board.phase == BoardPhase::Started)
    );
    let refusal = refused(&mut tournament, &chief(), Change::Preset(ONE, BoardNo(1)));
    assert_eq!(
        refusal,
        Refusal::Conflict(Conflict::AlreadyBegun(BoardNo(1)))
    );
    let refusal = refused(
        &mut tournament,
        &chief(),
        Change::Start(ONE, Scope::Sector("north".to_owned())),
    );
    assert_eq!(refusal, Refusal::NoSector("north".to_owned()));
}

#[test]
fn a_clock_proposes_and_an_arbiter_decides() {
    let mut tournament = paired();
    let clock = Actor::clock("board 1");
    let flag = GameResult::played(Outcome::Loss);
    let propose = |board| {
        Change::Propose(
            ONE,
            BoardNo(board),
            flag,
            ProposalReason::FlagCalled(Side::White),
        )
    };
    tournament.apply(&clock, propose(1)).unwrap();
    assert_eq!(tournament.rounds()[&ONE].boards[&BoardNo(1)].result, None);
    assert_eq!(
        refused(&mut tournament, &clock, enter(1, flag, "")),
        Refusal::ArbiterOnly
    );
    tournament.apply(&chief(), enter(1, flag, "")).unwrap();
    let board = &tournament.rounds()[&ONE].boards[&BoardNo(1)];
    assert_eq!((board.result, board.proposed.is_none()), (Some(flag), true));
    assert!(matches!(
        refused(&mut tournament, &clock, propose(1)),
        Refusal::Conflict(_)
    ));
}

#[test]
fn a_correction_needs_a_reason_and_is_recorded() {
    let mut tournament = paired();
    let (win, draw) = (
        GameResult::played(Outcome::Win),
        GameResult::played(Outcome::Draw),
    );
    tournament
        .apply(&Actor::floor("Roe"), enter(1, win, ""))
        .unwrap();
    assert_eq!(
        refused(&mut tournament, &chief(), enter(1, draw, " ")),
        Refusal::ReasonMissing
    );
    tournament
        .apply(&chief(), enter(1, draw, "both signed a draw"))
        .unwrap();
    tournament
        .apply(
            &chief(),
            Change::RemoveResult(ONE, BoardNo(1), "wrong board".to_owned()),
        )
        .unwrap();
    let board = &tournament.rounds()[&ONE].boards[&BoardNo(1)];
    let trace: Vec<_> = board
        .corrections
        .iter()
        .map(|one| (one.from, one.to, one.reason.as_str()))
        .collect();
    assert_eq!(
        trace,
        [
            (Some(win), Some(draw), "both signed a draw"),
            (Some(draw), None, "wrong board")
        ]
    );
    assert_eq!(board.result, None);
    tournament.apply(&chief(), enter(1, win, "")).unwrap();
    tournament.apply(&chief(), enter(1, win, "")).unwrap();
    assert_eq!(
        tournament.rounds()[&ONE].boards[&BoardNo(1)]
            .corrections
            .len(),
        2
    );
}

#[test]
fn an_adjourned_game_counts_for_nothing_until_it_ends() {
    let mut tournament = paired();
    tournament
        .apply(&chief(), enter(1, GameResult::Adjourned, ""))
        .unwrap();
    tournament
        .apply(&chief(), enter(2, GameResult::played(Outcome::Win), ""))
        .unwrap();
    assert_eq!(phase(&tournament), RoundPhase::Running);
    assert!(matches!(
        refused(&mut tournament, &chief(), Change::Confirm(ONE)),
        Refusal::Conflict(_)
    ));
    let standings = tournament.standings(None);
    assert!(standings.provisional);
    assert_eq!(standings.rows.iter().filter(|row| row.pending).count(), 2);
    tournament
        .apply(&chief(), enter(1, GameResult::played(Outcome::Draw), ""))
        .unwrap();
    assert_eq!(phase(&tournament), RoundPhase::Finished);
    assert!(tournament.rounds()[&ONE].boards[&BoardNo(1)].phase == BoardPhase::Finished);
}

#[test]
fn a_confirmed_round_cannot_change_until_reopened() {
    let mut tournament = swiss("", &["0: 2w1", "0: 1b0"]);
    tournament.apply(&chief(), Change::Confirm(ONE)).unwrap();
    let draw = enter(1, GameResult::played(Outcome::Draw), "a reason");
    assert_eq!(
        refused(&mut tournament, &chief(), draw.clone()),
        Refusal::Confirmed(ONE)
    );
    assert_eq!(
        refused(
            &mut tournament,
            &Actor::floor("Roe"),
            Change::Reopen(ONE, "x".to_owned())
        ),
        Refusal::ChiefOnly
    );
    assert_eq!(
        refused(
            &mut tournament,
            &chief(),
            Change::Reopen(ONE, String::new())
        ),
        Refusal::ReasonMissing
    );
    tournament
        .apply(&chief(), Change::Reopen(ONE, "appeal".to_owned()))
        .unwrap();
    tournament.apply(&chief(), draw).unwrap();
}

#[test]
fn impossible_pairings_are_refused_as_a_whole() {
    let mut tournament = paired();
    let chief = chief();
    let two = |boards: Vec<Pairing>, byes: Vec<(PlayerNo, Bye)>| {
        let pairings = Pairings {
            boards,
            byes,
            ..Pairings::default()
        };
        Change::PairRound(RoundNo(2), Box::new(pairings))
    };
    let pair = |board, white, black| Pairing::new(BoardNo(board), PlayerNo(white), PlayerNo(black));
    let twice = two(vec![pair(1, 1, 2), pair(2, 2, 3)], vec![]);
    assert!(matches!(
        refused(&mut tournament, &chief, twice),
        Refusal::Conflict(_)
    ));
    let same_board = two(vec![pair(1, 1, 2), pair(1, 3, 4)], vec![]);
    assert!(matches!(
        refused(&mut tournament, &chief, same_board),
        Refusal::Conflict(_)
    ));
    let bye_too = two(vec![pair(1, 1, 2)], vec![(PlayerNo(1), Bye::Half)]);
    assert!(matches!(
        refused(&mut tournament, &chief, bye_too),
        Refusal::Conflict(_)
    ));
    let stranger = two(vec![pair(1, 1, 9)], vec![]);
    assert_eq!(
        refused(&mut tournament, &chief, stranger),
        Refusal::NoPlayer(PlayerNo(9))
    );
    let alone = two(vec![pair(1, 1, 1)], vec![]);
    assert!(matches!(
        refused(&mut tournament, &chief, alone),
        Refusal::Invalid(_)
    ));
    let nowhere = Change::PairRound(RoundNo(4), Box::default());
    assert!(matches!(
        refused(&mut tournament, &chief, nowhere),
        Refusal::Invalid(_)
    ));
    let gap = Change::PairRound(RoundNo(3), Box::default());
    assert!(matches!(
        refused(&mut tournament, &chief, gap),
        Refusal::Conflict(_)
    ));
}

#[test]
fn a_round_can_be_amended_until_it_begins() {
    let mut tournament = paired();
    let five = Player::new(PlayerNo(5), "Late");
    tournament
        .apply(&chief(), Change::EnterPlayer(Box::new(five)))
        .unwrap();
    let more = Pairings {
        byes: vec![(PlayerNo(5), Bye::PairingAllocated)],
        ..Pairings::default()
    };
    tournament
        .apply(&chief(), Change::PairRound(ONE, Box::new(more)))
        .unwrap();
    let seat = Pairing::new(BoardNo(1), PlayerNo(1), PlayerNo(5));
    tournament
        .apply(&chief(), Change::Reseat(ONE, seat.into()))
        .unwrap();
    assert_eq!(tournament.bye_of(PlayerNo(2), ONE), Some(Bye::Zero));
    assert_eq!(tournament.bye_of(PlayerNo(5), ONE), None);
    let taken = Pairing::new(BoardNo(1), PlayerNo(1), PlayerNo(3));
    assert!(matches!(
        refused(&mut tournament, &chief(), Change::Reseat(ONE, taken.into())),
        Refusal::Conflict(_)
    ));
    tournament
        .apply(&chief(), Change::Start(ONE, Scope::Board(BoardNo(1))))
        .unwrap();
    assert!(matches!(
        refused(&mut tournament, &chief(), Change::Reseat(ONE, seat.into())),
        Refusal::Conflict(_)
    ));
    assert!(matches!(
        refused(&mut tournament, &chief(), Change::Unpair(ONE)),
        Refusal::Conflict(_)
    ));
    let mut untouched = paired();
    untouched.apply(&chief(), Change::Unpair(ONE)).unwrap();
    assert!(untouched.rounds().is_empty());
}

/// Byes requested before the pairing, late arrivals and withdrawals are stored with the player.
#[test]
fn byes_arrivals_and_withdrawals() {
    let mut tournament = paired();
    let chief = chief();
    let granted = Change::GrantBye(PlayerNo(1), RoundNo(2), Some(Bye::Half));
    tournament.apply(&chief, granted).unwrap();
    assert_eq!(tournament.bye_of(PlayerNo(1), RoundNo(2)), Some(Bye::Half));
    let seated = Change::GrantBye(PlayerNo(1), ONE, Some(Bye::Half));
    assert!(matches!(
        refused(&mut tournament, &chief, seated),
        Refusal::Conflict(_)
    ));
    tournament
        .apply(&chief, Change::GrantBye(PlayerNo(1), RoundNo(2), None))
        .unwrap();
    assert_eq!(tournament.bye_of(PlayerNo(1), RoundNo(2)), None);
    tournament
        .apply(&chief, Change::Withdraw(PlayerNo(2), ONE))
        .unwrap();
    assert_eq!(tournament.bye_of(PlayerNo(2), RoundNo(3)), Some(Bye::Zero));
    tournament
        .apply(&chief, Change::ReturnPlayer(PlayerNo(2)))
        .unwrap();
    assert_eq!(tournament.bye_of(PlayerNo(2), RoundNo(3)), None);
    let mut late = Player::new(PlayerNo(5), "Late");
    late.enters = RoundNo(3);
    late.byes.insert(RoundNo(2), Bye::Half);
    tournament
        .apply(&chief, Change::EnterPlayer(Box::new(late)))
        .unwrap();
    let byes = [1, 2, 3].map(|round| tournament.bye_of(PlayerNo(5), RoundNo(round)));
    assert_eq!(byes, [Some(Bye::Zero), Some(Bye::Half), None]);
    assert!(matches!(
        refused(&mut tournament, &chief, Change::RemovePlayer(PlayerNo(1))),
        Refusal::Conflict(_)
    ));
    tournament
        .apply(&chief, Change::RemovePlayer(PlayerNo(5)))
        .unwrap();
    assert_eq!(
        refused(&mut tournament, &chief, Change::ReturnPlayer(PlayerNo(5))),
        Refusal::NoPlayer(PlayerNo(5))
    );
}

#[test]
fn only_the_chief_arbiter_changes_the_event() {
    let mut tournament = paired();
    for actor in [Actor::floor("Roe"), Actor::clock("board 1")] {
        let event = Change::SetEvent(Box::new(tournament.event().clone()));
        assert_eq!(refused(&mut tournament, &actor, event), Refusal::ChiefOnly);
        let seat = Pairing::new(BoardNo(1), PlayerNo(2), PlayerNo(1));
        for change in [
            Change::Unpair(ONE),
            Change::Reseat(ONE, seat.into()),
            Change::ForfeitMatch(ONE, tournament::MatchNo(1), None),
        ] {
            assert_eq!(refused(&mut tournament, &actor, change), Refusal::ChiefOnly);
        }
    }
    // A floor arbiter may record that a player has left or returned, and may grant a bye.
    let floor = Actor::floor("Roe");
    for change in [
        Change::Withdraw(PlayerNo(2), ONE),
        Change::ReturnPlayer(PlayerNo(2)),
        Change::GrantBye(PlayerNo(2), RoundNo(2), Some(Bye::Half)),
    ] {
        assert_eq!(
            refused(&mut tournament, &Actor::clock("1"), change.clone()),
            Refusal::ArbiterOnly
        );
        tournament.apply(&floor, change).unwrap();
    }
    let mut shorter = tournament.event().clone();
    shorter.rounds = 0;
    let change = Change::SetEvent(Box::new(shorter));
    assert!(matches!(
        refused(&mut tournament, &chief(), change),
        Refusal::Invalid(_)
    ));
    for fault in [
        |event: &mut Event| event.rounds = 201,
        |event: &mut Event| event.scoring.win = tournament::Points::whole(1001),
        |event: &mut Event| event.system = tournament::System::RoundRobin { cycles: 0 },
        |event: &mut Event| event.contest = tournament::Contest::Teams { boards: 101 },
    ] {
        let mut event = tournament.event().clone();
        fault(&mut event);
        let change = Change::SetEvent(Box::new(event));
        assert!(matches!(
            refused(&mut tournament, &chief(), change),
            Refusal::Invalid(_)
        ));
    }
    let stranger = Change::Start(RoundNo(2), Scope::All);
    assert_eq!(
        refused(&mut tournament, &chief(), stranger),
        Refusal::NoRound(RoundNo(2))
    );
    let table = Change::FirstPress(ONE, BoardNo(7));
    assert_eq!(
        refused(&mut tournament, &Actor::clock("7"), table),
        Refusal::NoBoard(ONE, BoardNo(7))
    );
}

/// Live standings include a round from its first result, and are provisional while one of its games is open. A paired round without results does
/// not count. An open game of a later round does not make the table after an earlier round provisional.
#[test]
fn standings_are_provisional_while_a_counted_game_is_open() {
    let mut event = Event::new("Live", 3);
    event.tie_breaks = super::rig::list("BH");
    let mut tournament = build(event, &["0: 2w?", "0: 1b?", "0: 4w?", "0: 3b?"]);
    let start = tournament.standings(None);
    assert_eq!((start.after, start.provisional), (0, false));
    tournament
        .apply(&chief(), enter(1, GameResult::played(Outcome::Win), ""))
        .unwrap();
    let live = tournament.standings(None);
    assert_eq!((live.after, live.provisional), (1, true));
    // Players 3 and 4 each have an opponent without points so far.
    assert_eq!(super::rig::line(&live, 3), "0.0 | 0.0");
    tournament
        .apply(&chief(), enter(2, GameResult::DOUBLE_FORFEIT, ""))
        .unwrap();
    assert!(!tournament.standings(None).provisional);
    tournament.apply(&chief(), Change::Confirm(ONE)).unwrap();
    let pairings = Pairings {
        boards: vec![
            Pairing::new(BoardNo(1), PlayerNo(1), PlayerNo(3)),
            Pairing::new(BoardNo(2), PlayerNo(2), PlayerNo(4)),
        ],
        ..Pairings::default()
    };
    let next = Change::PairRound(RoundNo(2), Box::new(pairings));
    tournament.apply(&chief(), next).unwrap();
    let after = tournament.standings(None);
    assert_eq!((after.after, after.provisional), (1, false));
    let second = Change::Enter(
        RoundNo(2),
        BoardNo(1),
        GameResult::played(Outcome::Draw),
        String::new(),
    );
    tournament.apply(&chief(), second).unwrap();
    assert!(tournament.standings(None).provisional);
    assert!(!tournament.standings(Some(ONE)).provisional);
}

/// One game of the first round is over. The loser has no points, like the players still playing, and shares their place. This holds although the
/// opponent's point gives the loser a Buchholz score and rating tie-breaks already count the game. Once all games are over, TPN separates the tied
/// players.
#[test]
fn a_place_is_shared_while_a_tied_player_has_an_open_game() {
    for tie_breaks in ["BH/C1 BH SB DE", "ARO", "PTS BPG", "TPN", ""] {
        let mut event = Event::new("Live", 3);
        event.tie_breaks = super::rig::list(tie_breaks);
        let lines = [
            "2500: 4w?",
            "2400: 5b?",
            "2300: 6w?",
            "2200: 1b?",
            "2100: 2w?",
            "2000: 3b?",
        ];
        let mut tournament = build(event, &lines);
        let board = |tournament: &Tournament, white: u16| {
            let boards = &tournament.rounds()[&ONE].boards;
            let found = boards
                .iter()
                .find(|(_, board)| board.white == Some(PlayerNo(white)));
            *found.unwrap().0
        };
        let won = |tournament: &mut Tournament, white: u16| {
            let no = board(tournament, white);
            let win = GameResult::played(Outcome::Win);
            let change = Change::Enter(ONE, no, win, String::new());
            tournament.apply(&chief(), change).unwrap();
        };
        won(&mut tournament, 1);
        let live = tournament.standings(None);
        let shown: Vec<_> = live.rows.iter().map(|row| (row.rank, row.shared)).collect();
        assert_eq!(shown[0], (1, false), "{tie_breaks}");
        assert_eq!(shown[1..], [(2, true); 5], "{tie_breaks}");
        let exported = tournament::formats::draft::Totals::of(&tournament);
        let ranks: Vec<u16> = exported.players.values().map(|(_, rank)| *rank).collect();
        assert_eq!(ranks, [1, 2, 2, 2, 2, 2], "{tie_breaks}");
        won(&mut tournament, 5);
        won(&mut tournament, 3);
        let over = tournament.standings(None);
        assert!(!over.provisional);
        if tie_breaks == "TPN" {
            assert!(over.rows.iter().all(|row| !row.shared));
        }
    }
}

/// Line numbers are unique, and cells identify opponents by line number. Players 2 and 3 share first place, both with 1½ and a Buchholz of 1½.
#[test]
fn the_cross_table_names_opponents_by_line() {
    let tournament = swiss(
        "BH",
        &["0: 2w0 3b=", "0: 1b1 H", "0: U 1w=", "0: Z 5b+", "0: Z 4w-"],
    );
    let standings = tournament.standings(None);
    let lines: Vec<String> = tournament
        .cross_table(&standings)
        .iter()
        .map(|line| {
            let cells: Vec<String> = line
                .cells
                .iter()
                .map(tournament::cross_table::Cell::text)
                .collect();
            format!(
                "{}: {} {} {} {}",
                line.number,
                line.rank,
                line.player,
                cells.join(" "),
                line.points
            )
        })
        .collect();
    assert_eq!(
        lines,
        [
            "1: 1 2 4b1 – 0.5 1.5",
            "2: 1 3 bye 1.0 4w½ 1.5",
            "3: 3 4 – 0.0 5b+ 1.0",
            "4: 4 1 1w0 2b½ 0.5",
            "5: 5 5 – 0.0 3w- 0.0",
        ]
    );
}
