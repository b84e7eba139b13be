//! Remarks on games, byes and teams of a file that are incomplete or ambiguous.

use std::fmt;

use super::{Position, listed};
use crate::formats::difference::kind_of_bye;
use crate::{Bye, RoundNo, TeamNo};

/// A remark on a game, a bye or a team of a file that is incomplete or ambiguous.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GamesRemark {
    /// Forfeits without an opponent count as byes.
    ForfeitsAsByes {
        /// The round.
        round: RoundNo,
        /// The bye.
        bye: Bye,
        /// The lines of the players.
        lines: Vec<usize>,
    },
    /// The game of a player without a team is left out.
    PlayerWithoutTeam {
        /// The line of the player.
        line: usize,
        /// The round of the game.
        round: RoundNo,
    },
    /// Forfeit wins in a round without a match count for the players alone.
    ForfeitsWithoutMatch {
        /// The round.
        round: RoundNo,
        /// The team; `None` for players without one.
        team: Option<TeamNo>,
        /// The players.
        players: Vec<u32>,
    },
    /// A player without a team joins the one named by a record 300.
    JoinsTeam {
        /// The player's number.
        player: u32,
        /// The team's number.
        team: u32,
        /// The round of the record.
        round: u32,
    },
    /// The file counts the points of a bye for which it has no letter.
    ByeWithoutLetter {
        /// The place of the missing letter.
        at: Position,
        /// The player's number.
        player: u32,
        /// The bye.
        bye: Bye,
        /// The round.
        round: RoundNo,
    },
}

impl fmt::Display for GamesRemark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ForfeitsAsByes { round, bye, lines } => write!(
                f,
                "round {round}: forfeits without an opponent count as {} (line {})",
                byes(*bye),
                listed(lines)
            ),
            Self::PlayerWithoutTeam { line, round } => write!(
                f,
                "line {line}: in round {round}, a player without a team has an opponent: the game is left out"
            ),
            Self::ForfeitsWithoutMatch {
                round,
                team,
                players,
            } => write!(
                f,
                "round {round}: {}, so the forfeit wins of players {} count for those players alone",
                without_match(*team),
                listed(players)
            ),
            Self::JoinsTeam {
                player,
                team,
                round,
            } => write!(
                f,
                "player {player} is in no team and plays for team {team} in round {round} (300): added to that team"
            ),
            Self::ByeWithoutLetter {
                at,
                player,
                bye,
                round,
            } => write!(
                f,
                "{at}: player {player} has a {} in round {round}: the file counts its points but has no letter for it",
                kind_of_bye(*bye)
            ),
        }
    }
}

/// Names byes of a kind.
const fn byes(bye: Bye) -> &'static str {
    match bye {
        Bye::Full => "full-point byes",
        Bye::Half => "half-point byes",
        Bye::Zero => "zero-point byes",
        Bye::PairingAllocated => "pairing-allocated byes",
    }
}

fn without_match(team: Option<TeamNo>) -> String {
    match team {
        Some(team) => format!("team {team} has no match"),
        None => "players without a team have no match".to_owned(),
    }
}
