//! The short words of an explanation, for narrow columns.

use tournament::standings::{Basis, CutReason, Kind};
use tournament::{Bye, Code};

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

pub(super) const fn method_has_factor(code: Code) -> bool {
    matches!(
        code,
        Code::Sb | Code::Esb | Code::Emmsb | Code::Emgsb | Code::Egmsb | Code::Eggsb | Code::Bc
    )
}
