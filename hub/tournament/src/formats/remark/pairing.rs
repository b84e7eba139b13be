//! Remarks on pairings, byes and pairing numbers.

use std::fmt;

use super::{Entrant, listed};
use crate::formats::difference::kind_of_bye;
use crate::{BoardNo, Bye, RoundNo};

/// A remark on pairings, byes or pairing numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PairingRemark {
    /// A player is paired after withdrawing.
    PairedAfterWithdrawal {
        /// The player.
        player: Entrant,
        /// The round with the pairing.
        round: RoundNo,
        /// The player's last round.
        last: RoundNo,
    },
    /// A player is paired before arriving.
    PairedBeforeArrival {
        /// The player.
        player: Entrant,
        /// The round with the pairing.
        round: RoundNo,
        /// The player's first round.
        enters: RoundNo,
    },
    /// A player with a bye is paired.
    PairedDespiteBye {
        /// The player.
        player: Entrant,
        /// The round of both.
        round: RoundNo,
        /// The kind of bye.
        bye: Bye,
    },
    /// Two entrants meet although the event forbids it.
    ForbiddenPair {
        /// The players or teams.
        pair: [Entrant; 2],
        /// The round with the pairing.
        round: RoundNo,
        /// The first and the last forbidden round; `None` if all are.
        forbidden: Option<(RoundNo, RoundNo)>,
    },
    /// Two entrants have met before.
    MetBefore {
        /// The players or teams.
        pair: [Entrant; 2],
        /// The round of their first meeting.
        round: RoundNo,
    },
    /// An entrant gets a second pairing-allocated bye.
    SecondBye {
        /// The player or team.
        entrant: Entrant,
        /// The round of the first bye.
        round: RoundNo,
    },
    /// A player who withdraws is already paired in a later round.
    WithdrawnButPaired {
        /// The player.
        player: Entrant,
        /// The player's last round.
        last: RoundNo,
        /// The board of the pairing.
        board: BoardNo,
        /// The round of the pairing.
        round: RoundNo,
    },
    /// Several players have the pairing-allocated bye of one round.
    SharedBye {
        /// The round.
        round: RoundNo,
        /// The players, at least two.
        players: Vec<Entrant>,
    },
    /// The pairing numbers do not follow FIDE's initial order.
    NumbersOutOfOrder {
        /// The round whose pairing fixes the numbers.
        fixed_by: RoundNo,
    },
}

impl fmt::Display for PairingRemark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PairedAfterWithdrawal {
                player,
                round,
                last,
            } => write!(
                f,
                "{player} is paired in round {round} but has withdrawn after round {last}"
            ),
            Self::PairedBeforeArrival {
                player,
                round,
                enters,
            } => write!(
                f,
                "{player} is paired in round {round} but arrives only for round {enters}"
            ),
            Self::PairedDespiteBye { player, round, bye } => write!(
                f,
                "{player} is paired in round {round} but has a bye in it: {}",
                kind_of_bye(*bye)
            ),
            Self::ForbiddenPair {
                pair: [one, other],
                round,
                forbidden,
            } => {
                write!(
                    f,
                    "{one} and {other} are paired in round {round}, but the event forbids them to meet"
                )?;
                match forbidden {
                    Some((first, last)) => write!(f, " in rounds {first} to {last}"),
                    None => Ok(()),
                }
            }
            Self::MetBefore {
                pair: [one, other],
                round,
            } => write!(
                f,
                "{one} and {other} have played each other in round {round}"
            ),
            Self::SecondBye { entrant, round } => write!(
                f,
                "{entrant} already had the pairing-allocated bye in round {round}"
            ),
            Self::WithdrawnButPaired {
                player,
                last,
                board,
                round,
            } => write!(
                f,
                "{player} is withdrawn after round {last} but sits at board {board} in round {round}"
            ),
            Self::SharedBye { round, players } => write!(
                f,
                "round {round}: {} players have the pairing-allocated bye, which only one can have: {}",
                players.len(),
                listed(players)
            ),
            Self::NumbersOutOfOrder { fixed_by } => write!(
                f,
                "the pairing numbers do not follow rating, title and name (FIDE C.04.2): `flagfall event renumber` puts them in order, \
                 until round {fixed_by} is paired"
            ),
        }
    }
}
