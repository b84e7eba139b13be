//! The games of an event as PGN, for databases and broadcast programs: tags, moves with clocks, and results.
//!
//! Owns the selection of games, their tags and the form of a clock. Must never invent a move: a game whose moves
//! were not recorded is written without moves.

use std::fmt::Write as _;

use timing::Side;

use super::movetext::{Played, movetext};
use crate::formats::omission::{NoGame, Omission};
use crate::formats::trf;
use crate::formats::wording::shown;
use crate::{Board, BoardNo, Date, GameResult, Outcome, Player, PlayerNo, RoundNo, Tournament};

/// The program for which PGN is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PgnTarget {
    /// Programs that follow the standard and its supplement of 2001: clocks in whole seconds.
    #[default]
    Standard,
    /// Lichess: clocks in tenths of a second, no time control whose seconds it would take for minutes, and no data that
    /// it cannot show.
    Lichess,
}

/// A PGN file, and the data it cannot hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Games {
    /// The text of the file.
    pub text: String,
    /// The data that the file cannot hold.
    pub lost: Vec<Omission>,
}

/// A function that returns the recorded moves and clocks of a game; `None` if the game has neither.
pub type PlayedAt<'a> = &'a dyn Fn(RoundNo, BoardNo) -> Option<Played>;

/// The games to write, and the program that reads them.
#[derive(Clone, Copy)]
pub struct Selection<'a> {
    /// The rounds whose games are written, in order.
    pub rounds: &'a [RoundNo],
    /// The only board to write in each round; `None` for all boards.
    pub board: Option<BoardNo>,
    /// The program for which the file is written.
    pub target: PgnTarget,
    /// The event's key, the first part of each game's `GameId`; empty to write no `GameId`.
    pub key: &'a str,
}

/// Writes games by round and board, each with the moves and clocks that `played` returns. Leaves out boards with one
/// player, forfeits, and results that PGN cannot state.
pub fn write(tournament: &Tournament, selection: Selection<'_>, played: PlayedAt<'_>) -> Games {
    let mut text = String::new();
    let mut lost = Vec::new();
    let mut without_moves = false;
    for round in selection.rounds {
        let Some(paired) = tournament.rounds().get(round) else {
            continue;
        };
        if selection.board.is_none() && !(paired.byes.is_empty() && paired.team_byes.is_empty()) {
            lost.push(Omission::Byes(*round));
        }
        let selected = |no: BoardNo| selection.board.is_none_or(|only| only == no);
        for (no, board) in paired.boards.iter().filter(|(no, _)| selected(**no)) {
            match result(board) {
                Ok(result) => {
                    let played = played(*round, *no).unwrap_or_default();
                    without_moves |= !played.has_moves();
                    let game = Game {
                        tournament,
                        selection,
                        round: *round,
                        no: *no,
                        board,
                        result,
                    };
                    text.push_str(&game.pgn(&played));
                }
                Err(why) => lost.push(Omission::Game {
                    round: *round,
                    board: *no,
                    why,
                }),
            }
        }
    }
    if without_moves {
        lost.insert(0, Omission::Moves);
    }
    Games { text, lost }
}

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

const PLAYER_TAGS: [[&str; 4]; 2] = [
    ["WhiteTitle", "WhiteElo", "WhiteFideId", "WhiteTeam"],
    ["BlackTitle", "BlackElo", "BlackFideId", "BlackTeam"],
];

struct Game<'a> {
    tournament: &'a Tournament,
    selection: Selection<'a>,
    round: RoundNo,
    no: BoardNo,
    board: &'a Board,
    result: &'a str,
}

impl Game<'_> {
    fn pgn(&self, played: &Played) -> String {
        let mut text = String::new();
        let tags = self.roster().into_iter().chain(self.more(played));
        for (tag, value) in tags.filter(|(_, value)| !value.is_empty()) {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            // Writing into a `String` cannot fail.
            let _ = writeln!(text, "[{tag} \"{value}\"]");
        }
        let moves = movetext(played, self.selection.target);
        let _ = writeln!(text, "\n{moves}{}\n", self.result);
        text
    }

    fn roster(&self) -> [(&'static str, String); 7] {
        let event = self.tournament.event();
        let day = event.round_dates.get(&self.round);
        let site = format!("{} {}", event.city, event.federation);
        let name = |side| {
            let player = self.player(side);
            player.map_or("?", |player| &player.name).to_owned()
        };
        [
            ("Event", event.name.clone()),
            ("Site", or_unknown(site.trim())),
            ("Date", dotted(day).unwrap_or("????.??.??".to_owned())),
            ("Round", format!("{}.{}", self.round, self.no)),
            ("White", name(Side::White)),
            ("Black", name(Side::Black)),
            ("Result", self.result.to_owned()),
        ]
    }

    fn more(&self, played: &Played) -> Vec<(&'static str, String)> {
        let event = self.tournament.event();
        let day = dotted(event.starts.as_ref());
        let mut tags = vec![
            ("EventDate", day.unwrap_or_default()),
            ("Board", self.no.to_string()),
        ];
        let key = self.selection.key;
        if !key.is_empty() {
            tags.push(("GameId", format!("{key}-{}-{}", self.round, self.no)));
        }
        for (side, [title, rating, fide_id, team]) in Side::BOTH.into_iter().zip(PLAYER_TAGS) {
            let Some(player) = self.player(side) else {
                continue;
            };
            tags.extend([
                (title, player.title.clone()),
                (rating, shown(player.rating)),
                (fide_id, shown(player.fide_id)),
                (team, self.team_of(player.no)),
            ]);
        }
        if let (Some(variant), PgnTarget::Standard) = (&played.variant, self.selection.target) {
            tags.push(("Variant", variant.name.to_owned()));
        }
        tags.push(("TimeControl", self.time_control(played)));
        tags.push(("Termination", shown(played.termination)));
        tags
    }

    fn player(&self, side: Side) -> Option<&Player> {
        self.tournament.players().get(&self.board.player(side)?)
    }

    fn team_of(&self, player: PlayerNo) -> String {
        let mut teams = self.tournament.teams().values();
        let team = teams.find(|team| team.players.contains(&player));
        team.map(|team| team.name.clone()).unwrap_or_default()
    }

    /// Returns the value of the tag `TimeControl`: the game's time control, or else the event's. Empty if there is none,
    /// or if the target program would misread it.
    fn time_control(&self, played: &Played) -> String {
        let code = self.tournament.event().time_control_code.trim();
        let control = played.control.clone();
        let control = control.or_else(|| trf::control::read(code).ok());
        let written = control.map(|control| match self.selection.target {
            PgnTarget::Standard => super::write(&control),
            PgnTarget::Lichess => super::write_for_lichess(&control),
        });
        written.and_then(|written| written.text).unwrap_or_default()
    }
}

fn dotted(day: Option<&Date>) -> Option<String> {
    day.map(|day| day.to_string().replace('/', "."))
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

    fn all(rounds: &[RoundNo]) -> Selection<'_> {
        Selection {
            rounds,
            board: None,
            target: PgnTarget::Standard,
            key: "",
        }
    }

    fn apply(tournament: &mut Tournament, change: Change) {
        tournament.apply(&Actor::chief("Doe"), change).unwrap();
    }

    #[test]
    fn games_have_their_tags_and_unplayed_ones_are_listed() {
        let games = write(&event(), all(&[RoundNo(1)]), &|_, _| None);
        let first = "[Event \"Harbour \\\"Cup\\\"\"]\n[Site \"Bergen NOR\"]\n[Date \"????.??.??\"]\n[Round \"1.1\"]\n\
                     [White \"Player, 1\"]\n[Black \"Player, 2\"]\n[Result \"1-0\"]\n[Board \"1\"]\n\
                     [WhiteElo \"2400\"]\n[TimeControl \"5400+30\"]\n\n1-0\n\n";
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
