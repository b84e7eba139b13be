//! The short English texts of an explanation, for narrow columns, and the codes by which pages translate them.

use serde::Serialize;

use super::shared::{ByeView, bye};
use tournament::standings::{
    Basis, CutReason, EncounterRule, Note, RemainingTieRule, RoundKind, Step,
};
use tournament::{Code, Measure};

/// The kind of a round without a finished game.
#[derive(Serialize)]
pub(super) struct KindView {
    kind: &'static str,
    kind_code: &'static str,
}

pub(super) const fn kind(kind: RoundKind) -> Option<KindView> {
    let (kind, kind_code) = match kind {
        RoundKind::Played => return None,
        RoundKind::Pending => ("not finished", "pending"),
        RoundKind::ForfeitWin => ("won by forfeit", "forfeit_win"),
        RoundKind::ForfeitLoss => ("lost by forfeit", "forfeit_loss"),
        RoundKind::Bye(kind) => {
            let ByeView { bye, bye_code } = bye(kind);
            (bye, bye_code)
        }
    };
    Some(KindView { kind, kind_code })
}

/// The source of a term that comes from a bonus or from a dummy opponent (16.4).
#[derive(Serialize)]
pub(super) struct SourceView {
    from: &'static str,
    from_code: &'static str,
}

pub(super) const fn source(basis: Basis) -> Option<SourceView> {
    let (from, from_code) = match basis {
        Basis::Own | Basis::Opponent | Basis::OpponentValue | Basis::Rating | Basis::Count => {
            return None;
        }
        Basis::Bonus => ("in addition to the results", "bonus"),
        Basis::DummyOwn => (
            "dummy opponent with the player’s own score (16.4)",
            "dummy_own",
        ),
        Basis::DummyOpponent => (
            "dummy opponent, capped at the scheduled opponent’s score (16.4.1)",
            "dummy_opponent",
        ),
        Basis::DummyDraws => (
            "dummy opponent, capped at a draw in every round (16.4.2)",
            "dummy_draws",
        ),
    };
    Some(SourceView { from, from_code })
}

#[derive(Serialize)]
pub(super) struct CutView {
    cut: &'static str,
    cut_code: &'static str,
}

pub(super) const fn cut(cut: CutReason) -> CutView {
    let (cut, cut_code) = match cut {
        CutReason::Least => ("lowest, left out (14.1)", "least"),
        CutReason::Voluntary => ("voluntary unplayed round, left out (16.5)", "voluntary"),
        CutReason::Most => ("highest, left out (14.3)", "most"),
        CutReason::BelowLimit => ("below the limit (9.2)", "below_limit"),
    };
    CutView { cut, cut_code }
}

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
        Note::DirectEncounter { rule, then } => return meeting(*rule, *then),
    };
    vec![one]
}

fn meeting(rule: EncounterRule, then: RemainingTieRule) -> Vec<NoteView> {
    let rule = match rule {
        EncounterRule::AloneTeam => NoteView::AloneTeam,
        EncounterRule::AlonePlayer => NoteView::AlonePlayer,
        EncounterRule::AllMet => NoteView::AllMet,
        EncounterRule::AllWillMeet => NoteView::AllWillMeet,
        EncounterRule::NotAllMet => NoteView::NotAllMet,
    };
    let then = match then {
        RemainingTieRule::Nothing => None,
        RemainingTieRule::OtherScore => Some(NoteView::ThenOtherScore),
        RemainingTieRule::Boards => Some(NoteView::ThenBoards),
    };
    std::iter::once(rule).chain(then).collect()
}

pub(super) const fn method_has_factor(code: Code) -> bool {
    matches!(
        code,
        Code::Sb | Code::Esb | Code::Emmsb | Code::Emgsb | Code::Egmsb | Code::Eggsb | Code::Bc
    )
}
