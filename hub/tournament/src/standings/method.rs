//! Which computation a code asks for.

use super::super::tie_break::{Code, Measure};

/// Which score is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Score {
    /// The primary one.
    Primary,
    /// The other one of a team event.
    Secondary,
    /// This one.
    Named(Measure),
}

/// What of one's own record is counted (C.07 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Own {
    /// 7.1.
    Wins,
    /// 7.2.
    GamesWon,
    /// 7.3.
    BlackGames,
    /// 7.4.
    BlackWins,
    /// 7.6.
    RoundsElected,
    /// 7.7.
    StandardPoints,
}

/// What is computed from ratings (C.07 10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Performance {
    /// 10.1.
    Average,
    /// 10.2.
    Tournament,
    /// 10.3.
    Perfect,
    /// 10.4.
    AverageTournament,
    /// 10.5.
    AveragePerfect,
}

/// Whose product Sonneborn-Berger sums: the opponent's score first, then the score against him.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Product {
    /// Both the reference score.
    Same,
    /// The reference score, and the other one.
    Crossed,
    /// These.
    Named(Measure, Measure),
}

/// From which end boards are taken (C.07 12.2, 12.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Top board results.
    Top,
    /// Bottom board elimination.
    Bottom,
}

/// What a direct encounter goes on with where the primary score leaves a tie (C.07 13.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extension {
    /// Nothing: article 6.
    None,
    /// The secondary score.
    Secondary,
    /// The secondary score, then the boards of the matches between two teams.
    Boards {
        /// The board count comes first.
        count: bool,
        /// Then board after board from this end.
        end: Option<End>,
    },
}

/// What of a counted game is summed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counted {
    /// Own count less the opponent's.
    Spread,
    /// Own count.
    Tally,
}

/// The computation of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// A score.
    Points(Score),
    /// Own record.
    Own(Own),
    /// Progressive scores.
    Progressive,
    /// Pairing number.
    Number,
    /// Rating.
    Rating,
    /// Buchholz, fore or not.
    Buchholz {
        /// 8.3.
        fore: bool,
    },
    /// Average of opponents' Buchholz.
    AverageBuchholz,
    /// Sonneborn-Berger and its team forms.
    SonnebornBerger(Product),
    /// Koya.
    Koya,
    /// From ratings.
    Performance(Performance),
    /// Direct encounter.
    Meeting(Extension),
    /// Board count.
    BoardCount,
    /// Board after board.
    Boards(End),
    /// Score and schedule strength.
    Strength,
    /// Counts of the games.
    Count(Counted),
}

/// What places the tied among each other, instead of giving each a number of his own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Placing {
    /// The separate standings of a direct encounter.
    Meeting(Extension),
    /// Board after board.
    Boards(End),
}

impl Method {
    /// How it places those who are tied; `None` for a number of each participant's own.
    pub(super) const fn placing(self) -> Option<Placing> {
        match self {
            Self::Meeting(extension) => Some(Placing::Meeting(extension)),
            Self::Boards(from) => Some(Placing::Boards(from)),
            Self::Points(_)
            | Self::Own(_)
            | Self::Progressive
            | Self::Number
            | Self::Rating
            | Self::Buchholz { .. }
            | Self::AverageBuchholz
            | Self::SonnebornBerger(_)
            | Self::Koya
            | Self::Performance(_)
            | Self::BoardCount
            | Self::Strength
            | Self::Count(_) => None,
        }
    }
}

/// The computation of a code.
pub(super) const fn of(code: Code) -> Method {
    match code {
        Code::Pts => Method::Points(Score::Primary),
        Code::Mpts => Method::Points(Score::Named(Measure::Match)),
        Code::Gpts => Method::Points(Score::Named(Measure::Game)),
        Code::MpVsGp => Method::Points(Score::Secondary),
        Code::De => Method::Meeting(Extension::None),
        Code::Ede => Method::Meeting(Extension::Secondary),
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
        Code::Tbr => Method::Boards(End::Top),
        Code::Bbe => Method::Boards(End::Bottom),
        Code::Sssc => Method::Strength,
        Code::Spread => Method::Count(Counted::Spread),
        Code::Tally => Method::Count(Counted::Tally),
    }
}

/// A direct encounter that the boards of two teams decide in the end.
const fn by_boards(count: bool, end: Option<End>) -> Method {
    Method::Meeting(Extension::Boards { count, end })
}
