//! The games of an event as PGN, for databases and broadcast programs: tags and results, without moves.
//!
//! Owns the selection of games and their tags. Must never invent a move: the hub only knows clock presses.

use std::fmt::Write as _;

use timing::Side;

use crate::formats::omission::{NoGame, Omission};
use crate::formats::trf;
use crate::{Board, BoardNo, GameResult, Outcome, Player, RoundNo, Tournament};

/// A PGN file, and the data it cannot hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Games {
    /// The text of the file.
    pub text: String,
    /// The data that it cannot hold.
    pub lost: Vec<Omission>,
}

/// Writes the games of these rounds, by round and board. Games that were not played are left out.
pub fn write(tournament: &Tournament, rounds: &[RoundNo]) -> Games {
    let mut text = String::new();
    let mut lost = vec![Omission::Moves];
    for round in rounds {
        let Some(paired) = tournament.rounds().get(round) else {
            continue;
        };
        if !paired.byes.is_empty() || !paired.team_byes.is_empty() {
            lost.push(Omission::Byes(*round));
        }
        for (no, board) in &paired.boards {
            match result(board) {
                Ok(result) => text.push_str(&game(tournament, *round, *no, board, result)),
                Err(why) => lost.push(Omission::Game {
                    round: *round,
                    board: *no,
                    why,
                }),
            }
        }
    }
    Games { text, lost }
}

/// Returns the result of a board in PGN's notation.
///
/// # Errors
/// Returns the reason why PGN has no game for the board.
fn result(board: &Board) -> Result<&'static str, NoGame> {
    if board.white.is_none() || board.black.is_none() {
        return Err(NoGame::OnePlayer);
    }
    match board.result {
        None | Some(GameResult::Adjourned) => Ok("*"),
        Some(GameResult::Forfeit { .. }) => Err(NoGame::Forfeit),
        Some(GameResult::Played { white, black, .. }) => match (white, black) {
            (Outcome::Win, Outcome::Loss) => Ok("1-0"),
            (Outcome::Loss, Outcome::Win) => Ok("0-1"),
            (Outcome::Draw, Outcome::Draw) => Ok("1/2-1/2"),
            (Outcome::Win, Outcome::Win | Outcome::Draw)
            | (Outcome::Draw, Outcome::Win | Outcome::Loss)
            | (Outcome::Loss, Outcome::Draw | Outcome::Loss) => Err(NoGame::TwoResults),
        },
    }
}

fn game(
    tournament: &Tournament,
    round: RoundNo,
    no: BoardNo,
    board: &Board,
    result: &str,
) -> String {
    let event = tournament.event();
    let day = event.round_dates.get(&round);
    let dotted = |day: String| day.replace('/', ".");
    let player = |side: Side| {
        let seated = board.player(side)?;
        tournament.players().get(&seated)
    };
    let (white, black) = (player(Side::White), player(Side::Black));
    let name = |player: Option<&Player>| player.map_or("?", |player| &player.name).to_owned();
    let site = format!("{} {}", event.city, event.federation);
    let mut tags = vec![
        ("Event", event.name.clone()),
        ("Site", or_unknown(site.trim())),
        (
            "Date",
            day.map_or("????.??.??".to_owned(), |day| dotted(day.to_string())),
        ),
        ("Round", format!("{round}.{no}")),
        ("White", name(white)),
        ("Black", name(black)),
        ("Result", result.to_owned()),
    ];
    if let Some(starts) = event.starts {
        tags.push(("EventDate", dotted(starts.to_string())));
    }
    for (player, [title, rating, fide_id]) in [
        (white, ["WhiteTitle", "WhiteElo", "WhiteFideId"]),
        (black, ["BlackTitle", "BlackElo", "BlackFideId"]),
    ] {
        let Some(player) = player else { continue };
        if !player.title.is_empty() {
            tags.push((title, player.title.clone()));
        }
        tags.extend(player.rating.map(|points| (rating, points.to_string())));
        tags.extend(player.fide_id.map(|id| (fide_id, id.to_string())));
    }
    let control = trf::control::read(event.time_control_code.trim()).ok();
    let control = control.and_then(|control| super::write(&control).text);
    tags.extend(control.map(|control| ("TimeControl", control)));
    let mut text = String::new();
    for (tag, value) in tags {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        // Writing into a `String` cannot fail.
        let _ = writeln!(text, "[{tag} \"{value}\"]");
    }
    let _ = writeln!(text, "\n{result}\n");
    text
}

fn or_unknown(text: &str) -> String {
    if text.is_empty() { "?" } else { text }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Actor, Bye, Change, Event, Pairing, Pairings, PlayerNo};

    fn event() -> Tournament {
        let mut event = Event::new("Harbour \"Cup\"", 3);
        event.city = "Bergen".to_owned();
        event.federation = "NOR".to_owned();
        event.time_control_code = "5400+30".to_owned();
        let mut tournament = Tournament::new(event);
        for no in 1..=7 {
            let mut player = Player::new(PlayerNo(no), &format!("Player, {no}"));
            player.rating = (no == 1).then_some(2400);
            apply(&mut tournament, Change::EnterPlayer(Box::new(player)));
        }
        let pairings = Pairings {
            boards: (1..=3)
                .map(|no| Pairing::new(BoardNo(no), PlayerNo(2 * no - 1), PlayerNo(2 * no)))
                .collect(),
            byes: vec![(PlayerNo(7), Bye::PairingAllocated)],
            ..Pairings::default()
        };
        apply(
            &mut tournament,
            Change::PairRound(RoundNo(1), Box::new(pairings)),
        );
        for (board, result) in [
            (1, GameResult::played(Outcome::Win)),
            (2, GameResult::forfeit(Side::Black)),
        ] {
            let change = Change::Enter(RoundNo(1), BoardNo(board), result, String::new());
            apply(&mut tournament, change);
        }
        tournament
    }

    fn apply(tournament: &mut Tournament, change: Change) {
        tournament.apply(&Actor::chief("Doe"), change).unwrap();
    }

    #[test]
    fn games_have_their_tags_and_unplayed_ones_are_listed() {
        let games = write(&event(), &[RoundNo(1)]);
        let first = "[Event \"Harbour \\\"Cup\\\"\"]\n[Site \"Bergen NOR\"]\n[Date \"????.??.??\"]\n[Round \"1.1\"]\n\
                     [White \"Player, 1\"]\n[Black \"Player, 2\"]\n[Result \"1-0\"]\n[WhiteElo \"2400\"]\n\
                     [TimeControl \"5400+30\"]\n\n1-0\n\n";
        assert!(games.text.starts_with(first), "{}", games.text);
        assert!(games.text.ends_with("\n\n*\n\n"), "{}", games.text);
        assert_eq!(games.text.matches("[Event ").count(), 2);
        assert_eq!(
            games.lost[1..],
            [
                Omission::Byes(RoundNo(1)),
                Omission::Game {
                    round: RoundNo(1),
                    board: BoardNo(2),
                    why: NoGame::Forfeit
                }
            ]
        );
    }
}
