//! Round robins: Berger's tables, article 15.2 and the Koya system.

use std::collections::{BTreeMap, BTreeSet};

use super::rig::{build, check, chief, list};
use tournament::{
    BoardNo, Change, Event, Pairing, Pairings, Player, PlayerNo, Refusal, RoundNo, Side, System,
    Tournament, berger,
};

fn table(players: u16) -> Vec<String> {
    let text = |round: Vec<(PlayerNo, PlayerNo)>| {
        let pairs: Vec<String> = round
            .iter()
            .map(|(white, black)| format!("{white}-{black}"))
            .collect();
        pairs.join(" ")
    };
    berger::rounds(players, 1).into_iter().map(text).collect()
}

/// The tables as printed in C.05, annex 1.
#[test]
fn berger_tables_match_the_printed_ones() {
    assert_eq!(table(4), ["1-4 2-3", "4-3 1-2", "2-4 3-1"]);
    assert_eq!(
        table(6),
        [
            "1-6 2-5 3-4",
            "6-4 5-3 1-2",
            "2-6 3-1 4-5",
            "6-5 1-4 2-3",
            "3-6 4-2 5-1"
        ]
    );
    assert_eq!(
        table(8),
        [
            "1-8 2-7 3-6 4-5",
            "8-5 6-4 7-3 1-2",
            "2-8 3-1 4-7 5-6",
            "8-6 7-5 1-4 2-3",
            "3-8 4-2 5-1 6-7",
            "8-7 1-6 2-5 3-4",
            "4-8 5-3 6-2 7-1",
        ]
    );
    // With an odd number of players, the player who would meet the missing last number has a free round.
    assert_eq!(
        table(5),
        ["2-5 3-4", "5-3 1-2", "3-1 4-5", "1-4 2-3", "4-2 5-1"]
    );
    assert!(table(0).is_empty() && table(1).is_empty());
}

/// Each pair of players meets once per cycle, and with both colours in two cycles. In one cycle, a player's numbers of games with White and
/// with Black differ by one at most, and in two cycles they are equal. No player has the same colour three times in a row.
#[test]
fn all_players_meet_with_balanced_colours() {
    for players in 2..=33 {
        for cycles in 1..=2_u8 {
            let rounds = berger::rounds(players, cycles);
            let mut met = BTreeSet::new();
            let mut colours: BTreeMap<PlayerNo, Vec<Side>> = BTreeMap::new();
            for round in &rounds {
                let mut busy = BTreeSet::new();
                for (white, black) in round {
                    assert!(
                        busy.insert(*white) && busy.insert(*black),
                        "{players}: twice in a round"
                    );
                    assert!(
                        met.insert((*white, *black)),
                        "{players}: {white}-{black} twice"
                    );
                    colours.entry(*white).or_default().push(Side::White);
                    colours.entry(*black).or_default().push(Side::Black);
                }
            }
            let pairs = usize::from(players) * usize::from(players - 1) / 2;
            assert_eq!(
                met.len(),
                pairs * usize::from(cycles),
                "{players} in {cycles} cycles"
            );
            for (player, played) in colours {
                let whites = played.iter().filter(|side| **side == Side::White).count();
                let difference = (2 * whites).abs_diff(played.len());
                assert!(
                    difference <= usize::from(cycles == 1),
                    "{players}: colours of {player}"
                );
                let running = played
                    .windows(3)
                    .any(|three| three[0] == three[1] && three[1] == three[2]);
                assert!(
                    !running || players == 2,
                    "{players}: {player} has one colour three times running"
                );
            }
        }
    }
}

/// The hub pairs the rounds itself, and gives the player without an opponent a bye.
#[test]
fn a_round_robin_pairs_every_round_by_its_table() {
    let mut event = Event::new("Club", 5);
    event.system = System::RoundRobin { cycles: 1 };
    let mut tournament = Tournament::new(event);
    for (no, name) in (1..).zip(["A", "B", "C", "D", "E"]) {
        let player = Player::new(PlayerNo(no), name);
        tournament
            .apply(&chief(), Change::EnterPlayer(Box::new(player)))
            .unwrap();
    }
    for round in (1..=5).map(RoundNo) {
        let change = tournament.berger_round(round).unwrap();
        tournament.apply(&chief(), change).unwrap();
        let paired = &tournament.rounds()[&round];
        assert_eq!(
            (paired.boards.len(), paired.byes.len()),
            (2, 1),
            "round {round}"
        );
    }
    assert!(matches!(
        tournament.berger_round(RoundNo(6)),
        Err(Refusal::Invalid(_))
    ));
    let swiss = Tournament::new(Event::new("Swiss", 5));
    assert!(matches!(
        swiss.berger_round(RoundNo(1)),
        Err(Refusal::Conflict(_))
    ));
}

/// Rounds 1 and 2 are not paired by the table, as in an event that became a round robin only after those rounds.
#[test]
fn the_table_repeats_no_meeting_of_rounds_that_do_not_follow_it() {
    let mut event = Event::new("Club", 6);
    event.system = System::RoundRobin { cycles: 2 };
    let mut tournament = Tournament::new(event);
    let apply = |tournament: &mut Tournament, change| tournament.apply(&chief(), change).unwrap();
    for (no, name) in (1..).zip(["A", "B", "C", "D"]) {
        let player = Player::new(PlayerNo(no), name);
        apply(&mut tournament, Change::EnterPlayer(Box::new(player)));
    }
    let paired = |boards: [(u16, u16); 2]| {
        let boards = (1..).zip(boards);
        Box::new(Pairings {
            boards: boards
                .map(|(no, (white, black))| {
                    Pairing::new(BoardNo(no), PlayerNo(white), PlayerNo(black))
                })
                .collect(),
            ..Pairings::default()
        })
    };
    let table = berger::rounds(4, 2);
    let third: Vec<(u16, u16)> = table[2]
        .iter()
        .map(|(one, other)| (other.0, one.0))
        .collect();
    let third: [(u16, u16); 2] = third.try_into().unwrap();
    apply(
        &mut tournament,
        Change::PairRound(RoundNo(1), paired(third)),
    );
    assert!(
        tournament.berger_round(RoundNo(3)).is_ok(),
        "a second meeting of two cycles"
    );
    apply(
        &mut tournament,
        Change::PairRound(RoundNo(2), paired(third)),
    );
    let refused = tournament.berger_round(RoundNo(3)).unwrap_err().to_string();
    assert!(
        refused.contains("already met in round 1, and the table pairs them again"),
        "{refused}"
    );
}

/// 15.2 with four players: forfeits count as games in SB, KS and DE. They remain unplayed in WON and in the tie-breaks based on ratings.
///
/// Results and expected values, by player number:
/// 1 beat 4 by forfeit, beat 3, drew with 2: 2½. 2 drew with 1, lost to 3, beat 4: 1½. 3 lost to 1, beat 2, drew with 4: 1½. 4: ½.
/// SB: 1: ½·1 + 1.5·½ + 1.5·1 = 2.75. 2: 1.25 + 0 + 0.5 = 1.75. 3: 0 + 1.5 + 0.25 = 1.75. 4: 0.75.
/// KS: half of 3 is 1½, so the games against 1, 2 and 3 count: 1: ½ + 1 = 1.5. 2: ½ + 0 = 0.5. 3: 0 + 1 = 1. 4: 0 (forfeit against 1) + 0 + ½ = 0.5.
/// With a limit half a point higher, only the games against 1 count: 1: 0; 2: ½; 3: 0; 4: 0.
/// Player 1 has WIN 2, because the forfeit gave as many points as a win, but WON 1. REP of player 4 is 2, because the forfeit loss does not count.
/// ARO of player 1 is (1800 + 1700)/2.
#[test]
fn forfeits_count_as_games_in_a_round_robin() {
    let mut event = Event::new("Round robin", 3);
    event.system = System::RoundRobin { cycles: 1 };
    event.tie_breaks = list("SB KS KS/L+1 WIN WON REP ARO DE");
    let table = [
        "2000: 4w+ 2b= 3w1",
        "1800: 3w0 1w= 4b1",
        "1700: 2b1 4w= 1b0",
        "1600: 1b- 3b= 2w0",
    ];
    check(
        &build(event, &table).standings(None),
        &[
            "2.5 | 2.75 1.5 0.0 2 1 3 1750 0",
            "1.5 | 1.75 0.5 0.5 1 1 3 1767 0",
            "1.5 | 1.75 1.0 0.0 1 1 3 1800 0",
            "0.5 | 0.75 0.5 0.0 0 0 2 1750 0",
        ],
    );
}

/// In an odd round robin, a player cannot score in the free round. With 3 players over 3 rounds the maximum is 2, half of which is 1.
#[test]
fn the_free_round_is_not_part_of_the_maximum() {
    let mut event = Event::new("Three", 3);
    event.system = System::RoundRobin { cycles: 1 };
    event.tie_breaks = list("KS SB SB/C1");
    // KS: player 2 has 1 point, half of the maximum, so player 1's win against player 2 counts.
    // SB/C1 cuts a game and not the free round: player 1 has 1 + 0, less 0.
    let table = ["0: Z 2w1 3b1", "0: 3w1 1b0 Z", "0: 2b0 Z 1w0"];
    check(
        &build(event, &table).standings(None),
        &[
            "2.0 | 1.0 1.00 1.00",
            "1.0 | 0.0 0.00 0.00",
            "0.0 | 0.0 0.00 0.00",
        ],
    );
}
