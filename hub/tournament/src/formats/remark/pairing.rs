//! Remarks on pairings, byes and pairing numbers.

use derive_more::Display;

use super::entrant::Entrant;
use crate::formats::wording::{kind_of_bye, listed};
use crate::{BoardNo, Bye, RoundNo};

/// A remark on pairings, byes or pairing numbers.
#[derive(Clone, Debug, Display, PartialEq, Eq)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum PairingRemark {
    #[display("{player} is paired in round {round} but withdrew after round {last}")]
    PairedAfterWithdrawal {
        player: Entrant,
        round: RoundNo,
        last: RoundNo,
    },
    #[display("{player} is paired in round {round} but does not join until round {enters}")]
    PairedBeforeArrival {
        player: Entrant,
        round: RoundNo,
        enters: RoundNo,
    },
    #[display(
        "{player} is paired in round {round} but has a bye in that round: {}",
        kind_of_bye(*bye)
    )]
    PairedDespiteBye {
        player: Entrant,
        round: RoundNo,
        bye: Bye,
    },
    #[display(
        "{} and {} are paired in round {round}, but the event forbids this pairing{}",
        pair[0],
        pair[1],
        in_rounds(*forbidden)
    )]
    ForbiddenPair {
        pair: [Entrant; 2],
        round: RoundNo,
        /// The first and the last round in which the pairing is forbidden; `None` if it is forbidden in every round.
        forbidden: Option<(RoundNo, RoundNo)>,
    },
    #[display("{} and {} played each other in round {round}", pair[0], pair[1])]
    MetBefore { pair: [Entrant; 2], round: RoundNo },
    #[display("{entrant} already had the pairing-allocated bye in round {round}")]
    SecondBye { entrant: Entrant, round: RoundNo },
    #[display(
        "{player} withdraws after round {last} but has a game on board {board} in round {round}"
    )]
    WithdrawnButPaired {
        player: Entrant,
        last: RoundNo,
        board: BoardNo,
        round: RoundNo,
    },
    #[display(
        "round {round}: {} players have the pairing-allocated bye, which only one can have: {}",
        players.len(),
        listed(players)
    )]
    SharedBye {
        round: RoundNo,
        players: Vec<Entrant>,
    },
    #[display(
        "the pairing numbers do not follow rating, title and name (FIDE C.04.2): `flagfall event renumber` puts them in order, \
         until round {fixed_by} is paired"
    )]
    NumbersOutOfOrder { fixed_by: RoundNo },
}

fn in_rounds(forbidden: Option<(RoundNo, RoundNo)>) -> String {
    forbidden.map_or_else(String::new, |(first, last)| {
        format!(" in rounds {first} to {last}")
    })
}
