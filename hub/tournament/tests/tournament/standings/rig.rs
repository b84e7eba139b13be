//! Events written as cross tables, one line per participant.
//!
//! A line is `rating: round round …`, with a rating of 0 for an unrated player. A round is `4w1` (White against 4, won), `3b=` or `2w0`. It
//! uses `+` and `-` for forfeits, `W`, `D` and `L` for unrated games, and `?` for a game without a result. Byes are `F`, `H`, `Z` and `U`.

use tournament::standings::explain::text;
use tournament::{
    Actor, BoardNo, Bye, Change, Event, GameResult, Outcome, Pairing, Pairings, Participant,
    Player, PlayerNo, RoundNo, Side, Standings, TieBreak, Tournament,
};

pub(crate) fn chief() -> Actor {
    Actor::chief("IA Doe")
}

pub(crate) fn swiss(tie_breaks: &str, lines: &[&str]) -> Tournament {
    let rounds = lines
        .first()
        .map_or(0, |line| line.split_whitespace().count() - 1);
    let mut event = Event::new("Hand-worked", u16::try_from(rounds).unwrap());
    event.tie_breaks = list(tie_breaks);
    build(event, lines)
}

pub(crate) fn list(text: &str) -> Vec<TieBreak> {
    let codes = text.split([',', ' ']).filter(|code| !code.is_empty());
    codes.map(|code| TieBreak::parse(code).unwrap()).collect()
}

pub(crate) fn build(event: Event, lines: &[&str]) -> Tournament {
    let mut tournament = Tournament::new(Event::new("", 1));
    let mut apply = |change| tournament.apply(&chief(), change).unwrap();
    apply(Change::SetEvent(Box::new(event)));
    let mut logs: Vec<Vec<&str>> = Vec::new();
    for (line, no) in lines.iter().zip(1..) {
        let (rating, rounds) = line.split_once(':').unwrap();
        let mut player = Player::new(PlayerNo(no), &format!("Player {no}"));
        player.rating = rating.trim().parse().ok().filter(|rating| *rating > 0);
        apply(Change::EnterPlayer(Box::new(player)));
        logs.push(rounds.split_whitespace().collect());
    }
    let rounds = logs.iter().map(Vec::len).max().unwrap();
    for round in 0..rounds {
        let (pairings, results) = read_round(&logs, round);
        let no = RoundNo(u16::try_from(round + 1).unwrap());
        apply(Change::PairRound(no, Box::new(pairings)));
        for (board, result) in results {
            apply(Change::Enter(no, board, result, String::new()));
        }
    }
    tournament
}

fn read_round(logs: &[Vec<&str>], round: usize) -> (Pairings, Vec<(BoardNo, GameResult)>) {
    let (mut pairings, mut results) = (Pairings::default(), Vec::new());
    for (log, no) in logs.iter().zip(1..) {
        let Some(token) = log.get(round) else {
            continue;
        };
        let bye = match *token {
            "F" => Some(Bye::Full),
            "H" => Some(Bye::Half),
            "Z" => Some(Bye::Zero),
            "U" => Some(Bye::PairingAllocated),
            _ => None,
        };
        if let Some(bye) = bye {
            pairings.byes.push((PlayerNo(no), bye));
            continue;
        }
        let (opponent, colour, mark) = read_game(token);
        if colour == 'b' {
            continue;
        }
        let theirs = read_game(logs[opponent - 1][round]);
        assert_eq!(
            (theirs.0, theirs.1),
            (no as usize, 'b'),
            "{token} in round {}",
            round + 1
        );
        let board = BoardNo(u16::try_from(pairings.boards.len() + 1).unwrap());
        let black = PlayerNo(u16::try_from(opponent).unwrap());
        pairings
            .boards
            .push(Pairing::new(board, PlayerNo(no), black));
        if let Some(result) = result(mark, theirs.2) {
            results.push((board, result));
        }
    }
    (pairings, results)
}

fn read_game(token: &str) -> (usize, char, char) {
    let at = token.find(['w', 'b']).unwrap();
    let mut rest = token[at..].chars();
    (
        token[..at].parse().unwrap(),
        rest.next().unwrap(),
        rest.next().unwrap(),
    )
}

fn result(white: char, black: char) -> Option<GameResult> {
    let outcome = |mark: char| match mark {
        '1' | 'W' => Outcome::Win,
        '=' | 'D' => Outcome::Draw,
        _ => Outcome::Loss,
    };
    match (white, black) {
        ('?', _) => None,
        ('+', _) => Some(GameResult::forfeit(Side::White)),
        (_, '+') => Some(GameResult::forfeit(Side::Black)),
        ('-', '-') => Some(GameResult::DOUBLE_FORFEIT),
        _ => Some(GameResult::Played {
            white: outcome(white),
            black: outcome(black),
            rated: !"WDL".contains(white),
            tally: None,
        }),
    }
}

pub(crate) fn line(standings: &Standings, no: u16) -> String {
    let who = |row: &&tournament::Row| row.who.number() == no;
    let row = standings.rows.iter().find(who).unwrap();
    let values = standings.tie_breaks.iter().zip(&row.values);
    let values: Vec<String> = values
        .map(|(tie_break, value)| text(tie_break.code, *value))
        .collect();
    format!("{} | {}", row.score, values.join(" "))
}

#[track_caller]
pub(crate) fn check(standings: &Standings, expected: &[&str]) {
    let found: Vec<String> = (1..=expected.len())
        .map(|no| line(standings, u16::try_from(no).unwrap()))
        .collect();
    assert_eq!(found, expected);
}

pub(crate) fn places(standings: &Standings) -> Vec<(usize, u16)> {
    let rows = standings.rows.iter();
    rows.map(|row| (row.rank, row.who.number())).collect()
}

pub(crate) fn words(tournament: &Tournament, no: u16, code: &str) -> Vec<String> {
    let who = if tournament.teams().is_empty() {
        Participant::Player(PlayerNo(no))
    } else {
        Participant::Team(tournament::TeamNo(no))
    };
    let explained = tournament.explain(None, who, TieBreak::parse(code).unwrap());
    explained.unwrap().words(tournament)
}
