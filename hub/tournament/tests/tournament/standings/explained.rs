//! Each number in the standings equals the result of its explanation. The test recomputes it: sums, averages and performances from the terms, and
//! direct encounters from the games themselves.

use std::collections::{BTreeMap, BTreeSet};

use super::property::event;
use super::rig::{chief, list};
use tournament::points::Ratio;
use tournament::standings::rating_tables::{probability, rating_difference};
use tournament::standings::{Explanation, Term};
use tournament::{Change, GameResult, Participant, PlayerNo, Side, Tournament};

fn played(seed: u64) -> Tournament {
    let (mut tournament, results) = event(seed);
    for (round, board, result) in results {
        let change = Change::Enter(round, board, result, String::new());
        tournament.apply(&chief(), change).unwrap();
    }
    tournament
}

/// Divides and rounds to the nearest whole number, with halves rounded up. Does not use the arithmetic under test.
fn half_up(sum: i64, count: i64) -> i64 {
    (2 * sum + count).div_euclid(2 * count)
}

fn whole(ratio: Ratio) -> i64 {
    assert_eq!(ratio.denominator(), 1, "{ratio}");
    ratio.numerator()
}

fn counted(explained: &Explanation) -> Vec<&Term> {
    let terms = explained.terms.iter();
    terms.filter(|term| term.cut.is_none()).collect()
}

fn theirs(tournament: &Tournament, term: &Term, code: &str) -> Ratio {
    let opponent = term.opponent.unwrap();
    let explained = tournament.explain(None, opponent, list(code)[0]);
    explained.unwrap().value.unwrap()
}

fn recomputed(tournament: &Tournament, explained: &Explanation) -> Option<Ratio> {
    let terms = counted(explained);
    let count = i64::try_from(terms.len()).unwrap();
    let sum: Ratio = terms.iter().map(|term| term.amount()).sum();
    let code = explained.tie_break.code.as_str();
    let average_of = |code: &str| {
        for term in &terms {
            assert_eq!(term.amount(), theirs(tournament, term, code));
        }
    };
    match code {
        "BH" | "SB" | "FB" | "PS" | "WIN" | "REP" | "STD" | "KS" => Some(sum),
        "AOB" => {
            average_of("BH");
            (count > 0).then(|| Ratio::new(sum.numerator(), sum.denominator() * count))
        }
        "APRO" | "APPO" => {
            average_of(if code == "APRO" { "TPR" } else { "PTP" });
            (count > 0).then(|| Ratio::whole(half_up(whole(sum), count)))
        }
        "ARO" | "TPR" | "PTP" => {
            (count > 0).then(|| Ratio::whole(performance(tournament, &terms, code)))
        }
        other => panic!("{other} is not worked out here"),
    }
}

fn performance(tournament: &Tournament, terms: &[&Term], code: &str) -> i64 {
    let games = i64::try_from(terms.len()).unwrap();
    let rating = |term: &&Term| {
        let Some(Participant::Player(no)) = term.opponent else {
            panic!("players meet players");
        };
        let known = i64::from(tournament.players()[&no].rating.unwrap());
        assert_eq!(whole(term.amount()), known);
        known
    };
    let ratings: Vec<i64> = terms.iter().map(rating).collect();
    // A term's factor is the score of one game in ten-thousandths of a point; this sum is in hundredths.
    let score: i64 = terms.iter().map(|term| term.factor / 100).sum();
    let average = half_up(ratings.iter().sum(), games);
    match code {
        "ARO" => average,
        "TPR" => average + rating_difference(half_up(score, games)),
        _ if score == 0 => ratings.iter().min().unwrap() - 800,
        _ => {
            let expected = |own: &i64| -> i64 {
                let games = ratings.iter();
                games.map(|rating| probability(own - rating)).sum()
            };
            (0..6_000).find(|own| expected(own) >= score).unwrap()
        }
    }
}

fn halves(result: Option<GameResult>) -> Option<(i64, i64)> {
    let result = result.filter(|result| result.is_played())?;
    let points = |side| result.outcome(side).unwrap().fraction() / 50;
    Some((points(Side::White), points(Side::Black)))
}

/// For each tied player, the half points scored and the games played against each other tied player.
type Met = BTreeMap<PlayerNo, BTreeMap<PlayerNo, (i64, i64)>>;

fn met(tournament: &Tournament, tied: &BTreeSet<PlayerNo>) -> Met {
    let mut met: Met = tied.iter().map(|no| (*no, BTreeMap::new())).collect();
    for round in tournament.rounds().values() {
        for board in round.boards.values() {
            let (white, black) = (board.white.unwrap(), board.black.unwrap());
            let Some((of_white, of_black)) = halves(board.result) else {
                continue;
            };
            if !(tied.contains(&white) && tied.contains(&black)) {
                continue;
            }
            for (one, other, points) in [(white, black, of_white), (black, white, of_black)] {
                let against = met.get_mut(&one).unwrap().entry(other).or_default();
                *against = (against.0 + points, against.1 + 1);
            }
        }
    }
    met
}

/// Returns the order of tied players according to C.07 6, best first. Players who stay tied are in the same set.
fn encounter(tournament: &Tournament, tied: &BTreeSet<PlayerNo>) -> Vec<BTreeSet<PlayerNo>> {
    let met = met(tournament, tied);
    let score = |no: &PlayerNo| -> Ratio {
        let against = met[no].values();
        against
            .map(|(halves, games)| Ratio::new(*halves, 2 * games))
            .sum()
    };
    let others = tied.len() - 1;
    let most =
        |no: &PlayerNo| score(no) + Ratio::whole(i64::try_from(others - met[no].len()).unwrap());
    let mut parts: Vec<BTreeSet<PlayerNo>> = Vec::new();
    let mut rest = tied.clone();
    let all_met = tied.iter().all(|no| met[no].len() == others);
    while !rest.is_empty() {
        let best = rest.iter().map(score).max().unwrap();
        let top: BTreeSet<PlayerNo> = rest
            .iter()
            .copied()
            .filter(|no| score(no) == best)
            .collect();
        let alone = |no: &PlayerNo| rest.iter().all(|other| other == no || most(other) < best);
        let first_alone = rest.len() > 1 && top.len() == 1 && alone(top.first().unwrap());
        if all_met || first_alone {
            rest.retain(|no| !top.contains(no));
            parts.push(top);
        } else {
            parts.push(std::mem::take(&mut rest));
        }
    }
    match parts.len() {
        1 => parts,
        _ => parts
            .iter()
            .flat_map(|part| encounter(tournament, part))
            .collect(),
    }
}

fn check_encounter(tournament: &Tournament, explained: &Explanation, seed: u64) {
    let number = |who: Participant| match who {
        Participant::Player(no) => no,
        Participant::Team(no) => panic!("team {no} in an event of players"),
    };
    let own = number(explained.who);
    let mut tied: BTreeSet<PlayerNo> = explained
        .encounters
        .iter()
        .map(|line| number(line.who))
        .collect();
    tied.insert(own);
    let parts = encounter(tournament, &tied);
    let mut place = 1;
    for part in &parts {
        if part.contains(&own) {
            break;
        }
        place += part.len();
    }
    let place = if parts.len() == 1 {
        0
    } else {
        i64::try_from(place).unwrap()
    };
    assert_eq!(
        explained.value,
        Some(Ratio::whole(place)),
        "SEED={seed}: DE of {own} among {tied:?}"
    );
    let met = met(tournament, &tied);
    for line in &explained.encounters {
        let against = &met[&number(line.who)];
        let score: Ratio = against
            .values()
            .map(|(halves, games)| Ratio::new(*halves, 2 * games))
            .sum();
        assert_eq!(
            (line.met, line.score),
            (against.len(), score),
            "SEED={seed}: {:?}",
            line.who
        );
        let missing = i64::try_from(tied.len() - 1 - against.len()).unwrap();
        assert_eq!(
            line.most,
            score + Ratio::whole(missing),
            "SEED={seed}: {:?}",
            line.who
        );
    }
}

#[test]
fn every_explanation_adds_up_to_its_value() {
    for seed in 1..=40 {
        let tournament = played(seed);
        let standings = tournament.standings(None);
        for row in &standings.rows {
            for (tie_break, value) in standings.tie_breaks.iter().zip(&row.values) {
                let explained = tournament.explain(None, row.who, *tie_break).unwrap();
                let what = || format!("SEED={seed}: {tie_break} of {:?}", row.who);
                assert_eq!(explained.value, *value, "{}", what());
                match tie_break.code.as_str() {
                    "DE" => check_encounter(&tournament, &explained, seed),
                    _ => assert_eq!(recomputed(&tournament, &explained), *value, "{}", what()),
                }
                assert!(!explained.words(&tournament).is_empty());
            }
        }
    }
}
