//! The details of the Laws' refusals, for programs that word them in their reader's language.

use laws::{MoveError, Refusal};
use proto::refusal::LawRefusal;
use timing::Duration;

use crate::to_proto;

pub(super) fn of_request(refusal: &Refusal) -> LawRefusal {
    let plain = LawRefusal {
        kind: refusal.code().to_owned(),
        ..LawRefusal::default()
    };
    let under = |article: &str| LawRefusal {
        article: article.to_owned(),
        ..plain.clone()
    };
    match refusal {
        Refusal::NotInRules { rules } => LawRefusal {
            words: vec![rules.clone()],
            ..plain
        },
        Refusal::Off { article, why } => LawRefusal {
            words: vec![why.clone()],
            ..under(article)
        },
        Refusal::TooMuchTime { article, has } => spanned(under(article), *has),
        Refusal::PenaltyTooHigh { article, most } => spanned(under(article), *most),
        Refusal::WrongDecision { article, why } => LawRefusal {
            words: vec![(*why).to_owned()],
            ..under(article)
        },
        Refusal::NotOnMove { article }
        | Refusal::FlagDown { article }
        | Refusal::DelayInUse { article }
        | Refusal::NotSuddenDeath { article }
        | Refusal::AlreadyFitted { article }
        | Refusal::NoDraws { article }
        | Refusal::IllegalMoveStands { article }
        | Refusal::MayNotCall { article }
        | Refusal::TenMoves { article } => under(article),
        Refusal::CannotWithdraw { article } | Refusal::EndedOnBoard { article } => under(article),
        Refusal::ClaimOpen { kind, by } => {
            let mut open = LawRefusal {
                words: vec![kind.as_str().to_owned()],
                ..plain
            };
            open.set_side(to_proto::side(*by));
            open
        }
        Refusal::WrittenMove(error) => LawRefusal {
            kind: plain.kind,
            ..of_move(error)
        },
        Refusal::MustPlay { san } => LawRefusal {
            r#move: san.clone(),
            ..plain
        },
        Refusal::TooManyDiscs { discs } => LawRefusal {
            number: *discs,
            ..plain
        },
        Refusal::NotStarted
        | Refusal::AlreadyStarted
        | Refusal::GameOver
        | Refusal::NoResult
        | Refusal::Touched
        | Refusal::MovesUnknown
        | Refusal::NothingOpen
        | Refusal::NoOffer
        | Refusal::OfferStands
        | Refusal::OfferNotAnswered
        | Refusal::FlagUp
        | Refusal::NotYetLate
        | Refusal::NotSubstituted
        | Refusal::AfterEndDate
        | Refusal::NotAdjourned
        | Refusal::NoFlagYet
        | Refusal::MustRecord
        | Refusal::Clock(_) => plain,
    }
}

pub(super) fn of_move(error: &MoveError) -> LawRefusal {
    let (kind, text, fitting) = match error {
        MoveError::Unreadable { text } => ("unreadable", text, &[][..]),
        MoveError::Ambiguous { text, candidates } => ("ambiguous", text, &candidates[..]),
        MoveError::NoPromotionPiece { text, candidates } => {
            ("no-promotion-piece", text, &candidates[..])
        }
        MoveError::Illegal { text, why: _ } => ("illegal", text, &[][..]),
    };
    LawRefusal {
        kind: kind.to_owned(),
        r#move: text.clone(),
        words: fitting.to_vec(),
        ..LawRefusal::default()
    }
}

fn spanned(law: LawRefusal, span: Duration) -> LawRefusal {
    LawRefusal {
        span_us: span.as_micros(),
        ..law
    }
}
