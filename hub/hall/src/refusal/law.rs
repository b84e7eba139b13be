//! The numbers and details of refusals of rulings and moves, for programs that translate them.

use laws::{MoveError, Refusal};
use proto::refusal::{self as wire, LawRefusal, RefusalCode};

use super::code_of_rule;
use crate::ruling::{MAX_MOVES, RulingRefusal};
use crate::to_proto;

pub(super) fn code(why: &RulingRefusal) -> RefusalCode {
    match why {
        RulingRefusal::Laws(Refusal::Clock(rejection)) => code_of_rule(*rejection),
        RulingRefusal::Laws(_) => RefusalCode::ByTheLaws,
        RulingRefusal::Move { .. } => RefusalCode::MoveNotPlayable,
        RulingRefusal::MovesMissing { .. } => RefusalCode::MovesMissing,
        RulingRefusal::TooManyMoves => RefusalCode::TooManyMoves,
        RulingRefusal::NotChess => RefusalCode::NotChess,
        RulingRefusal::CommandWaits => RefusalCode::CommandWaits,
        RulingRefusal::NoRuleSet(_) => RefusalCode::NoRuleSet,
        RulingRefusal::ServedByClock(_) => RefusalCode::ServedByClock,
        RulingRefusal::NotTimeChess(_) => RefusalCode::NotTimeChess,
    }
}

pub(super) fn about(why: &RulingRefusal, about: &mut wire::Refusal) {
    match why {
        RulingRefusal::Laws(refusal) => about.law = Some(of_request(refusal)),
        RulingRefusal::Move {
            number,
            side,
            error,
        } => {
            about.r#move = *number;
            about.set_side(to_proto::side(*side));
            about.law = Some(of_move(error));
        }
        RulingRefusal::MovesMissing { known } => about.number = *known,
        RulingRefusal::TooManyMoves => about.number = u32::try_from(MAX_MOVES).unwrap_or(u32::MAX),
        RulingRefusal::NoRuleSet(key) => about.name.clone_from(key),
        RulingRefusal::ServedByClock(board) | RulingRefusal::NotTimeChess(board) => {
            about.board = board.to_string();
        }
        RulingRefusal::NotChess | RulingRefusal::CommandWaits => (),
    }
}

fn of_request(refusal: &Refusal) -> LawRefusal {
    let mut law = LawRefusal {
        kind: refusal.code().to_owned(),
        article: refusal.article().unwrap_or_default().to_owned(),
        ..LawRefusal::default()
    };
    if let Refusal::NotInRules { rules: words } | Refusal::Off { why: words, .. } = refusal {
        law.words.push(words.clone());
    }
    if let Refusal::TooMuchTime { has: span, .. } | Refusal::PenaltyTooHigh { most: span, .. } =
        refusal
    {
        law.span_us = span.as_micros();
    }
    if let Refusal::ClaimOpen { kind, by } = refusal {
        law.words.push(kind.as_str().to_owned());
        law.set_side(to_proto::side(*by));
    }
    if let Refusal::NothingCompleted { side, .. } | Refusal::Arrived { side } = refusal {
        law.set_side(to_proto::side(*side));
    }
    if let Refusal::WrittenMove(error) = refusal {
        let written = of_move(error);
        (law.r#move, law.words) = (written.r#move, written.words);
    }
    if let Refusal::MustPlay { san } = refusal {
        law.r#move.clone_from(san);
    }
    if let Refusal::TooManyDiscs { discs } = refusal {
        law.number = *discs;
    }
    law
}

fn of_move(error: &MoveError) -> LawRefusal {
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
