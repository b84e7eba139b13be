//! Encodes the players' actions in Time Chess, the action that completes a turn, and the phase of the day.

use ::time_chess::Phase;
use proto::{event, wire};
use timing::Side;

use super::side;
use crate::same_variants::SameVariants;

use crate::{PlayerAct, PressRule};

pub(crate) fn player_act(of: Side, act: PlayerAct) -> event::PlayerAct {
    use event::PlayerActKind as Kind;
    let kind = match act {
        PlayerAct::Move(_) => Kind::Move,
        PlayerAct::Press => Kind::Press,
        PlayerAct::OfferDraw => Kind::OfferDraw,
        PlayerAct::AcceptDraw => Kind::AcceptDraw,
        PlayerAct::DeclineDraw => Kind::DeclineDraw,
        PlayerAct::ClaimDraw => Kind::ClaimDraw,
        PlayerAct::Resign => Kind::Resign,
    };
    let attempt = if let PlayerAct::Move(attempt) = act {
        attempt.to_string()
    } else {
        String::new()
    };
    event::PlayerAct {
        side: side(of).into(),
        kind: kind.into(),
        r#move: attempt,
    }
}

/// Encodes the phase of the day; `None`, for a game other than Time Chess, becomes the unspecified value.
pub(crate) fn day_phase(phase: Option<Phase>) -> wire::DayPhase {
    phase.map(Phase::encoded).unwrap_or_default()
}

pub fn press_rule(rule: PressRule) -> event::PressRule {
    rule.encoded()
}
