//! Remarks on games, byes and teams of a file that are incomplete or ambiguous.

use derive_more::Display;

use super::entrant::{Counted, Position};
use crate::formats::wording::{kind_of_bye, listed};
use crate::{Bye, RoundNo, TeamNo};

/// A remark on a game, a bye or a team of a file that is incomplete or ambiguous.
#[derive(Clone, Debug, Display, PartialEq, Eq)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum GamesRemark {
    #[display(
        "round {round}: forfeits without an opponent count as {}s (line {})",
        bye.words(),
        listed(lines)
    )]
    ForfeitsAsByes {
        round: RoundNo,
        bye: Bye,
        lines: Vec<usize>,
    },
    #[display(
        "line {line}: in round {round}, a player without a team has an opponent: the game is left out"
    )]
    PlayerWithoutTeam { line: usize, round: RoundNo },
    #[display(
        "round {round}: {}, so forfeit wins count only in the players' own scores: {}",
        without_match(*team),
        listed(players)
    )]
    ForfeitsWithoutMatch {
        round: RoundNo,
        team: Option<TeamNo>,
        players: Vec<u16>,
    },
    #[display(
        "player {player} is not listed in any team but plays for team {team} in round {round} (300); the player will be added to that team"
    )]
    JoinsTeam { player: u16, team: u16, round: u16 },
    #[display(
        "{at}: player {player}, round {round}: the file counts the points of a bye but has no letter for it; entered: {}",
        kind_of_bye(*bye)
    )]
    ByeWithoutLetter {
        at: Position,
        player: u16,
        bye: Bye,
        round: RoundNo,
    },
    #[display(
        "{at}: the {} of {} {who} in round {round} is left out: {conflict}",
        bye.words(),
        of.one()
    )]
    ByeLeftOut {
        at: Position,
        who: u16,
        of: Counted,
        bye: Bye,
        round: RoundNo,
        conflict: ByeConflict,
    },
}

/// The reason why an event cannot hold a bye from record 240 or 320.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum ByeConflict {
    #[display("the file also has a game or a match in that round")]
    Paired,
    #[display("the file also has a different bye: {}", _0.words())]
    OtherBye(Bye),
    #[display("the event has only {_0} rounds")]
    NoSuchRound(u16),
}

fn without_match(team: Option<TeamNo>) -> String {
    match team {
        Some(team) => format!("team {team} has no match"),
        None => "players without a team have no match".to_owned(),
    }
}
