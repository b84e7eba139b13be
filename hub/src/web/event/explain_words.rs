//! The short words of an explanation, for narrow columns, and the codes by which pages word it in other languages.

use serde::Serialize;

use super::shared::bye_code;
use tournament::standings::{Basis, CutReason, Kind, MeetingRule, MeetingThen, Note, Step};
use tournament::{Bye, Code, Measure};

pub(super) const fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Played => "",
        Kind::Pending => "not finished",
        Kind::ForfeitWin => "won by forfeit",
        Kind::ForfeitLoss => "lost by forfeit",
        Kind::Bye(Bye::Full) => "full point bye",
        Kind::Bye(Bye::Half) => "half point bye",
        Kind::Bye(Bye::Zero) => "not paired",
        Kind::Bye(Bye::PairingAllocated) => "bye",
    }
}

/// Returns the source of a term that is neither one's own score nor an opponent's.
pub(super) const fn basis(basis: Basis) -> &'static str {
    match basis {
        Basis::Own | Basis::Opponent | Basis::OpponentValue | Basis::Rating | Basis::Count => "",
        Basis::Bonus => "apart from the results",
        Basis::DummyOwn => "dummy with the own score (16.4)",
        Basis::DummyOpponent => "dummy, held to the opponent’s score (16.4.1)",
        Basis::DummyDraws => "dummy, held to draws in every round (16.4.2)",
    }
}

pub(super) const fn cut(cut: CutReason) -> &'static str {
    match cut {
        CutReason::Least => "lowest, left out (14.1)",
        CutReason::Voluntary => "voluntary unplayed round, left out (16.5)",
        CutReason::Most => "highest, left out (14.3)",
        CutReason::BelowLimit => "below the limit (9.2)",
    }
}

/// Returns the code of the kind of a round, by which pages word it.
pub(super) const fn kind_code(kind: Kind) -> &'static str {
    match kind {
        Kind::Played => "",
        Kind::Pending => "pending",
        Kind::ForfeitWin => "forfeit_win",
        Kind::ForfeitLoss => "forfeit_loss",
        Kind::Bye(bye) => bye_code(bye),
    }
}

/// Returns the code of the source of a term.
pub(super) const fn basis_code(basis: Basis) -> &'static str {
    match basis {
        Basis::Own | Basis::Opponent | Basis::OpponentValue | Basis::Rating | Basis::Count => "",
        Basis::Bonus => "bonus",
        Basis::DummyOwn => "dummy_own",
        Basis::DummyOpponent => "dummy_opponent",
        Basis::DummyDraws => "dummy_draws",
    }
}

/// Returns the code of the reason why a term does not count.
pub(super) const fn cut_code(cut: CutReason) -> &'static str {
    match cut {
        CutReason::Least => "least",
        CutReason::Voluntary => "voluntary",
        CutReason::Most => "most",
        CutReason::BelowLimit => "below_limit",
    }
}

/// The measure of an encounter as pages word it.
#[derive(Serialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub(super) enum MeasureView {
    MatchPoints,
    GamePoints,
    BoardCount,
    Board { board: u16 },
    BoardsTo { board: u16 },
}

pub(super) const fn measure(step: Step) -> MeasureView {
    match step {
        Step::Score(Measure::Match) => MeasureView::MatchPoints,
        Step::Score(Measure::Game) => MeasureView::GamePoints,
        Step::BoardCount => MeasureView::BoardCount,
        Step::Board(board) | Step::BoardsTo(board @ 1) => MeasureView::Board { board },
        Step::BoardsTo(board) => MeasureView::BoardsTo { board },
    }
}

/// A note as pages word it.
#[derive(Serialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub(super) enum NoteView {
    BoardCount,
    Boards {
        /// The points on each board, from board 1.
        points: Vec<String>,
    },
    Limit {
        points: String,
    },
    Unrated,
    AverageRating,
    Performance {
        average: i64,
        percent: i64,
        difference: i64,
    },
    Perfect {
        points: String,
    },
    Strength {
        /// `MP` or `GP`.
        measure: &'static str,
        points: String,
        divisor: i64,
    },
    Average {
        rounds: i64,
    },
    AloneTeam,
    AlonePlayer,
    AllMet,
    AllWillMeet,
    NotAllMet,
    ThenOtherScore,
    ThenBoards,
}

/// Returns a note as one or two statements.
pub(super) fn notes(note: &Note) -> Vec<NoteView> {
    let one = match note {
        Note::BoardCount => NoteView::BoardCount,
        Note::Boards(points) => NoteView::Boards {
            points: points.iter().map(ToString::to_string).collect(),
        },
        Note::Limit(limit) => NoteView::Limit {
            points: limit.to_string(),
        },
        Note::Unrated => NoteView::Unrated,
        Note::AverageRating => NoteView::AverageRating,
        Note::Performance {
            average,
            percent,
            difference,
        } => NoteView::Performance {
            average: *average,
            percent: *percent,
            difference: *difference,
        },
        Note::Perfect(score) => NoteView::Perfect {
            points: score.to_string(),
        },
        Note::Strength {
            measure,
            points,
            divisor,
        } => NoteView::Strength {
            measure: measure.as_str(),
            points: points.to_string(),
            divisor: *divisor,
        },
        Note::Average(rounds) => NoteView::Average { rounds: *rounds },
        Note::Meeting { rule, then } => return meeting(*rule, *then),
    };
    vec![one]
}

fn meeting(rule: MeetingRule, then: MeetingThen) -> Vec<NoteView> {
    let rule = match rule {
        MeetingRule::AloneTeam => NoteView::AloneTeam,
        MeetingRule::AlonePlayer => NoteView::AlonePlayer,
        MeetingRule::AllMet => NoteView::AllMet,
        MeetingRule::AllWillMeet => NoteView::AllWillMeet,
        MeetingRule::NotAllMet => NoteView::NotAllMet,
    };
    let then = match then {
        MeetingThen::Nothing => None,
        MeetingThen::OtherScore => Some(NoteView::ThenOtherScore),
        MeetingThen::Boards => Some(NoteView::ThenBoards),
    };
    std::iter::once(rule).chain(then).collect()
}

pub(super) const fn method_has_factor(code: Code) -> bool {
    matches!(
        code,
        Code::Sb | Code::Esb | Code::Emmsb | Code::Emgsb | Code::Egmsb | Code::Eggsb | Code::Bc
    )
}
