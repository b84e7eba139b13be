//! The computation behind each tie-break code.

use crate::{Code, Measure};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Score {
    Primary,
    Secondary,
    Named(Measure),
}

/// The feature counted in a participant's own record (C.07 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Own {
    /// 7.1: wins.
    Wins,
    /// 7.2: games won over the board.
    GamesWon,
    /// 7.3: games played with Black.
    BlackGames,
    /// 7.4: games won with Black.
    BlackWins,
    /// 7.6: rounds that the participant elected to play.
    RoundsElected,
    /// 7.7: standard points.
    StandardPoints,
}

/// The value computed from ratings (C.07 10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Performance {
    /// 10.1: the average rating of the opponents.
    Average,
    /// 10.2: the tournament performance rating.
    Tournament,
    /// 10.3: the perfect tournament performance.
    Perfect,
    /// 10.4: the average performance rating of the opponents.
    AverageTournament,
    /// 10.5: the average perfect performance of the opponents.
    AveragePerfect,
}

/// The two factors of a Sonneborn-Berger product: the opponent's score, then the score against that opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Product {
    /// The score on which the tie-break is based, for both factors.
    Same,
    /// The score on which the tie-break is based, then the other one.
    Crossed,
    Named(Measure, Measure),
}

/// The end from which boards are taken (C.07 12.2, 12.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Top,
    Bottom,
}

/// The continuation of a direct encounter if its first score leaves a tie (C.07 13.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extension {
    /// No continuation, as in article 6.
    None,
    Secondary,
    /// The other score, then the boards of the matches between two teams.
    Boards {
        /// True if the board count comes before single boards.
        count: bool,
        /// The end from which single boards are taken; `None` to use only the board count.
        end: Option<End>,
    },
}

/// The amount that each game's final counts add to a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counted {
    /// The participant's count less the opponent's.
    Spread,
    Tally,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Points(Score),
    Own(Own),
    Progressive,
    Number,
    Rating,
    Buchholz {
        /// True for fore Buchholz (8.3).
        fore: bool,
    },
    AverageBuchholz,
    SonnebornBerger(Product),
    Koya,
    Performance(Performance),
    Placing(Placing),
    BoardCount,
    Strength,
    Count(Counted),
}

/// A method that ranks tied participants instead of computing a number for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Placing {
    Meeting(Extension),
    Boards(End),
}

impl Method {
    pub(super) const fn placing(self) -> Option<Placing> {
        if let Self::Placing(placing) = self {
            Some(placing)
        } else {
            None
        }
    }
}

pub(super) const fn of(code: Code) -> Method {
    match code {
        Code::Pts => Method::Points(Score::Primary),
        Code::Mpts => Method::Points(Score::Named(Measure::Match)),
        Code::Gpts => Method::Points(Score::Named(Measure::Game)),
        Code::MpVsGp => Method::Points(Score::Secondary),
        Code::De => meeting(Extension::None),
        Code::Ede => meeting(Extension::Secondary),
        Code::Edec => by_boards(true, None),
        Code::Edet => by_boards(false, Some(End::Top)),
        Code::Edeb => by_boards(false, Some(End::Bottom)),
        Code::Edebt => by_boards(true, Some(End::Top)),
        Code::Edebb => by_boards(true, Some(End::Bottom)),
        Code::Win => Method::Own(Own::Wins),
        Code::Won => Method::Own(Own::GamesWon),
        Code::Bpg => Method::Own(Own::BlackGames),
        Code::Bwg => Method::Own(Own::BlackWins),
        Code::Rep => Method::Own(Own::RoundsElected),
        Code::Std => Method::Own(Own::StandardPoints),
        Code::Ps => Method::Progressive,
        Code::Tpn => Method::Number,
        Code::Rtng => Method::Rating,
        Code::Bh => Method::Buchholz { fore: false },
        Code::Fb => Method::Buchholz { fore: true },
        Code::Aob => Method::AverageBuchholz,
        Code::Sb => Method::SonnebornBerger(Product::Same),
        Code::Esb => Method::SonnebornBerger(Product::Crossed),
        Code::Emmsb => Method::SonnebornBerger(Product::Named(Measure::Match, Measure::Match)),
        Code::Emgsb => Method::SonnebornBerger(Product::Named(Measure::Match, Measure::Game)),
        Code::Egmsb => Method::SonnebornBerger(Product::Named(Measure::Game, Measure::Match)),
        Code::Eggsb => Method::SonnebornBerger(Product::Named(Measure::Game, Measure::Game)),
        Code::Ks => Method::Koya,
        Code::Aro => Method::Performance(Performance::Average),
        Code::Tpr => Method::Performance(Performance::Tournament),
        Code::Ptp => Method::Performance(Performance::Perfect),
        Code::Apro => Method::Performance(Performance::AverageTournament),
        Code::Appo => Method::Performance(Performance::AveragePerfect),
        Code::Bc => Method::BoardCount,
        Code::Tbr => Method::Placing(Placing::Boards(End::Top)),
        Code::Bbe => Method::Placing(Placing::Boards(End::Bottom)),
        Code::Sssc => Method::Strength,
        Code::Spread => Method::Count(Counted::Spread),
        Code::Tally => Method::Count(Counted::Tally),
    }
}

const fn by_boards(count: bool, end: Option<End>) -> Method {
    meeting(Extension::Boards { count, end })
}

const fn meeting(extension: Extension) -> Method {
    Method::Placing(Placing::Meeting(extension))
}
